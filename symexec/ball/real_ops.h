// Floating-point operations over the (extended) reals on certified enclosures.
#ifndef RACER_SYMEXEC_BALL_REAL_OPS_H_
#define RACER_SYMEXEC_BALL_REAL_OPS_H_

#include <arb.h>

#include <cstdint>
#include <optional>

#include "ptx_frontend/isa/fp.h"

namespace racer {

// What is known of one term at one point. Owns the Arb number.
struct RealValue {
  enum class Kind : uint8_t {
    kEmpty,      // not evaluated yet
    kReal,       // `ball` contains the exact value
    kInfinite,   // exactly +infinity, or -infinity if `negative`: a literal, or certainly that
    kBits,       // a pattern: `bits`
    kUndefined,  // the real function has no value
    kUnknown,
  };

  RealValue() { arb_init(ball); }
  ~RealValue() { arb_clear(ball); }
  RealValue(const RealValue& other) : RealValue() { *this = other; }
  RealValue& operator=(const RealValue& other) {
    kind = other.kind;
    negative = other.negative;
    bits_known = other.bits_known;
    bits = other.bits;
    exact = other.exact;
    arb_set(ball, other.ball);
    return *this;
  }

  void SetUndefined() { kind = Kind::kUndefined; }
  void SetUnknown() { kind = Kind::kUnknown; }
  void SetBits(uint64_t pattern) {
    kind = Kind::kBits;
    bits = pattern;
  }
  // kReal with the ball as it stands; a ball that ran out of range is unknown.
  void SetReal() { kind = arb_is_finite(ball) ? Kind::kReal : Kind::kUnknown; }
  void SetInfinite(bool is_negative) {
    kind = Kind::kInfinite;
    negative = is_negative;
  }

  Kind kind = Kind::kEmpty;
  bool negative = false;
  bool bits_known = false;  // of a value: its pattern is exactly `bits` (inputs, literals and what only moves them)
  uint64_t bits = 0;
  // kReal: no operation at or below it rounded anything at this point, so a machine holds just this number. Of zero, with either sign.
  bool exact = false;
  arb_t ball;
};

// The value of a pattern of the format, with its bits known.
void RealFromBits(FpFormat format, uint64_t bits, RealValue* out);

// The ball is one number, and the format holds it as zero or as a normal number. False for tf32, whose low bits nobody vouches for.
bool HeldExactly(FpFormat format, const RealValue& value);

// The pattern that a machine certainly has for the value in the format.
std::optional<uint64_t> CertainPattern(FpFormat format, const RealValue& value);

// Applies the operation of fp.h, roundings ignored; `b` and `c` are read only where the kind has them. An undefined
// operand makes the result undefined, else an unknown one makes it unknown.
void ApplyFp(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, const RealValue& c, slong precision, RealValue* out);

// Conversion between formats: the identity but for the clamps and, where the rounding is to an integer, that.
void ConvertFp(const FpAttr& attr, const RealValue& a, slong precision, RealValue* out);

// Whether the comparison holds; nullopt where the enclosures do not say. Operands are kReal or kInfinite.
std::optional<bool> CompareReal(CompareOp op, const RealValue& a, const RealValue& b);

// The integer that `a` (kReal) certainly rounds to under kRni, kRzi, kRmi or kRpi; false if that is not certain.
bool RoundToInteger(Rounding rounding, const RealValue& a, slong precision, arf_t integer);

// The clamps of .sat (to [0, 1]) and .relu (to [0, inf)).
void Clamp(const FpAttr& attr, slong precision, RealValue* value);

}  // namespace racer

#endif  // RACER_SYMEXEC_BALL_REAL_OPS_H_
