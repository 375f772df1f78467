// Certified evaluation of terms at exact points with Arb: the only thing that may call two cells different.
#ifndef RACER_SYMEXEC_BALL_BALL_H_
#define RACER_SYMEXEC_BALL_BALL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// Evaluates R terms over the reals (roundings ignored, as in the proof) and B terms exactly, at one point. Shared
// subterms are evaluated once; the evaluation is iterative.
class BallEvaluator {
 public:
  // kDevice: a ball holds the value over the reals and every value that a device may compute instead (symexec/ball/device.h), and what
  // follows from it is known only where it is the same for all of them.
  // kApproximate: the same for approximate instructions alone; other operations are their real functions.
  enum class View : uint8_t { kReal, kDevice, kApproximate };
  // `store` and `point` must outlive the evaluator; `store` may grow. A cell that the point does not give is kUnknown.
  BallEvaluator(const TermStore& store, const InputPoint& point, int precision_bits = 192, View view = View::kReal);
  ~BallEvaluator();

  struct Value {
    enum class Kind : uint8_t { kReal, kBits, kUndefined, kUnknown } kind = Kind::kUnknown;
    // kReal: a ball that contains the exact value. kBits: the exact pattern. kUndefined: the real function has no value
    // here (0/0, sqrt of a negative, division by an exact zero), or an operand that it needs has none. kUnknown: not
    // decidable at this precision, infinite, a NaN literal, or an operation that has no certified real meaning (an opaque
    // bit cast, a comparison of overlapping balls).
    uint64_t bits = 0;
    double middle = 0;    // for display and ranking only
    std::string decimal;  // "0.70710678118654752" digits that are certain
  };
  // kApproximate: takes these terms for their real functions, too. Before the first evaluation.
  void TakeAsExact(std::unordered_set<TermId> terms);
  // Takes the FpConst `literal` for another pattern of its format. Before the first evaluation.
  void Move(TermId literal, uint64_t bits);
  // `with_decimal` false leaves out the decimal, which costs more than most terms.
  Value Evaluate(TermId term, bool with_decimal = true);
  // Whether the value is certainly a finite integer.
  bool IsInteger(TermId term);
  // Whether the balls of a and b certainly do not meet.
  bool CertainlyDifferent(TermId a, TermId b);
  // A lower bound of |a - b| and an upper bound of max(|a|, |b|), as doubles rounded outward; 0 and infinity where either is
  // not a kReal.
  double DifferenceLowerBound(TermId a, TermId b);
  double MagnitudeUpperBound(TermId a, TermId b);
  // The middle of a - b, certain of nothing; 0 where either is not a kReal.
  double Difference(TermId a, TermId b);
  // An upper bound of |value of term - value of the pattern|; infinity where either is not a finite real. For checking that
  // a replayed bit pattern belongs to a side.
  double DistanceUpperBound(TermId term, FpFormat format, uint64_t bits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Points to try, cheapest and most readable first: all ones, one-hot, {0,1}, small integers, then random values exact in
// the dtype, all inside the ranges. `cells[s]` is the number of cells of symbol s. Deterministic in (index, seed). The
// point has no symbols at all if some range holds no value of its dtype. A symbol with shape {} is a scalar.
InputPoint MakePoint(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, unsigned index, uint64_t seed);
constexpr unsigned kPointCount = 24;

}  // namespace racer

#endif  // RACER_SYMEXEC_BALL_BALL_H_
