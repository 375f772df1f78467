#include "symexec/bits/fp_exact.h"

#include <cmath>

#include "base/check.h"
#include "symexec/bits/fp_arith.h"
#include "symexec/bits/fp_narrow.h"
#include "symexec/bits/fp_round.h"

namespace racer::bits {
namespace {

// a + b == sum with nothing lost: Knuth's TwoSum has no error term. No step may overflow.
bool IsSum(double a, double b, double sum) {
  const double s = a + b;
  if (!std::isfinite(s) || s != sum) return false;
  const double b_part = s - a;
  const double a_part = s - b_part;
  const double error = (a - a_part) + (b - b_part);
  return error == 0;
}

// a * b == product. The residual of a product below 2^-960 may itself be lost.
bool IsProduct(double a, double b, double product) {
  if (a == 0 || b == 0) return product == 0;
  if (!std::isfinite(product) || std::fabs(product) < 0x1p-960) return false;
  return std::fma(a, b, -product) == 0;
}

bool IsFusedSum(double a, double b, double c, double result) {
  const double product = a * b;
  return IsProduct(a, b, product) && IsSum(product, c, result);
}

bool IsPowerOfTwo(double value) {
  int exponent;
  return value > 0 && std::frexp(value, &exponent) == 0.5;
}

// 2^power == value for an integral power.
bool IsPower(double power, double value) {
  return power == std::trunc(power) && std::fabs(power) <= 1100 && IsPowerOfTwo(value) && std::ilogb(value) == static_cast<int>(power);
}

uint64_t MagnitudeOf(const Layout& layout, uint64_t bits) { return bits & (layout.sign() - 1); }
bool IsFinite(const Layout& layout, uint64_t bits) { return MagnitudeOf(layout, bits) < layout.infinity(); }

unsigned OperandCount(FpKind kind) {
  switch (kind) {
    case FpKind::kFma: return 3;
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kDiv:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kPow:
    case FpKind::kCopySign: return 2;
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kRcp:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kRoundInt: return 1;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

// Finite operands and result. Operands of at most 24 bits have exact products in double.
bool IsReal(FpKind kind, double a, double b, double c, double result) {
  switch (kind) {
    case FpKind::kAdd: return IsSum(a, b, result);
    case FpKind::kSub: return IsSum(a, -b, result);
    case FpKind::kMul: return IsProduct(a, b, result);
    case FpKind::kFma: return IsFusedSum(a, b, c, result);
    case FpKind::kDiv: return IsProduct(result, b, a) && b != 0;
    // A dyadic number's reciprocal is dyadic only if it is a power of two.
    case FpKind::kRcp: return IsPowerOfTwo(std::fabs(a)) && result * a == 1;
    case FpKind::kSqrt: return IsProduct(result, result, a);
    case FpKind::kRsqrt: return IsPowerOfTwo(a) && IsPowerOfTwo(result) && std::ilogb(a) == -2 * std::ilogb(result);
    case FpKind::kEx2: return IsPower(a, result);
    case FpKind::kLg2: return IsPower(result, a);
    case FpKind::kSin:
    case FpKind::kErf:
    case FpKind::kTanh: return a == 0 && result == 0;
    case FpKind::kExp:
    case FpKind::kCos: return a == 0 && result == 1;
    case FpKind::kLog: return a == 1 && result == 0;
    case FpKind::kPow: return a == 1 && result == 1;
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRoundInt: break;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

FpAttr Unclamped(const FpAttr& attr) {
  FpAttr plain = attr;
  plain.sat = plain.relu = plain.satfinite = false;
  return plain;
}

}  // namespace

bool IsExact(FpKind kind, const FpAttr& attr, uint64_t a, uint64_t b, uint64_t c, uint64_t result) {
  const Layout& layout = LayoutOf(attr.format);
  const unsigned operands = OperandCount(kind);
  if (attr.ftz) {
    a = layout.Flush(a);
    b = layout.Flush(b);
    c = layout.Flush(c);
  }
  if (!IsFinite(layout, a) || (operands > 1 && !IsFinite(layout, b)) || (operands > 2 && !IsFinite(layout, c))) return true;
  if (!IsFinite(layout, result)) return true;
  if (attr.sat || attr.relu) {
    const FpAttr plain = Unclamped(attr);
    const uint64_t before = Arithmetic(kind, plain, a, b, c);
    // What overflows is clamped to 1, or passes: either way no real was rounded to a finite value.
    return IsExact(kind, plain, a, b, c, before);
  }
  // What the manual gives as a number, for zeros and divisors past 2^126; else any value within the error will do.
  if ((attr.approx || attr.full) && kind != FpKind::kFma) {
    const bool of_zero = (a & ~layout.sign()) == 0;
    const bool beyond = kind == FpKind::kDiv && attr.approx && std::abs(Decode(attr.format, b)) > 0x1p126;
    return of_zero || beyond;
  }
  if (NeverRounds(kind)) {
    if (!attr.ftz) return true;
    FpAttr unflushed = attr;
    unflushed.ftz = false;
    return Arithmetic(kind, unflushed, a, b, c) == result;
  }
  return IsReal(kind, Decode(attr.format, a), operands > 1 ? Decode(attr.format, b) : 0, operands > 2 ? Decode(attr.format, c) : 0,
                Decode(attr.format, result));
}

bool ConvertsExactly(FpFormat from, const FpAttr& attr, uint64_t a, uint64_t result) {
  // To a narrow format: a function of its own, which this is the value of.
  if (IsNarrow(attr.format)) return true;
  // What was rounded before the random bits were added is not known here.
  if (attr.rounding == Rounding::kRs) return false;
  if (IsAlternate(from) || IsAlternate(attr.format)) {
    const auto value = [](FpFormat f, uint64_t bits) { return IsAlternate(f) ? DecodeAlternate(f, bits) : Decode(f, bits); };
    const uint64_t before = Convert(from, Unclamped(attr), a);
    const double exact = value(from, a), rounded = value(attr.format, before);
    return !std::isfinite(exact) || (attr.satfinite ? exact == rounded : !std::isfinite(rounded) || exact == rounded);
  }
  if (!IsFinite(LayoutOf(from), a) || !IsFinite(LayoutOf(attr.format), result)) return true;
  const uint64_t before = attr.sat || attr.relu ? Convert(from, Unclamped(attr), a) : result;
  if (attr.satfinite && !IsFinite(LayoutOf(attr.format), Convert(from, Unclamped(attr), a))) return false;
  if (!IsFinite(LayoutOf(attr.format), before)) return true;
  return Decode(from, a) == Decode(attr.format, before);
}

bool FromIntegerExactly(ScalarType from, const FpAttr& attr, uint64_t a, uint64_t result) {
  const Layout& layout = LayoutOf(attr.format);
  const uint64_t before = attr.sat || attr.relu ? FromInteger(from, Unclamped(attr), a) : result;
  if (!IsFinite(layout, result) || !IsFinite(layout, before)) return true;
  const unsigned width = BitWidth(from);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const bool negative = IsSigned(from) && (a >> (width - 1) & 1) != 0;
  const uint64_t magnitude = negative ? (~a + 1) & mask : a & mask;
  const double value = std::fabs(Decode(attr.format, before));
  return value < 0x1p64 && static_cast<double>(static_cast<uint64_t>(value)) == value && static_cast<uint64_t>(value) == magnitude;
}

}  // namespace racer::bits
