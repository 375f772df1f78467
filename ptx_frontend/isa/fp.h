// Floating-point operations as a Domain sees them: a kind and its attributes.
#ifndef RACER_PTX_FRONTEND_ISA_FP_H_
#define RACER_PTX_FRONTEND_ISA_FP_H_

#include <cstdint>
#include <string>

#include "base/check.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

enum class FpFormat : uint8_t { kF16, kBF16, kTF32, kF32, kF64, kE4M3, kE5M2 };

// Width in bits of a value of the format in a register (tf32 lives in 32 bits).
constexpr unsigned FormatWidth(FpFormat format) {
  switch (format) {
    case FpFormat::kE4M3:
    case FpFormat::kE5M2: return 8;
    case FpFormat::kF16:
    case FpFormat::kBF16: return 16;
    case FpFormat::kTF32:
    case FpFormat::kF32: return 32;
    case FpFormat::kF64: return 64;
  }
  return 0;
}
// The format of a scalar floating-point type; for a packed type, of its elements.
constexpr FpFormat FormatOf(ScalarType type) {
  const ScalarType element = PackedElement(type) == ScalarType::kNone ? type : PackedElement(type);
  if (element == ScalarType::kF16) return FpFormat::kF16;
  if (element == ScalarType::kBF16) return FpFormat::kBF16;
  if (element == ScalarType::kTF32) return FpFormat::kTF32;
  if (element == ScalarType::kF32) return FpFormat::kF32;
  if (element == ScalarType::kF64) return FpFormat::kF64;
  if (element == ScalarType::kE4M3) return FpFormat::kE4M3;
  if (element == ScalarType::kE5M2) return FpFormat::kE5M2;
  RACER_UNREACHABLE(static_cast<int>(type));
}

// Unary kinds take a; binary a, b; kFma a*b+c.
enum class FpKind : uint8_t {
  kAdd,
  kSub,
  kMul,
  kFma,
  kDiv,
  kNeg,
  kAbs,
  kMin,
  kMax,
  kCopySign,  // kCopySign: magnitude of b, sign of a (PTX operand order)
  kRcp,
  kSqrt,
  kRsqrt,
  kEx2,
  kLg2,
  kSin,
  kCos,
  kTanh,
  kRoundInt,  // to an integral value in the same format; the rounding says which
};

// How the operation rounds. Over the reals only kRoundInt, sat, relu and xorsign change the value.
struct FpAttr {
  FpFormat format = FpFormat::kF32;
  Rounding rounding = Rounding::kRn;
  bool ftz = false;      // subnormal inputs and results become sign-preserving zero
  bool sat = false;      // clamp to [0, 1], NaN to +0
  bool approx = false;   // hardware approximation: bounded error, not correctly rounded
  bool full = false;     // div.full.f32
  bool nan = false;      // .NaN: a NaN operand wins
  bool xorsign = false;  // .xorsign.abs
  bool relu = false;     // clamp negative results to 0, NaN to canonical NaN

  friend bool operator==(const FpAttr&, const FpAttr&) = default;
};

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_FP_H_
