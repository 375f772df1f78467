#include "symexec/bits/fp_arith.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/check.h"
#include "symexec/bits/fp_directed64.h"
#include "symexec/bits/fp_narrow.h"
#include "symexec/bits/fp_round.h"

namespace racer::bits {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// [0, 1], NaN to +0.
uint64_t Saturate(const Layout& layout, uint64_t bits) {
  if (layout.IsNan(bits) || (bits & layout.sign()) != 0) return 0;
  return bits > layout.one() ? layout.one() : bits;
}

uint64_t Relu(const Layout& layout, uint64_t bits) {
  if (layout.IsNan(bits)) return layout.nan;
  return (bits & layout.sign()) != 0 ? 0 : bits;
}

// What the modifiers do to a rounded result.
uint64_t Finish(const Layout& layout, const FpAttr& attr, uint64_t bits) {
  if (attr.sat) return Saturate(layout, bits);
  if (attr.relu) return Relu(layout, bits);
  return bits;
}

// The narrow formats have one NaN. .f64 passes an operand's on, made quiet: the manual leaves payloads open, this is what
// an H200 does, down to which of several NaNs wins.
uint64_t NanResult(const Layout& layout, FpKind kind, uint64_t a, uint64_t b, uint64_t c) {
  if (layout.width != 64) return layout.nan;
  if (kind == FpKind::kDiv) std::swap(a, b);
  for (const uint64_t operand : {b, c, a}) {
    if (layout.IsNan(operand)) return operand | layout.quiet();
  }
  return layout.nan;
}

// A NaN in another format. To and from .f64 sign and upper payload bits survive; a conversion that changes no finite
// value's bits (the same format, .bf16 widened) moves the NaN's bits too.
uint64_t ConvertNan(FpFormat from, const FpAttr& attr, uint64_t a) {
  const Layout& source = LayoutOf(from);
  const Layout& target = LayoutOf(attr.format);
  const bool plain = !attr.ftz && !attr.sat && !attr.relu;
  if (plain && from == attr.format && source.width >= 32) return a;
  if (plain && from == FpFormat::kBF16 && attr.format == FpFormat::kF32) return a << 16;
  if (source.width != 64 && target.width != 64) return target.nan;
  if (attr.ftz && from == FpFormat::kF32) a = source.nan;
  const uint64_t payload = a & (source.least_normal() - 1);
  const int shift = static_cast<int>(target.precision) - static_cast<int>(source.precision);
  const uint64_t moved = shift >= 0 ? payload << shift : payload >> -shift;
  return ((a & source.sign()) != 0 ? target.sign() : 0) | target.infinity() | target.quiet() | moved;
}

// A NaN on the way to .tf32, as an H200 converts it; the manual names no pattern. .rna knows no NaN: it cuts the payload off, which
// makes infinities of some signalling ones, and .satfinite then steps back by one as from an infinity.
uint64_t Tf32Nan(const FpAttr& attr, uint64_t a) {
  constexpr uint64_t kLast = uint64_t{1} << 13;  // of the format's place
  if (attr.rounding != Rounding::kRna) return 0x7fffe000;
  return (a & ~(kLast - 1)) - (attr.satfinite ? kLast : 0);
}

double Integral(Rounding rounding, double value) {
  switch (rounding) {
    case Rounding::kRni: return std::nearbyint(value);  // the host runs in round to nearest even
    case Rounding::kRzi: return std::trunc(value);
    case Rounding::kRmi: return std::floor(value);
    case Rounding::kRpi: return std::ceil(value);
    case Rounding::kNone:
    case Rounding::kRn:
    case Rounding::kRz:
    case Rounding::kRm:
    case Rounding::kRp:
    case Rounding::kRna:
    case Rounding::kRs: break;
  }
  RACER_UNREACHABLE(static_cast<int>(rounding));
}

// A sum that is exactly zero is -0 under rm unless both addends are +0; the host gives the rn sign.
double ZeroSign(Rounding rounding, double sum, double x, double y) {
  if (sum != 0 || rounding != Rounding::kRm) return sum;
  return std::signbit(x) || std::signbit(y) ? -0.0 : 0.0;
}

// Operations of the narrow formats (at most 24 bits), whose operands and products are exact doubles: the exact result,
// or one rounded to odd, which RoundDouble then rounds once.
double ExactNarrow(FpKind kind, Rounding rounding, double a, double b, double c) {
  switch (kind) {
    case FpKind::kAdd: return ZeroSign(rounding, AddToOdd(a, b), a, b);
    case FpKind::kSub: return ZeroSign(rounding, AddToOdd(a, -b), a, -b);
    case FpKind::kMul: return a * b;
    case FpKind::kFma: {
      const double product = a * b;
      return ZeroSign(rounding, AddToOdd(product, c), product, c);
    }
    case FpKind::kDiv: return DivToOdd(a, b);
    case FpKind::kRcp: return DivToOdd(1, a);
    case FpKind::kSqrt: return SqrtToOdd(a);
    case FpKind::kRoundInt: return Integral(rounding, a);
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow: break;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

double Exact64(FpKind kind, Rounding rounding, double a, double b, double c) {
  if (kind == FpKind::kRoundInt) return Integral(rounding, a);
  if (rounding != Rounding::kRn) return Directed64(kind, rounding, a, b, c);
  switch (kind) {
    case FpKind::kAdd: return a + b;
    case FpKind::kSub: return a - b;
    case FpKind::kMul: return a * b;
    case FpKind::kFma: return std::fma(a, b, c);
    case FpKind::kDiv: return a / b;
    case FpKind::kRcp: return 1 / a;
    case FpKind::kSqrt: return std::sqrt(a);
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow:
    case FpKind::kRoundInt: break;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

// Approximations: the function in double, whose error is far below half an ulp of the narrow formats.
double Approximate(FpKind kind, const FpAttr& attr, double a, double b) {
  switch (kind) {
    case FpKind::kRcp: return 1 / a;
    case FpKind::kSqrt: return std::sqrt(a);
    case FpKind::kRsqrt:
      return attr.format == FpFormat::kF64 ? static_cast<double>(1 / std::sqrt(static_cast<long double>(a))) : 1 / std::sqrt(a);
    case FpKind::kEx2: return std::exp2(a);
    case FpKind::kLg2: return std::log2(a);
    case FpKind::kSin: return std::isinf(a) ? kNaN : std::sin(a);
    case FpKind::kCos: return std::isinf(a) ? kNaN : std::cos(a);
    case FpKind::kTanh: return std::tanh(a);
    case FpKind::kExp: return std::exp(a);
    case FpKind::kLog: return std::log(a);
    case FpKind::kErf: return std::erf(a);
    case FpKind::kPow: return std::pow(a, b);
    case FpKind::kDiv:
      // div.approx multiplies by a reciprocal that is zero beyond 2^126.
      if (!attr.full && std::fabs(b) > 0x1p126 && !std::isnan(b)) return a * std::copysign(0.0, b);
      return a / b;
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRoundInt: break;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

// rcp and rsqrt.approx.ftz.f64: operand and result are the upper 32 bits of a double, subnormals flushed.
uint64_t Gross64(FpKind kind, const FpAttr& attr, uint64_t a) {
  constexpr Layout kUpper = {32, 21, -1022, 0x7fffffff};
  const double operand = std::bit_cast<double>(kLayoutF64.Flush(a) & ~uint64_t{0xffffffff});
  const double value = Approximate(kind, attr, operand, 0);
  if (std::isnan(value)) return kUpper.nan << 32;
  return RoundDoubleFlushing(kUpper, Rounding::kRz, value) << 32;
}

uint64_t Extremum(const Layout& layout, const FpAttr& attr, bool is_max, uint64_t a, uint64_t b) {
  const uint64_t sign = attr.xorsign ? (a ^ b) & layout.sign() : 0;
  if (attr.xorsign) {
    a &= ~layout.sign();
    b &= ~layout.sign();
  }
  const bool a_nan = layout.IsNan(a);
  const bool b_nan = layout.IsNan(b);
  if ((a_nan && b_nan) || (attr.nan && (a_nan || b_nan))) return NanResult(layout, FpKind::kMax, a, b, 0);
  uint64_t result;
  if (a_nan || b_nan) {
    result = a_nan ? b : a;
  } else {
    // Patterns as sign-magnitude integers order like their values, -0 before +0.
    const auto key = [&](uint64_t x) {
      const int64_t magnitude = static_cast<int64_t>(x & (layout.sign() - 1));
      return (x & layout.sign()) != 0 ? -magnitude - 1 : magnitude;
    };
    result = (key(a) < key(b)) == is_max ? b : a;
  }
  return result | sign;
}

uint64_t Rounded(const Layout& layout, const FpAttr& attr, double value) {
  const Rounding rounding = attr.rounding == Rounding::kNone ? Rounding::kRn : attr.rounding;
  return attr.ftz ? RoundDoubleFlushing(layout, rounding, value) : RoundDouble(layout, rounding, value);
}

// Every value of the narrow formats and of .tf32 is one of the format converted to.
uint64_t FromAlternate(FpFormat from, const FpAttr& attr, uint64_t a) {
  const Layout& target = LayoutOf(attr.format);
  const double value = DecodeAlternate(from, a);
  return Finish(target, attr, std::isnan(value) ? target.nan : Rounded(target, attr, value));
}

}  // namespace

uint64_t Arithmetic(FpKind kind, const FpAttr& attr, uint64_t a, uint64_t b, uint64_t c) {
  const Layout& layout = LayoutOf(attr.format);
  if (attr.ftz && attr.format != FpFormat::kF64) {
    a = layout.Flush(a);
    b = layout.Flush(b);
    c = layout.Flush(c);
  }
  switch (kind) {
    case FpKind::kNeg: return layout.IsNan(a) ? NanResult(layout, kind, a, 0, 0) : a ^ layout.sign();
    case FpKind::kAbs: return layout.IsNan(a) ? NanResult(layout, kind, a, 0, 0) : a & ~layout.sign();
    case FpKind::kCopySign: return (a & layout.sign()) | (b & ~layout.sign());
    case FpKind::kMin: return Extremum(layout, attr, false, a, b);
    case FpKind::kMax: return Extremum(layout, attr, true, a, b);
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kDiv:
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
    case FpKind::kPow:
    case FpKind::kRoundInt: break;
  }
  if (attr.approx && attr.ftz && attr.format == FpFormat::kF64) return Gross64(kind, attr, a);
  const double x = Decode(attr.format, a);
  const double y = Decode(attr.format, b);
  const double z = Decode(attr.format, c);
  double value;
  if (attr.approx || attr.full) {
    value = Approximate(kind, attr, x, y);
  } else if (attr.format == FpFormat::kF64) {
    value = Exact64(kind, attr.rounding, x, y, z);
  } else {
    value = ExactNarrow(kind, attr.rounding, x, y, z);
  }
  if (std::isnan(value)) return Finish(layout, attr, NanResult(layout, kind, a, b, c));
  if (attr.format == FpFormat::kF64) return Finish(layout, attr, std::bit_cast<uint64_t>(value));
  FpAttr rounding = attr;
  if (kind == FpKind::kRoundInt) rounding.rounding = Rounding::kRn;  // exact
  return Finish(layout, attr, Rounded(layout, rounding, value));
}

uint64_t Convert(FpFormat from, const FpAttr& attr, uint64_t a) {
  if (from == FpFormat::kF32 && attr.format == FpFormat::kTF32 && kLayoutF32.IsNan(a)) return Tf32Nan(attr, a);
  if (from == FpFormat::kTF32 && attr.format == FpFormat::kF32 && kLayoutF32.IsNan(a)) return a;  // a .tf32 in its register
  if (IsAlternate(attr.format)) return EncodeAlternate(attr, IsAlternate(from) ? DecodeAlternate(from, a) : Decode(from, a));
  if (IsAlternate(from)) return FromAlternate(from, attr, a);
  const Layout& source = LayoutOf(from);
  const Layout& target = LayoutOf(attr.format);
  if (source.IsNan(a)) return Finish(target, attr, ConvertNan(from, attr, a));
  // .ftz concerns .f32 sources and results alone. The manual flushes a subnormal .f32 source whatever the target; hardware does
  // not on the way to .f16, which only rm and rp can show (the least subnormal .f16 against 0), and its word counts here.
  if (attr.ftz && from == FpFormat::kF32 && attr.format != FpFormat::kF16) a = source.Flush(a);
  const double value = Decode(from, a);
  FpAttr rounding = attr;
  rounding.ftz = attr.ftz && attr.format == FpFormat::kF32;
  uint64_t result = Rounded(target, rounding, value);
  if (attr.satfinite && (result & ~target.sign()) == target.infinity()) --result;
  return Finish(target, attr, result);
}

uint64_t ToInteger(FpFormat from, ScalarType to, Rounding rounding, bool ftz, uint64_t a) {
  const Layout& source = LayoutOf(from);
  const unsigned width = BitWidth(to);
  const bool is_signed = IsSigned(to);
  if (source.IsNan(a)) {
    // Manual, cvt: 0 unless the source is .f64 or the result has 64 bits; then only the top bit is set.
    return from == FpFormat::kF64 || width == 64 ? uint64_t{1} << (width - 1) : 0;
  }
  if (ftz && from == FpFormat::kF32) a = source.Flush(a);
  const double value = Integral(rounding, Decode(from, a));
  const double end = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));  // the least integer too large
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t largest = is_signed ? mask >> 1 : mask;
  if (value >= end) return largest;
  if (!is_signed) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  if (value < -end) return largest + 1;
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & mask;
}

uint64_t FromInteger(ScalarType from, const FpAttr& attr, uint64_t a) {
  const Layout& layout = LayoutOf(attr.format);
  const unsigned width = BitWidth(from);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const bool negative = IsSigned(from) && (a >> (width - 1) & 1) != 0;
  const uint64_t magnitude = negative ? (~a + 1) & mask : a & mask;
  if (magnitude == 0) return 0;
  return Finish(layout, attr, RoundScaled(layout, attr.rounding, negative, magnitude, 0, false));
}

bool Compare(CompareOp op, FpFormat format, bool ftz, uint64_t a, uint64_t b) {
  const Layout& layout = LayoutOf(format);
  if (ftz && format != FpFormat::kF64) {
    a = layout.Flush(a);
    b = layout.Flush(b);
  }
  const bool unordered = layout.IsNan(a) || layout.IsNan(b);
  const double x = Decode(format, a);
  const double y = Decode(format, b);
  switch (op) {
    case CompareOp::kEq: return x == y;
    case CompareOp::kNe: return !unordered && x != y;
    case CompareOp::kLt: return x < y;
    case CompareOp::kLe: return x <= y;
    case CompareOp::kGt: return x > y;
    case CompareOp::kGe: return x >= y;
    case CompareOp::kEqu: return unordered || x == y;
    case CompareOp::kNeu: return x != y;
    case CompareOp::kLtu: return !(x >= y);
    case CompareOp::kLeu: return !(x > y);
    case CompareOp::kGtu: return !(x <= y);
    case CompareOp::kGeu: return !(x < y);
    case CompareOp::kNum: return !unordered;
    case CompareOp::kNan: return unordered;
    case CompareOp::kNone:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs: break;
  }
  RACER_UNREACHABLE(static_cast<int>(op));
}

}  // namespace racer::bits
