// Decides predicates over constants: what a kernel computes from no input at all.
#ifndef RACER_SYMEXEC_MACHINE_CLOSED_TERMS_H_
#define RACER_SYMEXEC_MACHINE_CLOSED_TERMS_H_

#include <cstdint>
#include <unordered_map>

#include "symexec/ball/ball.h"
#include "symexec/bits/fp_round.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"
#include "symexec/term/term_domain.h"

namespace racer {

// A closed term has no input and nothing undefined below it, only constants whose operations round. Its comparisons and its
// conversions to integers decide branches and addresses, so they become bits again where nothing depends on the rounding:
// where certified balls give the value over the reals and the value rounded step by step, as the machine computes it, is the
// same; where an approximate instruction is among the operations, where it is the same for all that the manual lets a device compute.
// Near a tie they stay terms, and a branch on them is refused by name.
class ClosedTerms {
 public:
  explicit ClosedTerms(TermStore& store)
      : store_(store), balls_(store, nowhere_), devices_(store, nowhere_, kDevicePrecision, BallEvaluator::View::kDevice) {}
  ClosedTerms(const ClosedTerms&) = delete;
  ClosedTerms& operator=(const ClosedTerms&) = delete;

  // `term` is an FpCompare or FpToInt, or what its constructor made of it: the constant that it certainly is, or itself.
  TermId Decide(TermId term);

  // Of a term without inputs, which need not be closed: where it is no continuous function of its operands (a comparison, a conversion to
  // an integer or a narrow format, a root, a quotient), whether every device is on the side on which the reals are.
  bool IsSettled(TermId term);
  // Whether a closed term without approximations is on every device a number other than 0, of the sign that it has over the reals.
  bool HasSignOfReal(TermId term);
  // Whether roundings, over the reals ignored, make another number of a closed term: off by more than 1/64 of it and by more than 1/64, or
  // a positive integer by 1. bf16(301) - bf16(300) is 0 on every device, sin(bf16(4097)) the sine of 4096, and bf16(257) is 256. Of
  // approximations counts what they are given.
  bool IsRoundedFarOff(TermId term);
  // Whether a term without inputs is a number, neither infinite nor NaN, on every device.
  bool IsNumber(TermId term) { return devices_.Evaluate(term, /*with_decimal=*/false).kind == BallEvaluator::Value::Kind::kReal; }

 private:
  // In bits; the errors that are allowed for are larger by far.
  static constexpr int kDevicePrecision = 96;

  // The pattern of a closed term, every operation rounded as written; values by the patterns that hold them.
  uint64_t Rounded(TermId term);
  uint64_t Compute(TermId term) const;
  uint64_t Known(TermId term, unsigned i) const { return rounded_.at(static_cast<uint32_t>(store_.operand(term, i))); }
  bool CertainlyFinite(TermId value);
  bool HasApproximation(TermId term);
  // With what every device computes for the outermost parts without approximations.
  TermId Folded(TermId term);

  TermStore& store_;
  const InputPoint nowhere_;
  BallEvaluator balls_, devices_;
  std::unordered_map<uint32_t, uint64_t> rounded_;  // by TermId
  std::unordered_map<uint32_t, bool> approximate_;  // by TermId
  std::unordered_map<uint32_t, TermId> folded_;     // by TermId
};

// The Term domain with closed predicates decided and constants flushed: .ftz makes zeros of subnormal numbers, and of a literal we
// know that it is one.
struct DecidingTermDomain : TermDomain {
  ClosedTerms& closed;

  Val Flushed(FpFormat format, bool ftz, Val a) {
    if (!ftz) return a;
    const unsigned width = FormatWidth(format);
    const Val low = Low(width, a);
    return store.IsConst(low) ? store.BvConst(width, bits::LayoutOf(format).Flush(store.const_bits(low))) : a;
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a) { return TermDomain::Fp(kind, attr, Flushed(attr.format, attr.ftz, a)); }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b) {
    return TermDomain::Fp(kind, attr, Flushed(attr.format, attr.ftz, a), Flushed(attr.format, attr.ftz, b));
  }
  Val Fp(FpKind kind, const FpAttr& attr, Val a, Val b, Val c) {
    return TermDomain::Fp(kind, attr, Flushed(attr.format, attr.ftz, a), Flushed(attr.format, attr.ftz, b),
                          Flushed(attr.format, attr.ftz, c));
  }
  Val FpCompare(CompareOp op, FpFormat format, bool ftz, Val a, Val b) {
    return closed.Decide(TermDomain::FpCompare(op, format, ftz, Flushed(format, ftz, a), Flushed(format, ftz, b)));
  }
  // Of .f32 operands alone (PTX ISA, "cvt"): an .f16 one is widened as it is. On the way to .f16 hardware flushes nothing
  // (symexec/bits/README.md).
  Val FpConvert(FpFormat from, const FpAttr& attr, Val a) {
    return TermDomain::FpConvert(from, attr, Flushed(from, attr.ftz && from == FpFormat::kF32 && attr.format != FpFormat::kF16, a));
  }
  Val FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, bool sat, Val a) {
    return closed.Decide(TermDomain::FpToInt(from, to, rounding, ftz, sat, Flushed(from, ftz && from == FpFormat::kF32, a)));
  }
};
static_assert(Domain<DecidingTermDomain>);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_CLOSED_TERMS_H_
