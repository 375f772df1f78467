// ir::Module back to PTX text; Parse(Print(m)) is m again up to locations.
#ifndef RACER_PTX_FRONTEND_IR_PRINT_H_
#define RACER_PTX_FRONTEND_IR_PRINT_H_

#include <string>

#include "ptx_frontend/ir/module.h"

namespace racer::ir {

std::string Print(const Module& module);
std::string Print(const Module& module, const Function& function, const Instruction& instruction);  // one line, no newline

}  // namespace racer::ir

#endif  // RACER_PTX_FRONTEND_IR_PRINT_H_
