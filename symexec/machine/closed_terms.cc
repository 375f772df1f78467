#include "symexec/machine/closed_terms.h"

#include <optional>
#include <vector>

#include "base/check.h"
#include "symexec/machine/bits_of_operation.h"
#include "symexec/term/rebuild.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

bool IsInfiniteConstant(const TermStore& store, TermId value) {
  if (store.kind(value) != TermKind::kFpConst) return false;
  const FormatLayout layout = LayoutOf(store.format(value));
  const uint64_t exponents = ((uint64_t{1} << layout.exponent_bits) - 1) << layout.fraction_bits;
  const uint64_t sign = uint64_t{1} << (layout.exponent_bits + layout.fraction_bits);
  return layout.has_infinity && (store.const_bits(value) & ~sign) == exponents;
}

}  // namespace

TermId ClosedTerms::Decide(TermId term) {
  if (!store_.IsClosed(term) || store_.IsConst(term)) return term;
  const TermKind kind = store_.kind(term);
  if (kind != TermKind::kFpCompare && kind != TermKind::kFpToInt) return term;
  const unsigned width = store_.width(term);
  // A device may give any other value within the error.
  if (HasApproximation(term)) {
    const BallEvaluator::Value all = devices_.Evaluate(term, /*with_decimal=*/false);
    return all.kind == BallEvaluator::Value::Kind::kBits ? store_.BvConst(width, all.bits) : term;
  }
  const BallEvaluator::Value real = balls_.Evaluate(term, /*with_decimal=*/false);
  if (real.kind == BallEvaluator::Value::Kind::kBits) {
    return Rounded(term) == real.bits ? store_.BvConst(width, real.bits) : term;
  }
  // Balls know no infinity, but every real lies on the same side of it.
  if (kind != TermKind::kFpCompare) return term;
  const TermId a = store_.operand(term, 0), b = store_.operand(term, 1);
  const bool decided = (IsInfiniteConstant(store_, a) && CertainlyFinite(b)) || (IsInfiniteConstant(store_, b) && CertainlyFinite(a));
  return decided ? store_.BvConst(width, Rounded(term)) : term;
}

bool ClosedTerms::IsSettled(TermId term) {
  if (devices_.Evaluate(term, /*with_decimal=*/false).kind != BallEvaluator::Value::Kind::kUnknown) return true;
  // Near a tie, but there is only one value that a machine can have.
  if (!store_.IsClosed(term) || HasApproximation(term)) return false;
  const BallEvaluator::Value real = balls_.Evaluate(term, /*with_decimal=*/false);
  if (real.kind == BallEvaluator::Value::Kind::kBits) return Rounded(term) == real.bits;
  if (real.kind != BallEvaluator::Value::Kind::kReal) return false;
  return balls_.DistanceUpperBound(term, store_.format(term), Rounded(term)) == 0;
}

bool ClosedTerms::HasSignOfReal(TermId term) {
  if (!store_.IsClosed(term) || HasApproximation(term)) return false;
  const BallEvaluator::Value real = balls_.Evaluate(term, /*with_decimal=*/false);
  const std::optional<Dyadic> rounded = Decode(store_.format(term), Rounded(term));
  if (real.kind != BallEvaluator::Value::Kind::kReal || !rounded || rounded->mantissa == 0) return false;
  const TermId zero = store_.FpConst(store_.format(term), 0);
  return balls_.DifferenceLowerBound(term, zero) > 0 && rounded->negative == (real.middle < 0);
}

bool ClosedTerms::IsRoundedFarOff(TermId term) {
  constexpr double kFar = 1.0 / 64, kNoise = 1.0 / 64;
  if (store_.IsBits(term) || store_.kind(term) == TermKind::kFpConst || !store_.IsClosed(term)) return false;
  const TermId folded = Folded(term);
  const BallEvaluator::Value real = balls_.Evaluate(term, /*with_decimal=*/false);
  if (folded == term || real.kind != BallEvaluator::Value::Kind::kReal) return false;
  // An overflow.
  if (IsInfiniteConstant(store_, folded)) return true;
  const double off = balls_.DifferenceLowerBound(term, folded);
  if (off > kNoise && off > kFar * balls_.MagnitudeUpperBound(term, folded)) return true;
  // A position or a number of things. What is negative is as large as -1e9 for the sake of its size.
  return off >= 1 && store_.kind(folded) == TermKind::kFpConst && balls_.IsInteger(term) && real.middle > 0;
}

TermId ClosedTerms::Folded(TermId term) {
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId top = stack.back();
    const auto known = [&](TermId t) { return folded_.find(static_cast<uint32_t>(t)); };
    if (known(top) != folded_.end()) {
      stack.pop_back();
      continue;
    }
    if (!HasApproximation(top)) {
      const TermId constant =
          store_.IsBits(top) ? store_.BvConst(store_.width(top), Rounded(top)) : store_.FpConst(store_.format(top), Rounded(top));
      folded_.emplace(static_cast<uint32_t>(top), constant);
      continue;
    }
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    bool ready = true;
    for (unsigned i = 0; i < store_.arity(top); ++i) {
      const auto found = known(store_.operand(top, i));
      if (found == folded_.end()) {
        stack.push_back(store_.operand(top, i));
        ready = false;
      } else {
        operands[i] = found->second;
      }
    }
    if (ready) folded_.emplace(static_cast<uint32_t>(top), Rebuild(store_, top, operands[0], operands[1], operands[2]));
  }
  return folded_.at(static_cast<uint32_t>(term));
}

bool ClosedTerms::HasApproximation(TermId term) {
  const auto approximates = [&](TermId t) {
    const TermKind kind = store_.kind(t);
    if (kind != TermKind::kFpUnary && kind != TermKind::kFpBinary) return false;
    const FpAttr attr = store_.fp_attr(t);
    return attr.approx || attr.full;
  };
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId top = stack.back();
    if (approximate_.contains(static_cast<uint32_t>(top))) {
      stack.pop_back();
      continue;
    }
    bool ready = true, found = approximates(top);
    for (unsigned i = 0; i < store_.arity(top) && !found; ++i) {
      const TermId operand = store_.operand(top, i);
      const auto known = approximate_.find(static_cast<uint32_t>(operand));
      if (known == approximate_.end()) {
        ready = false;
        stack.push_back(operand);
      } else {
        found = known->second;
      }
    }
    if (!ready && !found) continue;
    approximate_.emplace(static_cast<uint32_t>(top), found);
  }
  return approximate_.at(static_cast<uint32_t>(term));
}

bool ClosedTerms::CertainlyFinite(TermId value) {
  if (balls_.Evaluate(value, /*with_decimal=*/false).kind != BallEvaluator::Value::Kind::kReal) return false;
  return LayoutOf(store_.format(value)).has_infinity && Decode(store_.format(value), Rounded(value)).has_value();
}

uint64_t ClosedTerms::Rounded(TermId term) {
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId top = stack.back();
    const auto known = [&](TermId t) { return rounded_.contains(static_cast<uint32_t>(t)); };
    bool ready = true;
    if (!known(top)) {
      for (unsigned i = 0; i < store_.arity(top); ++i) {
        const TermId operand = store_.operand(top, i);
        if (known(operand)) continue;
        ready = false;
        stack.push_back(operand);
      }
      if (ready) rounded_.emplace(static_cast<uint32_t>(top), Compute(top));
    }
    if (ready) stack.pop_back();
  }
  return rounded_.at(static_cast<uint32_t>(term));
}

uint64_t ClosedTerms::Compute(TermId t) const {
  uint64_t operands[3] = {};
  for (unsigned i = 0; i < store_.arity(t); ++i) operands[i] = Known(t, i);
  return BitsOfOperation(store_, t, operands);
}

}  // namespace racer
