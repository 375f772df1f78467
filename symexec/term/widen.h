// Conversions between floating-point formats that lose nothing.
#ifndef RACER_SYMEXEC_TERM_WIDEN_H_
#define RACER_SYMEXEC_TERM_WIDEN_H_

#include <bit>
#include <cstdint>
#include <optional>

#include "ptx_frontend/isa/fp.h"

namespace racer {

// Sign, exponent and fraction widths of a format.
struct FormatLayout {
  unsigned exponent_bits, fraction_bits;
  int bias;
  bool has_infinity;  // the top exponent means infinity or NaN
  bool has_nan;       // without infinity: the all-ones pattern is a NaN
  // Where the sign is; ue8m0 has none.
  constexpr unsigned sign_bit() const { return exponent_bits + fraction_bits; }
};
constexpr FormatLayout LayoutOf(FpFormat format) {
  switch (format) {
    case FpFormat::kF16: return {5, 10, 15, true, true};
    case FpFormat::kBF16: return {8, 7, 127, true, true};
    case FpFormat::kTF32: return {8, 23, 127, true, true};  // held in 32 bits as an f32; the low 13 bits carry no meaning
    case FpFormat::kF32: return {8, 23, 127, true, true};
    case FpFormat::kF64: return {11, 52, 1023, true, true};
    case FpFormat::kE4M3: return {4, 3, 7, false, true};
    case FpFormat::kE5M2: return {5, 2, 15, true, true};
    case FpFormat::kE2M3: return {2, 3, 1, false, false};
    case FpFormat::kE3M2: return {3, 2, 3, false, false};
    case FpFormat::kE2M1: return {2, 1, 1, false, false};
    case FpFormat::kUE8M0: return {8, 0, 127, false, true};
  }
  return {};
}

// Whether every finite value of `from` is a value of `to`. tf32 is left out: its low bits are unspecified.
constexpr bool WidensExactly(FpFormat from, FpFormat to) {
  if (from == FpFormat::kTF32 || to == FpFormat::kTF32 || from == to) return false;
  FormatLayout f = LayoutOf(from), t = LayoutOf(to);
  return t.has_infinity && t.fraction_bits >= f.fraction_bits && t.exponent_bits >= f.exponent_bits;
}

// A finite value as (-1)^negative * mantissa * 2^exponent.
struct Dyadic {
  bool negative;
  uint64_t mantissa;
  int exponent;
};
constexpr std::optional<Dyadic> Decode(FpFormat format, uint64_t bits) {
  // A power of two and nothing else.
  if (format == FpFormat::kUE8M0) {
    if ((bits & 0xff) == 0xff) return std::nullopt;
    return Dyadic{false, 1, static_cast<int>(bits & 0xff) - 127};
  }
  FormatLayout l = LayoutOf(format);
  uint64_t fraction = bits & ((uint64_t{1} << l.fraction_bits) - 1);
  uint64_t exponent = (bits >> l.fraction_bits) & ((uint64_t{1} << l.exponent_bits) - 1);
  bool negative = ((bits >> (l.fraction_bits + l.exponent_bits)) & 1) != 0;
  bool top = exponent == (uint64_t{1} << l.exponent_bits) - 1;
  if (top && (l.has_infinity || (l.has_nan && fraction == (uint64_t{1} << l.fraction_bits) - 1))) return std::nullopt;
  if (format == FpFormat::kTF32) fraction &= ~uint64_t{0x1fff};
  int base = 1 - l.bias - static_cast<int>(l.fraction_bits);
  if (exponent == 0) return Dyadic{negative, fraction, base};
  return Dyadic{negative, fraction | (uint64_t{1} << l.fraction_bits), base + static_cast<int>(exponent) - 1};
}

// The pattern in `to` of a finite `bits` of `from`; nullopt for infinities and NaNs. Needs WidensExactly(from, to).
constexpr std::optional<uint64_t> WidenConstant(FpFormat from, FpFormat to, uint64_t bits) {
  std::optional<Dyadic> d = Decode(from, bits);
  if (!d) return std::nullopt;
  FormatLayout t = LayoutOf(to);
  uint64_t sign = static_cast<uint64_t>(d->negative) << (t.fraction_bits + t.exponent_bits);
  if (d->mantissa == 0) return sign;
  uint64_t m = d->mantissa;
  int e = d->exponent;
  while ((m >> t.fraction_bits) == 0 && e > 1 - t.bias - static_cast<int>(t.fraction_bits)) {
    m <<= 1;
    --e;
  }
  uint64_t biased = (m >> t.fraction_bits) == 0 ? 0 : static_cast<uint64_t>(e + t.bias + static_cast<int>(t.fraction_bits));
  return sign | (biased << t.fraction_bits) | (m & ((uint64_t{1} << t.fraction_bits) - 1));
}

// What every device makes of a finite, non-zero `bits` of `from` that is too small or too large for attr.format: a zero, an infinity or
// the largest finite value. nullopt for what is rounded to a value near it, and for other roundings than to the nearest and to zero.
constexpr std::optional<uint64_t> ConvertOutOfRange(FpFormat from, const FpAttr& attr, uint64_t bits) {
  const FpFormat to = attr.format;
  if (IsNarrow(from) || IsNarrow(to) || to == FpFormat::kTF32 || WidensExactly(from, to)) return std::nullopt;
  if (attr.rounding != Rounding::kRn && attr.rounding != Rounding::kRz) return std::nullopt;
  const std::optional<Dyadic> value = Decode(from, bits);
  if (!value || value->mantissa == 0) return std::nullopt;
  const FormatLayout t = LayoutOf(to);
  const uint64_t sign = static_cast<uint64_t>(value->negative) << t.sign_bit();
  const int largest = (1 << t.exponent_bits) - 2 - t.bias, smallest = 1 - t.bias - static_cast<int>(t.fraction_bits);
  const int log2 = value->exponent + std::bit_width(value->mantissa) - 1;  // rounded down
  const uint64_t normalized = value->mantissa << std::countl_zero(value->mantissa);
  // Half of the smallest one is a tie, and zero is even. What .ftz takes away of a result may have been rounded up into the normal ones.
  const bool nearest = attr.rounding == Rounding::kRn;
  const int least = nearest ? smallest - 1 : smallest;
  if (log2 < least || (nearest && log2 == least && std::has_single_bit(value->mantissa))) return sign;
  const int normal = 1 - LayoutOf(FpFormat::kF32).bias;
  if (attr.ftz && ((from == FpFormat::kF32 && log2 < normal) || (to == FpFormat::kF32 && log2 < normal - 1))) return sign;
  // Half a unit above the largest one is a tie, and the even one is the infinity.
  const uint64_t infinity = sign | (((uint64_t{1} << t.exponent_bits) - 1) << t.fraction_bits);
  const uint64_t kept = normalized >> (62 - t.fraction_bits), all = (uint64_t{4} << t.fraction_bits) - 1;
  const bool past = log2 > largest || (log2 == largest && nearest && kept == all);
  if (past) return nearest ? infinity : infinity - 1;
  return std::nullopt;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_WIDEN_H_
