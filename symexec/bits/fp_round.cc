#include "symexec/bits/fp_round.h"

#include <cmath>
#include <limits>
#include <string>

#include "base/check.h"

namespace racer::bits {
namespace {

struct Parts {
  bool negative;
  uint64_t significand;
  int exponent;
};

// A finite nonzero double as an integer times a power of two.
Parts Split(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (field == 0) return {bits >> 63 != 0, fraction, -1074};
  return {bits >> 63 != 0, fraction | uint64_t{1} << 52, field - 1075};
}

bool RoundsUp(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case Rounding::kRs:  // the random bits are in already
    case Rounding::kRn: return half && (rest || odd);
    case Rounding::kRz: return false;
    case Rounding::kRm: return negative && (half || rest);
    case Rounding::kRp: return !negative && (half || rest);
    case Rounding::kRna: return half;
    case Rounding::kNone:
    case Rounding::kRni:
    case Rounding::kRzi:
    case Rounding::kRmi:
    case Rounding::kRpi: break;
  }
  RACER_UNREACHABLE(static_cast<int>(rounding));
}

// The double next to `nearest` in the direction of the remainder's sign, unless `nearest` is odd already.
double TowardOdd(double nearest, double remainder) {
  const uint64_t bits = std::bit_cast<uint64_t>(nearest);
  if (remainder == 0 || (bits & 1) != 0) return nearest;
  const bool grows = (remainder > 0) == (nearest > 0);
  return std::bit_cast<double>(grows ? bits + 1 : bits - 1);
}

// `value` rounded to the layout's precision as if its exponents had no end.
bool IsTinyAfterRounding(const Layout& layout, Rounding rounding, double value) {
  if (value == 0) return true;
  const Parts parts = Split(value);
  const int top = 63 - std::countl_zero(parts.significand) + parts.exponent;
  if (top < layout.emin - 1) return true;
  if (top > layout.emin - 1) return false;
  // In the binade below the least normal number: tiny unless it rounds up to that number.
  Layout wider = layout;
  wider.width = 64;  // room for one more exponent
  wider.emin = layout.emin - 8;
  const uint64_t rounded = RoundScaled(wider, rounding, parts.negative, parts.significand, parts.exponent, false);
  return (rounded & ~wider.sign()) < uint64_t{9} << (layout.precision - 1);
}

}  // namespace

const Layout& LayoutOf(FpFormat format) {
  switch (format) {
    case FpFormat::kF16: return kLayoutF16;
    case FpFormat::kBF16: return kLayoutBF16;
    case FpFormat::kF32: return kLayoutF32;
    case FpFormat::kF64: return kLayoutF64;
    case FpFormat::kTF32:
    case FpFormat::kE4M3:
    case FpFormat::kE5M2:
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kE2M1:
    case FpFormat::kUE8M0: break;
  }
  RACER_UNREACHABLE(static_cast<int>(format));
}

double Decode(FpFormat format, uint64_t bits) {
  if (format == FpFormat::kF64) return std::bit_cast<double>(bits);
  if (format == FpFormat::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (format == FpFormat::kBF16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  const Layout& layout = LayoutOf(format);
  const uint64_t magnitude = bits & (layout.sign() - 1);
  const bool negative = (bits & layout.sign()) != 0;
  if (magnitude > layout.infinity()) return std::numeric_limits<double>::quiet_NaN();
  double value;
  if (magnitude == layout.infinity()) {
    value = std::numeric_limits<double>::infinity();
  } else {
    const int stored = static_cast<int>(layout.precision) - 1;
    const uint64_t field = magnitude >> stored;
    const uint64_t fraction = magnitude & ((uint64_t{1} << stored) - 1);
    const uint64_t significand = field == 0 ? fraction : fraction | uint64_t{1} << stored;
    value = std::ldexp(static_cast<double>(significand), layout.emin - stored + (field == 0 ? 0 : static_cast<int>(field) - 1));
  }
  return negative ? -value : value;
}

uint64_t RoundScaled(const Layout& layout, Rounding rounding, bool negative, uint64_t significand, int exponent, bool sticky) {
  RACER_CHECK(significand != 0);
  const int shift = std::countl_zero(significand);
  significand <<= shift;
  const int top = exponent - shift + 63;  // 2^top is the leading bit
  int keep = static_cast<int>(layout.precision);
  if (top < layout.emin) keep -= layout.emin - top;
  const int drop = 64 - keep;
  uint64_t kept = 0;
  bool half = false;
  bool rest = sticky;
  if (drop > 64) {
    rest = true;
  } else {
    kept = drop == 64 ? 0 : significand >> drop;
    half = (significand >> (drop - 1) & 1) != 0;
    rest |= (significand & ((uint64_t{1} << (drop - 1)) - 1)) != 0;
  }
  if (RoundsUp(rounding, negative, (kept & 1) != 0, half, rest)) ++kept;
  // The hidden bit, and a carry out of the significand, count into the exponent field by themselves.
  uint64_t magnitude = kept;
  const int64_t field = top - layout.emin;  // biased exponent less one
  if (field > static_cast<int64_t>(layout.infinity() >> (layout.precision - 1))) {
    magnitude = layout.infinity();
  } else if (field > 0) {
    magnitude += static_cast<uint64_t>(field) << (layout.precision - 1);
  }
  if (magnitude >= layout.infinity()) {
    const bool to_largest =
        rounding == Rounding::kRz || (rounding == Rounding::kRm && !negative) || (rounding == Rounding::kRp && negative);
    magnitude = to_largest ? layout.largest() : layout.infinity();
  }
  return negative ? magnitude | layout.sign() : magnitude;
}

uint64_t RoundDouble(const Layout& layout, Rounding rounding, double value) {
  const bool negative = std::signbit(value);
  if (value == 0) return negative ? layout.sign() : 0;
  if (std::isinf(value)) return layout.infinity() | (negative ? layout.sign() : 0);
  const Parts parts = Split(value);
  return RoundScaled(layout, rounding, negative, parts.significand, parts.exponent, false);
}

uint64_t RoundDoubleFlushing(const Layout& layout, Rounding rounding, double value) {
  if (!std::isinf(value) && IsTinyAfterRounding(layout, rounding, value)) return std::signbit(value) ? layout.sign() : 0;
  return RoundDouble(layout, rounding, value);
}

double AddToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  // Knuth's TwoSum: the exact error of the addition.
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return TowardOdd(sum, (a - a_part) + (b - b_part));
}

double DivToOdd(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || quotient == 0 || std::isinf(b)) return quotient;
  const double remainder = std::fma(-quotient, b, a);
  return TowardOdd(quotient, b > 0 ? remainder : -remainder);
}

double SqrtToOdd(double a) {
  const double root = std::sqrt(a);
  if (!std::isfinite(root) || root == 0) return root;
  return TowardOdd(root, std::fma(-root, root, a));
}

}  // namespace racer::bits
