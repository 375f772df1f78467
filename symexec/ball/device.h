// Enclosures of what a device may compute.
#ifndef RACER_SYMEXEC_BALL_DEVICE_H_
#define RACER_SYMEXEC_BALL_DEVICE_H_

#include <arb.h>

#include "ptx_frontend/isa/fp.h"
#include "symexec/ball/real_ops.h"

namespace racer {

// As ApplyFp and ConvertFp of real_ops.h, where the operands hold a value over the reals and whatever a device may have for it; so does
// `out`: the operation is rounded, in any direction, or off by what the manual grants its approximation (Spec::bounds). Unknown: where
// the manual grants nothing, where the result may overflow, and a sum of a matrix instruction, whose steps no manual tells. The error
// is counted twice over, so that nothing hangs on how it is measured.
void ApplyFpOnDevice(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, const RealValue& c, slong precision,
                     RealValue* out);
void ConvertFpOnDevice(const FpAttr& attr, const RealValue& a, slong precision, RealValue* out);

// Whether the instruction is an approximation of the function, not the function rounded.
bool IsApproximate(const FpAttr& attr);
// `out`, the value over the reals of an approximate instruction at these operands, with what the manual grants it (counted twice over); of
// rcp and rsqrt.approx.f64, for which it says nothing, what they get wrong on an H200 and more.
void AllowForApproximation(FpKind kind, const FpAttr& attr, const RealValue& a, const RealValue& b, RealValue* out);

// The value, rounded to the format.
void RoundOnDevice(FpFormat format, RealValue* value);
// The operand of an instruction with .ftz: a subnormal number may have become zero.
void FlushOnDevice(FpFormat format, RealValue* value);

}  // namespace racer

#endif  // RACER_SYMEXEC_BALL_DEVICE_H_
