#include "symexec/bits/matrix_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/check.h"
#include "symexec/bits/fp_arith.h"
#include "symexec/bits/fp_round.h"

namespace racer::bits {
namespace {

using Kind = MatrixNumber::Kind;

struct ElementLayout {
  unsigned exponent_bits, fraction_bits;
  int bias;
  enum class Top : uint8_t { kIeee, kNanOnly, kFinite } top;  // what the largest exponent means
};
ElementLayout LayoutOf(MatrixElement element) {
  using Top = ElementLayout::Top;
  switch (element) {
    case MatrixElement::kF16: return {5, 10, 15, Top::kIeee};
    case MatrixElement::kBF16: return {8, 7, 127, Top::kIeee};
    case MatrixElement::kTF32:
    case MatrixElement::kF32: return {8, 23, 127, Top::kIeee};
    case MatrixElement::kE4M3:
    case MatrixElement::kUE4M3: return {4, 3, 7, Top::kNanOnly};
    case MatrixElement::kE5M2: return {5, 2, 15, Top::kIeee};
    case MatrixElement::kE3M2: return {3, 2, 3, Top::kFinite};
    case MatrixElement::kE2M3: return {2, 3, 1, Top::kFinite};
    case MatrixElement::kE2M1: return {2, 1, 1, Top::kFinite};
    case MatrixElement::kF64: return {11, 52, 1023, Top::kIeee};
    case MatrixElement::kNone:
    case MatrixElement::kUE8M0:
    case MatrixElement::kS32:
    case MatrixElement::kS8:
    case MatrixElement::kU8:
    case MatrixElement::kS4:
    case MatrixElement::kU4:
    case MatrixElement::kB1: break;
  }
  RACER_UNREACHABLE(static_cast<int>(element));
}

// Bits kept below the largest exponent of a step.
constexpr int kWidth = 25;

// The sum of one step, cut to kWidth bits. A zero is negative only if every term is.
MatrixNumber SumStep(std::span<const MatrixNumber> products, const MatrixNumber& c) {
  bool infinite[2] = {}, all_negative = c.negative;
  int top = 0;
  bool any = false;
  const auto look = [&](const MatrixNumber& x) {
    all_negative &= x.negative;
    if (x.kind == Kind::kInfinite) infinite[x.negative] = true;
    if (x.kind != Kind::kFinite || x.significand == 0) return;
    top = any ? std::max(top, x.top) : x.top;
    any = true;
  };
  bool nan = c.kind == Kind::kNan;
  look(c);
  for (const MatrixNumber& x : products) {
    nan |= x.kind == Kind::kNan;
    look(x);
  }
  MatrixNumber sum;
  if (nan || (infinite[0] && infinite[1])) {
    sum.kind = Kind::kNan;
    return sum;
  }
  if (infinite[0] || infinite[1]) {
    sum.kind = Kind::kInfinite;
    sum.negative = infinite[1];
    return sum;
  }
  sum.negative = all_negative;
  if (!any) return sum;
  const int unit = top - kWidth;
  int64_t total = 0;
  const auto add = [&](const MatrixNumber& x) {
    if (x.significand == 0) return;
    const int shift = x.exponent - unit;
    // At most 2^27 a term: the product of two significands below 2.
    const uint64_t cut = shift >= 0 ? x.significand << shift : shift > -64 ? x.significand >> -shift : 0;
    total += x.negative ? -static_cast<int64_t>(cut) : static_cast<int64_t>(cut);
  };
  add(c);
  for (const MatrixNumber& x : products) add(x);
  sum.negative = total < 0 || (total == 0 && all_negative);
  sum.significand = static_cast<uint64_t>(total < 0 ? -total : total);
  sum.exponent = unit;
  return sum;
}

uint64_t Pattern(const Layout& layout, Rounding rounding, const MatrixNumber& x) {
  const uint64_t sign = x.negative ? layout.sign() : 0;
  if (x.kind == Kind::kNan) return layout.nan;
  if (x.kind == Kind::kInfinite) return sign | layout.infinity();
  if (x.significand == 0) return sign;
  // What is too large is infinite even where it is cut.
  if (static_cast<int>(std::bit_width(x.significand)) - 1 + x.exponent > 1 - layout.emin) return sign | layout.infinity();
  return RoundScaled(layout, rounding, x.negative, x.significand, x.exponent, false);
}

bool IsByte(MatrixElement element) { return element == MatrixElement::kE4M3 || element == MatrixElement::kE5M2; }

// m8n8k4 in .f16 is no tensor core's since sm_80: ordinary .f32 arithmetic, whose products are exact.
uint64_t SumQuadPair(const MatrixForm& form, std::span<const MatrixNumber> products, uint64_t c) {
  FpAttr attr;
  attr.format = FpFormat::kF32;
  const auto plus = [&](uint64_t x, uint64_t y) { return Arithmetic(FpKind::kAdd, attr, x, y, 0); };
  const auto product = [&](size_t i) { return Pattern(kLayoutF32, Rounding::kRn, products[i]); };
  const uint64_t start = Pattern(kLayoutF32, Rounding::kRn, DecodeElement(form, form.c, c));
  if (form.d == MatrixElement::kF16) {
    const uint64_t sum = plus(plus(start, plus(product(0), product(1))), plus(product(2), product(3)));
    FpAttr narrow;
    narrow.format = FpFormat::kF16;
    return Convert(FpFormat::kF32, narrow, sum);
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < products.size(); ++i) sum = plus(sum, product(i));
  return plus(start, sum);
}

}  // namespace

MatrixNumber DecodeElement(const MatrixForm& form, MatrixElement element, uint64_t bits) {
  MatrixNumber x;
  if (element == MatrixElement::kUE8M0) {
    bits &= 0xff;
    if (bits == 0xff) x.kind = Kind::kNan;
    x.significand = 1;
    x.exponent = x.top = static_cast<int>(bits) - 127;
    return x;
  }
  if (element == MatrixElement::kE2M1 && form.in_bytes) bits >>= 2;
  const ElementLayout l = LayoutOf(element);
  if (element == MatrixElement::kTF32) bits &= ~uint64_t{0x1fff};
  const uint64_t fraction = bits & ((uint64_t{1} << l.fraction_bits) - 1);
  const uint64_t exponents = (uint64_t{1} << l.exponent_bits) - 1, exponent = bits >> l.fraction_bits & exponents;
  x.negative = element != MatrixElement::kUE4M3 && (bits >> (l.fraction_bits + l.exponent_bits) & 1) != 0;
  if (exponent == exponents) {
    if (l.top == ElementLayout::Top::kIeee) {
      x.kind = fraction == 0 ? Kind::kInfinite : Kind::kNan;
      return x;
    }
    if (l.top == ElementLayout::Top::kNanOnly && fraction == 7) {
      x.kind = Kind::kNan;
      return x;
    }
  }
  x.top = static_cast<int>(exponent == 0 ? 1 : exponent) - l.bias;
  x.exponent = x.top - static_cast<int>(l.fraction_bits);
  x.significand = exponent == 0 ? fraction : fraction | uint64_t{1} << l.fraction_bits;
  // tf32 keeps ten fraction bits, so that products stay short.
  if (element == MatrixElement::kTF32) {
    x.significand >>= 13;
    x.exponent += 13;
  }
  return x;
}

MatrixNumber Product(const MatrixNumber& a, const MatrixNumber& b) {
  MatrixNumber x;
  x.negative = a.negative != b.negative;
  const bool a_zero = a.kind == Kind::kFinite && a.significand == 0, b_zero = b.kind == Kind::kFinite && b.significand == 0;
  if (a.kind == Kind::kNan || b.kind == Kind::kNan || (a.kind == Kind::kInfinite && b_zero) || (b.kind == Kind::kInfinite && a_zero)) {
    x.kind = Kind::kNan;
    return x;
  }
  if (a.kind == Kind::kInfinite || b.kind == Kind::kInfinite) {
    x.kind = Kind::kInfinite;
    return x;
  }
  x.significand = a.significand * b.significand;
  x.exponent = a.exponent + b.exponent;
  x.top = a.top + b.top;
  return x;
}

uint64_t SumProducts(const MatrixForm& form, std::span<const MatrixNumber> products, uint64_t c) {
  const bool half = form.d == MatrixElement::kF16;
  const Layout& layout = half ? kLayoutF16 : kLayoutF32;
  const MatrixElement element = half ? MatrixElement::kF16 : MatrixElement::kF32;
  const Rounding rounding = half ? Rounding::kRn : Rounding::kRz;
  MatrixNumber start = DecodeElement(form, form.c, c);
  // The accumulator is an .f32 before it is one of the addends.
  if (!half) start = DecodeElement(form, MatrixElement::kF32, Pattern(kLayoutF32, Rounding::kRn, start));
  if (BlocksOf(form) > 1) return SumQuadPair(form, products, c);
  if (IsByte(form.a) && IsByte(form.b) && !form.in_bytes && form.scale_vectors == 0) {
    // They become halves: first elements 0 and 1 of every four, then 2 and 3. c comes last, by an ordinary addition.
    MatrixNumber sum;
    for (const unsigned first : {0u, 2u}) {
      std::array<MatrixNumber, 64> part;
      size_t count = 0;
      for (size_t i = first; i < products.size(); i += 4) {
        part[count++] = products[i];
        part[count++] = products[i + 1];
      }
      sum = DecodeElement(form, element, Pattern(layout, rounding, SumStep({part.data(), count}, sum)));
    }
    FpAttr attr;
    attr.format = half ? FpFormat::kF16 : FpFormat::kF32;
    return Arithmetic(FpKind::kAdd, attr, Pattern(layout, rounding, sum), Pattern(layout, Rounding::kRn, start), 0);
  }
  if (form.kind == MatrixForm::Kind::kFragmentMultiply && form.a == MatrixElement::kTF32) {
    // Two products of half the depth.
    start = DecodeElement(form, element, Pattern(layout, rounding, SumStep(products.first(products.size() / 2), start)));
    products = products.subspan(products.size() / 2);
  }
  return Pattern(layout, rounding, SumStep(products, start));
}

uint64_t SumProducts64(const MatrixForm& form, std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  FpAttr attr;
  attr.format = FpFormat::kF64;
  attr.rounding = form.rounding;
  for (size_t i = 0; i < a.size(); ++i) c = Arithmetic(FpKind::kFma, attr, a[i], b[i], c);
  return c;
}

bool IsSmallInteger64(uint64_t pattern) {
  const double x = std::bit_cast<double>(pattern);
  return std::fabs(x) <= 0x1p20 && x == std::trunc(x) && pattern != kLayoutF64.sign();
}

Rational ValueOf(const MatrixNumber& x) {
  RACER_CHECK(x.kind == Kind::kFinite);
  const int64_t magnitude = static_cast<int64_t>(x.significand);
  return Rational::Dyadic(x.negative ? -magnitude : magnitude, x.exponent);
}

bool IsPlainSum(const MatrixForm& form, std::span<const MatrixNumber> products, uint64_t c) {
  // Bits that every known accumulator keeps: 13 below the largest exponent for 8-bit formats, else those of .f16 results or 22.
  const int kept = form.d == MatrixElement::kF16 ? 10 : IsByte(form.a) || form.in_bytes || form.scale_vectors != 0 ? 11 : 22;
  const MatrixNumber start = DecodeElement(form, form.c, c);
  int low = 0, high = 0;
  bool any = false;
  if (start.kind != Kind::kFinite) return true;
  for (const MatrixNumber& x : products) {
    if (x.kind != Kind::kFinite) return true;
  }
  const auto take = [&](const MatrixNumber& x) {
    if (x.significand == 0) return;
    const int least = x.exponent + std::countr_zero(x.significand);
    const int most = std::max(x.exponent + static_cast<int>(std::bit_width(x.significand)), x.top + 1);
    low = any ? std::min(low, least) : least;
    high = any ? std::max(high, most) : most;
    any = true;
  };
  take(start);
  for (const MatrixNumber& x : products) take(x);
  // A zero is +0 for certain only where c is.
  if (!any) return !start.negative;
  const int terms = static_cast<int>(std::bit_width(products.size() + 1));
  const bool half = form.d == MatrixElement::kF16;
  return high + terms - low <= kept && low >= (half ? -14 : -126) && high + terms < (half ? 15 : 127);
}

}  // namespace racer::bits
