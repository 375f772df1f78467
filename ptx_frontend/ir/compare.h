// Structural equality of modules, for tests of the printer.
#ifndef RACER_PTX_FRONTEND_IR_COMPARE_H_
#define RACER_PTX_FRONTEND_IR_COMPARE_H_

#include <string>

#include "ptx_frontend/ir/module.h"

namespace racer::ir {

// Where two modules differ first, in words; empty if they are the same up to source locations, the numbering of registers
// and debug locations, and the spelling of initialisers.
std::string FirstDifference(const Module& a, const Module& b);

}  // namespace racer::ir

#endif  // RACER_PTX_FRONTEND_IR_COMPARE_H_
