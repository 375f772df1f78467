#include "checker/shrink.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/rational.h"
#include "checker/literals.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/dtype.h"

namespace racer {
namespace {

using Input = std::pair<uint32_t, uint32_t>;  // symbol, cell

constexpr uint64_t kMinSteps = 16;
constexpr uint64_t kMaxSteps = 256;
constexpr uint64_t kMaxEvaluations = uint64_t{4} << 20;  // terms, of all steps together
// A difference of this part of the larger side is plain; a smaller one may not become smaller still.
constexpr double kPlain = 1.0 / 16;
constexpr size_t kMostChunks = 8;  // of the inputs of one symbol, of which fewer and larger ones are tried: halves, quarters, eighths
constexpr std::string_view kUndefined = "undefined";  // CellWitness

// Visits every term below the roots once.
template <class Visit>
void ForEachBelow(const TermStore& store, std::vector<TermId> stack, Visit visit) {
  std::vector<bool> seen(store.size(), false);
  while (!stack.empty()) {
    TermId id = stack.back();
    stack.pop_back();
    if (id == kNoTerm || seen[static_cast<size_t>(id)]) continue;
    seen[static_cast<size_t>(id)] = true;
    visit(id);
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
}

class Shrinker {
 public:
  Shrinker(const TermStore& store, const SymbolRanges& ranges, const CellWitness& witness, const Replay& replay,
           const CascadeOptions& options)
      : store_(store), ranges_(ranges), best_(witness), replay_(replay), options_(options) {
    const std::vector<TermId> roots{witness.cell.candidate, witness.cell.reference};
    const std::set<Input> below = InputsBelow(store, roots);
    inputs_.assign(below.begin(), below.end());
    uint64_t terms = 1;
    ForEachBelow(store, roots, [&](TermId) { ++terms; });
    if (options.literals_rounded) terms *= 1 + 2 * RoundedLiterals(store, roots).size();
    steps_left_ = std::clamp(kMaxEvaluations / terms, kMinSteps, kMaxSteps);
    plain_ = std::min(kPlain, Score(witness.point).value_or(0));
    undefined_ = witness.candidate_real == kUndefined || witness.reference_real == kUndefined;
  }

  // Until nothing changes: what an input was needed for may be gone with the next one.
  CellWitness Run() {
    do {
      changed_ = false;
      for (int64_t value : {0, 1}) Reset(value);
      Gather();
    } while (changed_ && Left());
    return std::move(best_);
  }

 private:
  // The pattern of a default in an input, if the input may have it.
  std::optional<uint64_t> Pattern(const Input& input, int64_t value) const {
    const SymbolRange range = input.first < ranges_.size() ? ranges_[input.first] : SymbolRange{};
    if (!InRange(range, Rational(value))) return std::nullopt;
    return Dtype(store_.symbol(static_cast<SymbolId>(input.first)).dtype).Exact(Rational(value));
  }

  uint64_t Current(const Input& input) const { return best_.point.bits[input.first][input.second]; }
  bool Left() const { return steps_left_ > 0 && !options_.out_of_budget(); }

  // The pattern of twice the value that an input has.
  std::optional<uint64_t> Doubled(const Input& input) const {
    const Dtype dtype(store_.symbol(static_cast<SymbolId>(input.first)).dtype);
    const std::optional<Rational> value = dtype.ValueOf(Current(input));
    const SymbolRange range = input.first < ranges_.size() ? ranges_[input.first] : SymbolRange{};
    if (!value.has_value() || !InRange(range, *value + *value)) return std::nullopt;
    return dtype.Exact(*value + *value);
  }

  // All of the inputs at once, then halves of what did not work. An explicit stack, left half first.
  void Reset(int64_t value) {
    std::vector<Input> open;
    for (const Input& input : inputs_) {
      const std::optional<uint64_t> pattern = Pattern(input, value);
      bool at_default = Current(input) == pattern || (value != 0 && Current(input) == Pattern(input, 0));
      if (pattern.has_value() && !at_default) open.push_back(input);
    }
    std::vector<std::pair<size_t, size_t>> chunks{{0, open.size()}};
    while (!chunks.empty()) {
      auto [begin, end] = chunks.back();
      chunks.pop_back();
      if (begin == end) continue;
      if (!Left()) return;
      --steps_left_;
      InputPoint point = best_.point;
      for (size_t i = begin; i < end; ++i) point.bits[open[i].first][open[i].second] = *Pattern(open[i], value);
      if (Accept(std::move(point)) || end - begin == 1) continue;
      const size_t middle = begin + (end - begin) / 2;
      chunks.emplace_back(middle, end);
      chunks.emplace_back(begin, middle);
    }
  }

  // Many small inputs may have to be there for a plain difference where a few large ones do: some of one symbol's go to 0 while the others
  // double.
  void Gather() {
    if (!best_.cell.floating || undefined_) return;
    std::map<uint32_t, std::vector<Input>> symbols;
    for (const Input& input : inputs_) {
      if (const auto zero = Pattern(input, 0); zero.has_value() && Current(input) != *zero) symbols[input.first].push_back(input);
    }
    for (auto& [symbol, inputs] : symbols) {
      size_t chunk = inputs.size() / 2;
      while (chunk > 0 && inputs.size() <= kMostChunks * chunk) {
        const size_t before = inputs.size();
        // The last ones first: the cell's own input is often among the first.
        for (size_t end = before; end > 0 && inputs.size() == before; end -= std::min(end, chunk)) {
          if (!Left()) return;
          --steps_left_;
          const size_t begin = end - std::min(end, chunk);
          if (AcceptGathered(inputs, begin, end))
            inputs.erase(inputs.begin() + static_cast<ptrdiff_t>(begin), inputs.begin() + static_cast<ptrdiff_t>(end));
        }
        chunk = inputs.size() < before ? std::min(chunk, inputs.size() / 2) : chunk / 2;
      }
    }
  }

  bool AcceptGathered(const std::vector<Input>& inputs, size_t begin, size_t end) {
    InputPoint point = best_.point;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::optional<uint64_t> bits = i >= begin && i < end ? Pattern(inputs[i], 0) : Doubled(inputs[i]);
      if (!bits.has_value()) return false;
      point.bits[inputs[i].first][inputs[i].second] = *bits;
    }
    return Accept(std::move(point));
  }

  // How plain a difference is: its part of the larger side; 1 for integers. Empty where a side has no value: a difference
  // of values does not become one of definedness.
  std::optional<double> Score(const InputPoint& point) const {
    if (!best_.cell.floating) return 1.0;
    BallEvaluator ball(store_, point);
    const double magnitude = ball.MagnitudeUpperBound(best_.cell.candidate, best_.cell.reference);
    const double difference = ball.DifferenceLowerBound(best_.cell.candidate, best_.cell.reference);
    if (!(magnitude > 0) || !(difference > 0)) return std::nullopt;
    return difference / magnitude;
  }

  bool Accept(InputPoint point) {
    if (!undefined_) {
      const std::optional<double> score = Score(point);
      if (!score.has_value() || *score < plain_) return false;
    }
    std::optional<CellWitness> witness = CertifyAt(store_, best_.cell, point, replay_, options_);
    if (!witness.has_value()) return false;
    // A side without a value stays the same one.
    if (undefined_ && (witness->candidate_real == kUndefined) != (best_.candidate_real == kUndefined)) return false;
    if (undefined_ && (witness->reference_real == kUndefined) != (best_.reference_real == kUndefined)) return false;
    best_ = std::move(*witness);
    changed_ = true;
    return true;
  }

  const TermStore& store_;
  const SymbolRanges& ranges_;
  CellWitness best_;
  const Replay& replay_;
  const CascadeOptions& options_;
  std::vector<Input> inputs_;
  uint64_t steps_left_ = 0;
  double plain_ = 0;
  bool changed_ = false;    // since the last look at all inputs
  bool undefined_ = false;  // one side has no value at the witness
};

}  // namespace

std::set<std::pair<uint32_t, uint32_t>> InputsBelow(const TermStore& store, const std::vector<TermId>& roots) {
  std::set<Input> inputs;
  ForEachBelow(store, roots, [&](TermId id) {
    TermKind kind = store.kind(id);
    if (kind == TermKind::kFpInput || kind == TermKind::kBvInput) {
      inputs.emplace(static_cast<uint32_t>(store.input_symbol(id)), store.input_index(id));
    }
  });
  return inputs;
}

CellWitness ShrinkWitness(const TermStore& store, const SymbolRanges& ranges, const CellWitness& witness, const Replay& replay,
                          const CascadeOptions& options) {
  return Shrinker(store, ranges, witness, replay, options).Run();
}

}  // namespace racer
