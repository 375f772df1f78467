#include "symexec/bits/rounded_literal.h"

#include <algorithm>
#include <bit>

#include "symexec/bits/fp_round.h"

namespace racer::bits {
namespace {

// .tf32 is the upper 19 bits of an .f32 pattern.
constexpr Layout kLayoutTF32 = {19, 11, -126, 0};
constexpr unsigned kBelowTF32 = 13;

// Bits from the first to the last one that is set, of a magnitude that is not zero.
unsigned Digits(const Layout& layout, uint64_t magnitude) {
  const uint64_t fraction = magnitude & (layout.least_normal() - 1);
  const uint64_t significand = magnitude < layout.least_normal() ? fraction : fraction | layout.least_normal();
  return static_cast<unsigned>(std::bit_width(significand) - std::countr_zero(significand));
}

int Exponent(const Layout& layout, uint64_t bits) {  // as stored; of zero and subnormal numbers 1
  return std::max(static_cast<int>((bits & ~layout.sign()) >> (layout.precision - 1)), 1);
}

bool LooksRounded(const Layout& layout, uint64_t bits) {
  const uint64_t magnitude = bits & (layout.sign() - 1);
  if (magnitude == 0 || magnitude >= layout.infinity()) return false;
  // Below the normal numbers few digits are left of any number: 1e-5 and 1e-6 in .f16.
  if (magnitude < layout.least_normal()) return !std::has_single_bit(magnitude);
  // A number that was rounded ends in eight zeros once in 256 times; formats of few digits leave fewer to tell by.
  const unsigned precision = layout.precision, digits = Digits(layout, magnitude);
  if (digits <= std::max(precision / 2, precision - std::min(precision, 8u))) return false;
  const int unit = Exponent(layout, magnitude) - 1 + layout.emin - static_cast<int>(precision) + 1;
  const int last = unit + std::countr_zero(magnitude | layout.least_normal());
  if (last >= 0 && static_cast<int>(digits) + last <= static_cast<int>(precision)) return false;  // an integer
  // Next to a half or a one, or the largest there is: a number that was chosen, not met by rounding.
  for (const uint64_t beside : {magnitude - 2, magnitude - 1, magnitude + 1, magnitude + 2}) {
    if (beside != 0 && beside <= layout.infinity() && Digits(layout, beside) <= precision / 4) return false;
  }
  return true;
}

}  // namespace

bool LooksRounded(FpFormat format, uint64_t bits) {
  if (IsNarrow(format)) return false;
  if (format != FpFormat::kTF32) return LooksRounded(LayoutOf(format), bits);
  const uint64_t below = (uint64_t{1} << kBelowTF32) - 1;
  return (bits & below) == 0 && LooksRounded(kLayoutTF32, bits >> kBelowTF32);
}

bool MagnifiesRounding(FpKind kind, FpFormat format, uint64_t a, uint64_t b, uint64_t c, uint64_t result) {
  const Layout& layout = LayoutOf(format);
  const auto magnitude = [&](uint64_t bits) { return bits & (layout.sign() - 1); };
  const auto rounded = [&](uint64_t bits) { return !layout.IsSubnormalOrZero(bits) && LooksRounded(layout, bits); };
  // Zero: of equal operands, which stand for one number.
  if (magnitude(result) == 0 || magnitude(result) >= layout.infinity()) return false;
  const int exponent = Exponent(layout, result);
  if (kind != FpKind::kFma) return (exponent < Exponent(layout, a) && rounded(a)) || (exponent < Exponent(layout, b) && rounded(b));
  if (magnitude(a) == 0 || magnitude(b) == 0) return false;
  const int product = Exponent(layout, a) + Exponent(layout, b) + layout.emin - 1;
  return exponent < std::max(product, Exponent(layout, c)) && (rounded(a) || rounded(b) || rounded(c));
}

}  // namespace racer::bits
