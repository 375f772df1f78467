#include "checker/literals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "symexec/ball/ball.h"
#include "symexec/ball/decode.h"
#include "symexec/bits/rounded_literal.h"

namespace racer {
namespace {

using Kind = BallEvaluator::Value::Kind;

// The pattern `steps` units in the last place further from zero (negative: nearer), where that is finite and of the same sign.
std::optional<uint64_t> Neighbour(FpFormat format, uint64_t bits, int64_t steps) {
  // A tf32 pattern has 13 bits below its last place.
  const int64_t unit = format == FpFormat::kTF32 ? int64_t{1} << 13 : 1;
  const uint64_t sign = uint64_t{1} << (FormatWidth(format) - 1);
  const int64_t magnitude = static_cast<int64_t>(bits & (sign - 1)) + steps * unit;
  if (magnitude <= 0 || magnitude >= static_cast<int64_t>(sign - 1)) return std::nullopt;
  const uint64_t moved = (bits & sign) | static_cast<uint64_t>(magnitude);
  return DecodeFp(format, moved).kind == DecodedFp::Kind::kFinite ? std::optional(moved) : std::nullopt;
}

struct State {
  bool differs = false;  // certainly
  bool real = false;     // two numbers
  double difference = 0;
};

State Look(BallEvaluator& ball, TermId a, TermId b) {
  const Kind x = ball.Evaluate(a, /*with_decimal=*/false).kind, y = ball.Evaluate(b, /*with_decimal=*/false).kind;
  const bool one_undefined = (x == Kind::kUndefined && y == Kind::kReal) || (x == Kind::kReal && y == Kind::kUndefined);
  return {ball.CertainlyDifferent(a, b) || one_undefined, x == Kind::kReal && y == Kind::kReal, ball.Difference(a, b)};
}

}  // namespace

std::vector<TermId> RoundedLiterals(const TermStore& store, const std::vector<TermId>& roots) {
  std::vector<TermId> literals, stack = roots;
  std::vector<bool> seen(store.size(), false);
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (id == kNoTerm || seen[static_cast<size_t>(id)]) continue;
    seen[static_cast<size_t>(id)] = true;
    if (store.kind(id) == TermKind::kFpConst && bits::LooksRounded(store.format(id), store.const_bits(id))) literals.push_back(id);
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
  return literals;
}

std::optional<bool> RestsOnLiterals(const TermStore& store, TermId candidate, TermId reference, const InputPoint& point, int precision_bits,
                                    const std::function<bool()>& out_of_budget) {
  const std::vector<TermId> literals = RoundedLiterals(store, {candidate, reference});
  if (literals.empty()) return false;
  BallEvaluator as_written(store, point, precision_bits);
  const State start = Look(as_written, candidate, reference);
  // All the way at once: a step (a conversion to an integer or to a narrow format, a selection) does not show in one unit.
  const auto steps = static_cast<int64_t>(literals.size());
  double sum = 0;
  for (TermId literal : literals) {
    double most = 0;
    for (int64_t direction : {-1, 1}) {
      if (out_of_budget()) return std::nullopt;
      const std::optional<uint64_t> moved = Neighbour(store.format(literal), store.const_bits(literal), direction * steps);
      if (!moved.has_value()) continue;
      BallEvaluator ball(store, point, precision_bits);
      ball.Move(literal, *moved);
      const State there = Look(ball, candidate, reference);
      if (!there.differs || there.real != start.real) return true;
      if (start.real) most = std::max(most, std::fabs(there.difference - start.difference) / static_cast<double>(steps));
    }
    sum += most;
  }
  // Curvature and the middles of balls are far below this margin, one unit against two far above.
  return start.real && std::fabs(start.difference) <= sum * (1 + 0x1p-10);
}

}  // namespace racer
