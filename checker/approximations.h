// The approximate instructions that a proof takes for the functions that they approximate.
#ifndef RACER_CHECKER_APPROXIMATIONS_H_
#define RACER_CHECKER_APPROXIMATIONS_H_

#include <string>

#include "checker/session.h"

namespace racer {

// Their names ("ex2.approx.ftz.f32, rcp.approx.f32"), of both kernels and of the functions in their modules.
std::string ApproximationsOf(const Subjects& subjects);

}  // namespace racer

#endif  // RACER_CHECKER_APPROXIMATIONS_H_
