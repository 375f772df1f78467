// Floating-point operations as a Domain sees them: a kind and its attributes.
#ifndef RACER_PTX_FRONTEND_ISA_FP_H_
#define RACER_PTX_FRONTEND_ISA_FP_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

enum class FpFormat : uint8_t { kF16, kBF16, kTF32, kF32, kF64, kE4M3, kE5M2, kE2M3, kE3M2, kE2M1, kUE8M0 };

// Width in bits of a value of the format in a register (tf32 lives in 32 bits, e2m3 and e3m2 in the low 6 of 8).
constexpr unsigned FormatWidth(FpFormat format) {
  switch (format) {
    case FpFormat::kE2M1: return 4;
    case FpFormat::kE4M3:
    case FpFormat::kE5M2:
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kUE8M0: return 8;
    case FpFormat::kF16:
    case FpFormat::kBF16: return 16;
    case FpFormat::kTF32:
    case FpFormat::kF32: return 32;
    case FpFormat::kF64: return 64;
  }
  return 0;
}
// Below 16 bits. A conversion to such a format is a function of its own, not a rounding that equality over the reals ignores.
constexpr bool IsNarrow(FpFormat format) {
  switch (format) {
    case FpFormat::kE4M3:
    case FpFormat::kE5M2:
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kE2M1:
    case FpFormat::kUE8M0: return true;
    case FpFormat::kF16:
    case FpFormat::kBF16:
    case FpFormat::kTF32:
    case FpFormat::kF32:
    case FpFormat::kF64: return false;
  }
  return false;
}
// "f32", without the dot.
constexpr std::string_view Spelling(FpFormat format) {
  switch (format) {
    case FpFormat::kF16: return "f16";
    case FpFormat::kBF16: return "bf16";
    case FpFormat::kTF32: return "tf32";
    case FpFormat::kF32: return "f32";
    case FpFormat::kF64: return "f64";
    case FpFormat::kE4M3: return "e4m3";
    case FpFormat::kE5M2: return "e5m2";
    case FpFormat::kE2M3: return "e2m3";
    case FpFormat::kE3M2: return "e3m2";
    case FpFormat::kE2M1: return "e2m1";
    case FpFormat::kUE8M0: return "ue8m0";
  }
  return {};
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
  if (element == ScalarType::kE2M3) return FpFormat::kE2M3;
  if (element == ScalarType::kE3M2) return FpFormat::kE3M2;
  if (element == ScalarType::kE2M1) return FpFormat::kE2M1;
  if (element == ScalarType::kUE8M0) return FpFormat::kUE8M0;
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
  // No instruction computes these; they stand for code of a library (idioms/). Natural logarithm, error function, a to the power of b.
  kExp,
  kLog,
  kErf,
  kPow,
};

// Kinds that pick, cut or re-sign an operand: what they give is exact, unless .ftz took away a subnormal.
constexpr bool NeverRounds(FpKind kind) {
  switch (kind) {
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRoundInt: return true;
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
    case FpKind::kPow: return false;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

// .rni, .rzi, .rmi and .rpi, under which a value of a floating-point format becomes an integral one.
constexpr bool RoundsToInteger(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRni:
    case Rounding::kRzi:
    case Rounding::kRmi:
    case Rounding::kRpi: return true;
    case Rounding::kNone:
    case Rounding::kRn:
    case Rounding::kRz:
    case Rounding::kRm:
    case Rounding::kRp:
    case Rounding::kRna:
    case Rounding::kRs: return false;
  }
  RACER_UNREACHABLE(static_cast<int>(rounding));
}

// How the operation rounds. Over the reals only kRoundInt, sat, relu, xorsign and a conversion to a narrow format change the value.
struct FpAttr {
  FpFormat format = FpFormat::kF32;
  Rounding rounding = Rounding::kRn;  // .rs: the operand has the random bits added, and was cut to what the format holds
  bool ftz = false;                   // subnormal inputs and results become sign-preserving zero
  bool sat = false;                   // clamp to [0, 1], NaN to +0
  // Hardware approximation: bounded error, not correctly rounded. Of kFma: a step of a matrix instruction's sum, in which nothing
  // is rounded until the last; a rounding marks that one, by what kind of instruction it ends (symexec/machine/exec_mma.h).
  bool approx = false;
  bool full = false;       // div.full.f32
  bool nan = false;        // .NaN: a NaN operand wins
  bool xorsign = false;    // .xorsign.abs
  bool relu = false;       // clamp negative results to 0, NaN to canonical NaN
  bool satfinite = false;  // conversions: what is beyond the largest finite value becomes that value

  friend bool operator==(const FpAttr&, const FpAttr&) = default;
};

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_FP_H_
