#include "symexec/ball/real_ops.h"

#include <arb_hypgeom.h>

#include <algorithm>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

using Kind = RealValue::Kind;

// -1, +1, or 0 where the sign bit is not certain. A real zero has a sign bit only if its pattern is known.
int SignBit(FpFormat format, const RealValue& value) {
  if (value.bits_known) return (value.bits >> (FormatWidth(format) - 1) & 1) != 0 ? -1 : 1;
  if (value.kind == Kind::kInfinite) return value.negative ? -1 : 1;
  return arb_sgn_nonzero(value.ball);
}

bool IsExactZero(const RealValue& value) { return value.kind == Kind::kReal && arb_is_zero(value.ball); }

void SetFrom(const RealValue& source, RealValue* out) {
  if (out != &source) *out = source;
  out->bits_known = false;
}

// a / b for kReal operands.
void Divide(const RealValue& a, const RealValue& b, slong precision, RealValue* out) {
  if (arb_is_zero(b.ball)) return out->SetUndefined();
  if (arb_contains_zero(b.ball)) return out->SetUnknown();
  arb_div(out->ball, a.ball, b.ball, precision);
  out->SetReal();
}

void SetSmall(int value, RealValue* out) {
  arb_set_si(out->ball, value);
  out->SetReal();
}

void Exp2(const RealValue& a, slong precision, RealValue* out) {
  // Powers of two are exact; the limit keeps the exponent a machine word.
  if (arb_is_int(a.ball) && arf_cmpabs_2exp_si(arb_midref(a.ball), 40) < 0) {
    const slong exponent = arf_get_si(arb_midref(a.ball), ARF_RND_DOWN);
    arb_one(out->ball);
    arb_mul_2exp_si(out->ball, out->ball, exponent);
    return out->SetReal();
  }
  // Beyond 2^40 the result no longer fits any format; refuse it rather than compute with giant exponents.
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, a.ball);
  const bool large = mag_cmp_2exp_si(bound, 40) > 0;
  mag_clear(bound);
  if (large) return out->SetUnknown();
  arb_t log2;
  arb_init(log2);
  arb_const_log2(log2, precision + 40);
  arb_mul(log2, log2, a.ball, precision + 40);
  arb_exp(out->ball, log2, precision);
  arb_clear(log2);
  out->SetReal();
}

// min/max of kReal or kInfinite operands, no xorsign.
void MinMax(bool is_max, const RealValue& a, const RealValue& b, slong precision, RealValue* out) {
  if (a.kind == Kind::kInfinite) return SetFrom(a.negative == is_max ? b : a, out);
  if (b.kind == Kind::kInfinite) return SetFrom(b.negative == is_max ? a : b, out);
  if (is_max)
    arb_max(out->ball, a.ball, b.ball, precision);
  else
    arb_min(out->ball, a.ball, b.ball, precision);
  out->SetReal();
}

void Absolute(const RealValue& a, RealValue* out) {
  if (a.kind == Kind::kInfinite) return out->SetInfinite(false);
  arb_abs(out->ball, a.ball);
  out->SetReal();
}

void Negate(const RealValue& a, RealValue* out) {
  if (a.kind == Kind::kInfinite) return out->SetInfinite(!a.negative);
  arb_neg(out->ball, a.ball);
  out->SetReal();
}

// `magnitude` >= 0 with the sign bit `sign` (0: not certain, harmless only for zero).
void WithSign(int sign, const RealValue& magnitude, RealValue* out) {
  if (IsExactZero(magnitude) || sign > 0) return SetFrom(magnitude, out);
  if (sign == 0) return out->SetUnknown();
  Negate(magnitude, out);
}

void MinMaxXorSign(bool is_max, FpFormat format, const RealValue& a, const RealValue& b, slong precision, RealValue* out) {
  RealValue magnitude_a, magnitude_b, magnitude;
  Absolute(a, &magnitude_a);
  Absolute(b, &magnitude_b);
  MinMax(is_max, magnitude_a, magnitude_b, precision, &magnitude);
  WithSign(SignBit(format, a) * SignBit(format, b), magnitude, out);
}

// a + b, or a - b, with at least one infinite operand.
void AddInfinite(const RealValue& a, const RealValue& b, bool subtract, RealValue* out) {
  const bool b_negative = b.negative != subtract;
  if (a.kind == Kind::kInfinite && b.kind == Kind::kInfinite && a.negative != b_negative) return out->SetUndefined();
  out->SetInfinite(a.kind == Kind::kInfinite ? a.negative : b_negative);
}

void MultiplyInfinite(const RealValue& a, const RealValue& b, RealValue* out) {
  if (IsExactZero(a) || IsExactZero(b)) return out->SetUndefined();
  const int sign_a = a.kind == Kind::kInfinite ? (a.negative ? -1 : 1) : arb_sgn_nonzero(a.ball);
  const int sign_b = b.kind == Kind::kInfinite ? (b.negative ? -1 : 1) : arb_sgn_nonzero(b.ball);
  if (sign_a * sign_b == 0) return out->SetUnknown();
  out->SetInfinite(sign_a != sign_b);
}

// At least one operand is infinite: the limits that hold whatever the finite operands are.
void ApplyInfinite(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, slong precision, RealValue* out) {
  switch (kind) {
    case FpKind::kAdd: return AddInfinite(a, b, false, out);
    case FpKind::kSub: return AddInfinite(a, b, true, out);
    case FpKind::kMul: return MultiplyInfinite(a, b, out);
    case FpKind::kNeg: return Negate(a, out);
    case FpKind::kAbs: return Absolute(a, out);
    case FpKind::kMin:
    case FpKind::kMax:
      return attr.xorsign ? MinMaxXorSign(kind == FpKind::kMax, attr.format, a, b, precision, out)
                          : MinMax(kind == FpKind::kMax, a, b, precision, out);
    case FpKind::kEx2:
    case FpKind::kExp: return a.negative ? SetSmall(0, out) : out->SetInfinite(false);
    case FpKind::kRcp: return SetSmall(0, out);
    case FpKind::kDiv:
      if (a.kind == Kind::kInfinite && b.kind == Kind::kInfinite) return out->SetUndefined();
      if (b.kind == Kind::kInfinite) return SetSmall(0, out);
      return out->SetUnknown();
    case FpKind::kFma:
    case FpKind::kCopySign:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow:
    case FpKind::kRoundInt: return out->SetUnknown();
  }
  RACER_UNREACHABLE(kind);
}

void Sqrt(const RealValue& a, slong precision, RealValue* out) {
  if (arb_is_negative(a.ball)) return out->SetUndefined();
  if (!arb_is_nonnegative(a.ball)) return out->SetUnknown();
  arb_sqrt(out->ball, a.ball, precision);
  out->SetReal();
}

// x^y is a real number for x > 0, and for x < 0 where y is an integer. What it is at x = 0 is left open.
void Power(const RealValue& x, const RealValue& y, slong precision, RealValue* out) {
  const bool negative = arb_is_negative(x.ball) != 0;
  if (!negative && !arb_is_positive(x.ball)) return out->SetUnknown();
  if (negative && !arb_is_int(y.ball)) return arb_contains_int(y.ball) ? out->SetUnknown() : out->SetUndefined();
  arb_pow(out->ball, x.ball, y.ball, precision);
  out->SetReal();
}

void ApplyReal(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, const RealValue& c, slong precision,
               RealValue* out) {
  switch (kind) {
    case FpKind::kAdd: arb_add(out->ball, a.ball, b.ball, precision); return out->SetReal();
    case FpKind::kSub: arb_sub(out->ball, a.ball, b.ball, precision); return out->SetReal();
    case FpKind::kMul: arb_mul(out->ball, a.ball, b.ball, precision); return out->SetReal();
    case FpKind::kFma: arb_fma(out->ball, a.ball, b.ball, c.ball, precision); return out->SetReal();
    case FpKind::kDiv: return Divide(a, b, precision, out);
    case FpKind::kNeg: return Negate(a, out);
    case FpKind::kAbs: return Absolute(a, out);
    case FpKind::kMin:
    case FpKind::kMax:
      return attr.xorsign ? MinMaxXorSign(kind == FpKind::kMax, attr.format, a, b, precision, out)
                          : MinMax(kind == FpKind::kMax, a, b, precision, out);
    case FpKind::kCopySign: {
      RealValue magnitude;
      Absolute(b, &magnitude);
      return WithSign(SignBit(attr.format, a), magnitude, out);
    }
    case FpKind::kRcp: {
      RealValue one;
      SetSmall(1, &one);
      return Divide(one, a, precision, out);
    }
    case FpKind::kSqrt: return Sqrt(a, precision, out);
    case FpKind::kRsqrt:
      if (arb_is_nonpositive(a.ball)) return out->SetUndefined();
      if (!arb_is_positive(a.ball)) return out->SetUnknown();
      arb_rsqrt(out->ball, a.ball, precision);
      return out->SetReal();
    case FpKind::kEx2: return Exp2(a, precision, out);
    case FpKind::kLg2:
      if (arb_is_nonpositive(a.ball)) return out->SetUndefined();
      if (!arb_is_positive(a.ball)) return out->SetUnknown();
      arb_log_base_ui(out->ball, a.ball, 2, precision);
      return out->SetReal();
    case FpKind::kSin: arb_sin(out->ball, a.ball, precision); return out->SetReal();
    case FpKind::kCos: arb_cos(out->ball, a.ball, precision); return out->SetReal();
    case FpKind::kTanh: arb_tanh(out->ball, a.ball, precision); return out->SetReal();
    case FpKind::kExp: arb_exp(out->ball, a.ball, precision); return out->SetReal();
    case FpKind::kLog:
      if (arb_is_nonpositive(a.ball)) return out->SetUndefined();
      if (!arb_is_positive(a.ball)) return out->SetUnknown();
      arb_log(out->ball, a.ball, precision);
      return out->SetReal();
    case FpKind::kErf: arb_hypgeom_erf(out->ball, a.ball, precision); return out->SetReal();
    case FpKind::kPow: return Power(a, b, precision, out);
    case FpKind::kRoundInt: {
      arf_t integer;
      arf_init(integer);
      if (RoundToInteger(attr.rounding, a, precision, integer)) {
        arb_set_arf(out->ball, integer);
        out->SetReal();
      } else {
        out->SetUnknown();
      }
      arf_clear(integer);
      return;
    }
  }
  RACER_UNREACHABLE(kind);
}

// Rounds a number of moderate size exactly; x and integer are two objects.
void RoundArf(Rounding rounding, const arf_t x, arf_t integer) {
  switch (rounding) {
    case Rounding::kRmi: return arf_floor(integer, x);
    case Rounding::kRpi: return arf_ceil(integer, x);
    case Rounding::kRzi: return arf_sgn(x) < 0 ? arf_ceil(integer, x) : arf_floor(integer, x);
    case Rounding::kRni: {
      if (arf_is_int(x)) return arf_set(integer, x);
      // Nearest, ties to even: floor(x) or floor(x) + 1, by comparing with the middle.
      arf_t middle;
      arf_init(middle);
      arf_floor(integer, x);
      arf_set_si_2exp_si(middle, 1, -1);
      arf_add(middle, middle, integer, ARF_PREC_EXACT, ARF_RND_DOWN);
      const int order = arf_cmp(x, middle);
      const bool even = arf_is_int_2exp_si(integer, 1) != 0;
      if (order > 0 || (order == 0 && !even)) arf_add_si(integer, integer, 1, ARF_PREC_EXACT, ARF_RND_DOWN);
      arf_clear(middle);
      return;
    }
    case Rounding::kNone:
    case Rounding::kRn:
    case Rounding::kRz:
    case Rounding::kRm:
    case Rounding::kRp:
    case Rounding::kRna:
    case Rounding::kRs: break;
  }
  RACER_UNREACHABLE(rounding);
}

// Whether a < b; infinite operands are exact.
std::optional<bool> Less(const RealValue& a, const RealValue& b) {
  if (a.kind == Kind::kInfinite && b.kind == Kind::kInfinite) return a.negative && !b.negative;
  if (a.kind == Kind::kInfinite) return a.negative;
  if (b.kind == Kind::kInfinite) return !b.negative;
  if (arb_lt(a.ball, b.ball)) return true;
  if (arb_ge(a.ball, b.ball)) return false;
  return std::nullopt;
}

std::optional<bool> Equal(const RealValue& a, const RealValue& b) {
  if (a.kind == Kind::kInfinite || b.kind == Kind::kInfinite) return a.kind == b.kind && a.negative == b.negative;
  if (arb_eq(a.ball, b.ball)) return true;
  if (arb_ne(a.ball, b.ball)) return false;
  return std::nullopt;
}

std::optional<bool> Not(std::optional<bool> value) { return value ? std::optional<bool>(!*value) : std::nullopt; }

}  // namespace

void RealFromBits(FpFormat format, uint64_t bits, RealValue* out) {
  const DecodedFp decoded = DecodeFp(format, bits);
  switch (decoded.kind) {
    case DecodedFp::Kind::kFinite:
      arf_set_ui_2exp_si(arb_midref(out->ball), decoded.mantissa, decoded.exponent);
      mag_zero(arb_radref(out->ball));
      if (decoded.negative) arb_neg(out->ball, out->ball);
      out->SetReal();
      break;
    case DecodedFp::Kind::kInfinite: out->SetInfinite(decoded.negative); break;
    case DecodedFp::Kind::kNan:
    case DecodedFp::Kind::kUnspecified: out->SetUnknown(); break;
  }
  out->bits_known = true;
  out->bits = bits;
  out->exact = out->kind == Kind::kReal;
}

bool HeldExactly(FpFormat format, const RealValue& value) {
  if (value.kind != Kind::kReal || !arb_is_exact(value.ball)) return false;
  if (arb_is_zero(value.ball)) return true;
  slong largest = 0;  // exponent
  switch (format) {
    case FpFormat::kF16: largest = 15; break;
    case FpFormat::kBF16:
    case FpFormat::kF32: largest = 127; break;
    case FpFormat::kF64: largest = 1023; break;
    case FpFormat::kTF32:
    case FpFormat::kE4M3:
    case FpFormat::kE5M2:
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kE2M1:
    case FpFormat::kUE8M0: return false;
  }
  const arf_struct* const number = arb_midref(value.ball);
  return arf_bits(number) <= static_cast<slong>(PrecisionBits(format)) && arf_cmpabs_2exp_si(number, 1 - largest) >= 0 &&
         arf_cmpabs_2exp_si(number, largest + 1) < 0;
}

std::optional<uint64_t> CertainPattern(FpFormat format, const RealValue& value) {
  if (value.bits_known) return value.bits;
  if (!value.exact || value.kind != Kind::kReal || arb_is_zero(value.ball)) return std::nullopt;
  Rational number;
  arf_get_fmpq(number.raw(), arb_midref(value.ball));
  return EncodeExact(format, number);
}

bool RoundToInteger(Rounding rounding, const RealValue& a, slong precision, arf_t integer) {
  if (!RoundsToInteger(rounding)) return false;
  arf_t low, high, other;
  arf_init(low);
  arf_init(high);
  arf_init(other);
  arb_get_lbound_arf(low, a.ball, precision);
  arb_get_ubound_arf(high, a.ball, precision);
  // Rounding is monotone: equal at both ends means equal everywhere between them.
  bool certain = arf_cmpabs_2exp_si(low, 4096) < 0 && arf_cmpabs_2exp_si(high, 4096) < 0;
  if (certain) {
    RoundArf(rounding, low, integer);
    RoundArf(rounding, high, other);
    certain = arf_equal(integer, other) != 0;
  }
  arf_clear(low);
  arf_clear(high);
  arf_clear(other);
  return certain;
}

void Clamp(const FpAttr& attr, slong precision, RealValue* value) {
  if (!attr.sat && !attr.relu) return;
  if (value->kind != Kind::kReal && value->kind != Kind::kInfinite) return;
  value->bits_known = false;
  RealValue bound;
  SetSmall(0, &bound);
  MinMax(true, RealValue(*value), bound, precision, value);
  if (!attr.sat) return;
  SetSmall(1, &bound);
  MinMax(false, RealValue(*value), bound, precision, value);
}

void ApplyFp(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, const RealValue& c, slong precision, RealValue* out) {
  const bool binary = kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul || kind == FpKind::kDiv ||
                      kind == FpKind::kMin || kind == FpKind::kMax || kind == FpKind::kCopySign || kind == FpKind::kFma;
  const RealValue* operands[] = {&a, binary ? &b : &a, kind == FpKind::kFma ? &c : &a};
  out->bits_known = false;
  out->exact = false;
  bool infinite = false, unknown = false;
  for (const RealValue* operand : operands) {
    if (operand->kind == Kind::kUndefined) return out->SetUndefined();
    if (operand->kind == Kind::kInfinite) infinite = true;
    if (operand->kind != Kind::kReal && operand->kind != Kind::kInfinite) unknown = true;
  }
  if (unknown) return out->SetUnknown();
  if (infinite)
    ApplyInfinite(kind, attr, a, b, precision, out);
  else
    ApplyReal(kind, attr, a, b, c, precision, out);
  // Only moves the pattern, NaN aside.
  const bool known = a.bits_known && !attr.ftz && !attr.sat && !attr.relu;
  if (known && (kind == FpKind::kNeg || kind == FpKind::kAbs)) {
    const uint64_t sign = uint64_t{1} << (FormatWidth(attr.format) - 1);
    out->bits_known = true;
    out->bits = kind == FpKind::kNeg ? a.bits ^ sign : a.bits & ~sign;
  }
  const bool correctly_rounded = kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul || kind == FpKind::kFma ||
                                 kind == FpKind::kNeg || kind == FpKind::kAbs || kind == FpKind::kRoundInt ||
                                 ((kind == FpKind::kMin || kind == FpKind::kMax) && !attr.xorsign);
  const bool operands_exact = operands[0]->exact && operands[1]->exact && operands[2]->exact;
  Clamp(attr, precision, out);
  out->exact = correctly_rounded && operands_exact && !attr.approx && !attr.ftz && HeldExactly(attr.format, *out);
}

namespace {

// One end of an enclosure as a rational of moderate size: narrow formats do not tell beyond 2^200 or below 2^-200.
Rational End(arf_t bound) {
  constexpr slong kFar = 200;
  if (!arf_is_zero(bound)) {
    const int sign = arf_sgn(bound);
    if (arf_cmpabs_2exp_si(bound, kFar) > 0) return Rational::Dyadic(sign, kFar);
    if (arf_cmpabs_2exp_si(bound, -kFar) < 0) return Rational::Dyadic(sign, -kFar);
  }
  Rational end;
  arf_get_fmpq(end.raw(), bound);
  return end;
}

// A conversion to a narrow format is a step function: certain where both ends of the enclosure lie on one step.
void QuantiseReal(const FpAttr& attr, const RealValue& a, slong precision, RealValue* out) {
  if (a.kind != Kind::kReal) {
    if (a.kind == Kind::kUndefined) return out->SetUndefined();
    return out->SetUnknown();
  }
  arb_t operand;
  arf_t low, high;
  arb_init(operand);
  arf_init(low);
  arf_init(high);
  if (attr.format == FpFormat::kUE8M0)
    arb_abs(operand, a.ball);
  else
    arb_set(operand, a.ball);
  arb_get_interval_arf(low, high, operand, precision);
  const std::optional<Rational> from = Quantise(attr.format, attr.rounding, attr.satfinite, End(low));
  const std::optional<Rational> to = Quantise(attr.format, attr.rounding, attr.satfinite, End(high));
  arb_clear(operand);
  arf_clear(low);
  arf_clear(high);
  if (!from || !to || *from != *to) return out->SetUnknown();
  // Of an operand that a machine holds exactly its conversion, too.
  const bool exact = a.exact && !attr.ftz;
  arb_set_fmpq(out->ball, from->raw(), precision);
  out->bits_known = false;
  out->SetReal();
  Clamp(attr, precision, out);
  out->exact = exact && out->kind == Kind::kReal;
}

// What random bits rounded to this value is less than one step of the format away from it.
void WidenByAStep(FpFormat format, slong precision, arb_t value) {
  const slong digits = PrecisionBits(format);
  const slong least = 1 - LayoutOf(format).bias;  // exponent of the least normal number
  arf_t bound;
  arf_init(bound);
  arb_get_abs_ubound_arf(bound, value, precision);
  const slong end = arf_is_zero(bound) ? least + 1 : std::max(arf_abs_bound_lt_2exp_si(bound), least + 1);  // |value| < 2^end
  arf_clear(bound);
  arb_add_error_2exp_si(value, end - digits);
}

}  // namespace

void ConvertFp(const FpAttr& attr, const RealValue& a, slong precision, RealValue* out) {
  if (RoundsToInteger(attr.rounding)) return ApplyFp(FpKind::kRoundInt, attr, a, a, a, precision, out);
  if (IsNarrow(attr.format)) return QuantiseReal(attr, a, precision, out);
  // Over the reals .satfinite is nothing but that of an infinity.
  if (attr.satfinite && a.kind == Kind::kInfinite) return out->SetUnknown();
  const bool exact = a.exact && !attr.ftz;
  SetFrom(a, out);
  if (attr.rounding == Rounding::kRs && out->kind == Kind::kReal) WidenByAStep(attr.format, precision, out->ball);
  Clamp(attr, precision, out);
  out->exact = exact && HeldExactly(attr.format, *out);
}

std::optional<bool> CompareReal(CompareOp op, const RealValue& a, const RealValue& b) {
  switch (op) {
    case CompareOp::kEq:
    case CompareOp::kEqu: return Equal(a, b);
    case CompareOp::kNe:
    case CompareOp::kNeu: return Not(Equal(a, b));
    case CompareOp::kLt:
    case CompareOp::kLtu: return Less(a, b);
    case CompareOp::kLe:
    case CompareOp::kLeu: return Not(Less(b, a));
    case CompareOp::kGt:
    case CompareOp::kGtu: return Less(b, a);
    case CompareOp::kGe:
    case CompareOp::kGeu: return Not(Less(a, b));
    // No NaN among the reals.
    case CompareOp::kNum: return true;
    case CompareOp::kNan: return false;
    case CompareOp::kNone:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs: break;
  }
  RACER_UNREACHABLE(op);
}

}  // namespace racer
