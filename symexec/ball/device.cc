#include "symexec/ball/device.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/check.h"
#include "ptx_frontend/isa/spec.h"
#include "symexec/ball/decode.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

using Kind = RealValue::Kind;

// Exponent of the least normal number.
slong LeastNormal(FpFormat format) { return 1 - LayoutOf(format).bias; }
slong PrecisionOf(FpFormat format) { return PrecisionBits(format); }

bool IsZero(const RealValue& value) { return value.kind == Kind::kReal && arb_is_zero(value.ball); }

// value += [-e, e] with e = factor * max(|value|, 2^least) * 2^exponent.
void Widen(double factor, slong exponent, slong least, RealValue* value) {
  mag_t error, floor, scale;
  mag_init(error);
  mag_init(floor);
  mag_init(scale);
  arb_get_mag(error, value->ball);
  mag_one(floor);
  mag_mul_2exp_si(floor, floor, least);
  if (mag_cmp(error, floor) < 0) mag_set(error, floor);
  mag_set_d(scale, factor);
  mag_mul(error, error, scale);
  mag_mul_2exp_si(error, error, exponent);
  arb_add_error_mag(value->ball, error);
  mag_clear(error);
  mag_clear(floor);
  mag_clear(scale);
  value->exact = value->bits_known = false;
  value->SetReal();
}

// Infinite instead, perhaps: unknown.
void RefuseOverflow(FpFormat format, RealValue* value) {
  if (value->kind != Kind::kReal) return;
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, value->ball);
  if (mag_cmp_2exp_si(bound, LayoutOf(format).bias) >= 0) value->SetUnknown();
  mag_clear(bound);
}

// Of code of a library (idioms/), whatever its sources grant: 4 ulp (CUDA C++ Programming Guide, "Mathematical Functions").
constexpr Bound kLibraryBounds[] = {{.type = ScalarType::kF32, .error = 4},
                                    {.type = ScalarType::kF64, .error = 4},
                                    {.type = ScalarType::kF16, .error = 4},
                                    {.type = ScalarType::kBF16, .error = 4}};

std::span<const Bound> BoundsOf(FpKind kind, const FpAttr& attr) {
  // Of a function that an instruction approximates as well: this one is computed by library code.
  if (attr.full && kind != FpKind::kDiv) return kLibraryBounds;
  const bool half = attr.format == FpFormat::kF16 || attr.format == FpFormat::kBF16;
  switch (kind) {
    case FpKind::kDiv: return SpecOf(attr.full ? Opcode::kDivFull : Opcode::kDivApprox).bounds;
    case FpKind::kRcp: return SpecOf(Opcode::kRcpApprox).bounds;
    case FpKind::kSqrt: return SpecOf(Opcode::kSqrtApprox).bounds;
    case FpKind::kRsqrt: return SpecOf(Opcode::kRsqrt).bounds;
    case FpKind::kEx2: return SpecOf(half ? Opcode::kEx2Half : Opcode::kEx2).bounds;
    case FpKind::kLg2: return SpecOf(Opcode::kLg2).bounds;
    case FpKind::kSin: return SpecOf(Opcode::kSin).bounds;
    case FpKind::kCos: return SpecOf(Opcode::kCos).bounds;
    case FpKind::kTanh: return SpecOf(half ? Opcode::kTanhHalf : Opcode::kTanh).bounds;
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow: return kLibraryBounds;
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
  return {};
}

// How the magnitudes of `operand` and the operands that a bound holds for lie to each other.
enum class Overlap : uint8_t { kNone, kSome, kAll };
Overlap OverlapOf(const Bound& bound, const RealValue& operand) {
  if (bound.low == 0 && bound.high == 0) return Overlap::kAll;
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  arb_get_abs_lbound_arf(low, operand.ball, 64);
  arb_get_abs_ubound_arf(high, operand.ball, 64);
  const bool inside = arf_cmp_d(low, bound.low) >= 0 && arf_cmp_d(high, bound.high) <= 0;
  const bool outside = arf_cmp_d(high, bound.low) < 0 || arf_cmp_d(low, bound.high) > 0;
  arf_clear(low);
  arf_clear(high);
  return inside ? Overlap::kAll : outside ? Overlap::kNone : Overlap::kSome;
}

// The error of an approximate instruction: of the operand's every magnitude by some bound, else unknown.
void Approximate(FpKind kind, const FpAttr& attr, const RealValue& operand, RealValue* out) {
  const RealValue exact = *out;
  bool granted = false;
  RealValue widest = exact;
  const auto holds = [&](const Bound& bound) { return FormatOf(bound.type) == attr.format; };
  for (const Bound& bound : BoundsOf(kind, attr)) {
    if (!holds(bound)) continue;
    const Overlap overlap = OverlapOf(bound, operand);
    if (overlap == Overlap::kNone) continue;
    granted |= overlap == Overlap::kAll;
    RealValue widened = exact;
    const slong least = LeastNormal(attr.format);
    switch (bound.measure) {
      case Bound::Measure::kUlp: Widen(2 * bound.error, 1 - PrecisionOf(attr.format), least, &widened); break;
      case Bound::Measure::kRelative: Widen(2 * bound.error, 0, least, &widened); break;
      case Bound::Measure::kAbsolute: {
        mag_t error;
        mag_init(error);
        mag_set_d(error, 2 * bound.error);
        arb_add_error_mag(widened.ball, error);
        mag_clear(error);
        break;
      }
    }
    if (mag_cmp(arb_radref(widened.ball), arb_radref(widest.ball)) > 0) widest = widened;
    // The first one that is for an operand holds for it.
    if (overlap == Overlap::kAll) break;
  }
  if (!granted) return out->SetUnknown();
  *out = widest;
  out->exact = out->bits_known = false;
}

}  // namespace

bool IsApproximate(const FpAttr& attr) { return attr.approx || attr.full; }

void AllowForApproximation(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, RealValue* out) {
  // A step of a matrix instruction is exact over the reals.
  if (!IsApproximate(attr) || kind == FpKind::kFma || out->kind != Kind::kReal) return;
  const bool division = kind == FpKind::kDiv;
  if (a.kind == Kind::kInfinite || (division && b.kind == Kind::kInfinite) || (!division && IsZero(a))) return;
  if (attr.format == FpFormat::kF64) return Widen(0x1p-19, 0, LeastNormal(attr.format), out);
  Approximate(kind, attr, division ? b : a, out);
}

void RoundOnDevice(FpFormat format, RealValue* value) {
  if (value->kind != Kind::kReal || value->exact || HeldExactly(format, *value)) return;
  Widen(2, 1 - PrecisionOf(format), LeastNormal(format), value);
  RefuseOverflow(format, value);
}

void FlushOnDevice(FpFormat format, RealValue* value) {
  if (value->kind != Kind::kReal || IsZero(*value)) return;
  arf_t low;
  arf_init(low);
  arb_get_abs_lbound_arf(low, value->ball, 64);
  const bool normal = arf_cmpabs_2exp_si(low, LeastNormal(format)) >= 0;
  arf_clear(low);
  if (normal) return;
  arb_add_error_2exp_si(value->ball, LeastNormal(format));
  value->exact = value->bits_known = false;
}

void ApplyFpOnDevice(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, const RealValue& c, slong precision,
                     RealValue* out) {
  if (attr.ftz) {
    FpAttr kept = attr;
    kept.ftz = false;
    RealValue operands[] = {a, b, c};
    for (RealValue& operand : operands) FlushOnDevice(attr.format, &operand);
    ApplyFpOnDevice(kind, kept, operands[0], operands[1], operands[2], precision, out);
    return FlushOnDevice(attr.format, out);
  }
  ApplyFp(kind, attr, a, b, c, precision, out);
  const bool binary = kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul || kind == FpKind::kDiv ||
                      kind == FpKind::kFma || kind == FpKind::kPow;
  const bool infinite =
      a.kind == Kind::kInfinite || (binary && b.kind == Kind::kInfinite) || (kind == FpKind::kFma && c.kind == Kind::kInfinite);
  // What follows from an infinity is exact.
  if (out->kind != Kind::kReal || out->exact || NeverRounds(kind) || infinite) return;
  if (kind == FpKind::kFma && attr.approx) {
    if (!IsZero(c) || !(IsZero(a) || IsZero(b))) out->SetUnknown();
    return;
  }
  // The manual's tables give the results at zero as numbers.
  if (!binary && IsZero(a)) return;
  const bool approximate = attr.approx || attr.full || kind == FpKind::kRsqrt || kind == FpKind::kEx2 || kind == FpKind::kLg2 ||
                           kind == FpKind::kSin || kind == FpKind::kCos || kind == FpKind::kTanh || kind == FpKind::kExp ||
                           kind == FpKind::kLog || kind == FpKind::kErf || kind == FpKind::kPow;
  // Where the exact result is no normal number, an approximation is rounded like anything else.
  if (approximate) Approximate(kind, attr, binary ? b : a, out);
  RoundOnDevice(attr.format, out);
}

void ConvertFpOnDevice(const FpAttr& attr, const RealValue& a, slong precision, RealValue* out) {
  RealValue operand = a;
  if (attr.ftz) FlushOnDevice(FpFormat::kF32, &operand);  // of .f32 operands and results alone (PTX ISA, "cvt")
  ConvertFp(attr, operand, precision, out);
  if (RoundsToInteger(attr.rounding) || IsNarrow(attr.format)) return;
  RoundOnDevice(attr.format, out);
  if (attr.ftz) FlushOnDevice(FpFormat::kF32, out);
}

}  // namespace racer
