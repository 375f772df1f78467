// Registers that serve several values one after the other, made several.
#ifndef RACER_CHECKER_SPLIT_REGISTERS_H_
#define RACER_CHECKER_SPLIT_REGISTERS_H_

#include <cstddef>
#include <vector>

#include "ptx_frontend/ir/module.h"

namespace racer {

struct SplitBody {
  std::vector<ir::Instruction> body;  // as the function's, but for the numbers of registers
  size_t registers = 0;               // those past the function's own are parts of these
};

// Two writes of a register keep one number where a read may see either of them. For analyses that ignore the order of instructions.
SplitBody SplitRegisters(const ir::Function& function);

}  // namespace racer

#endif  // RACER_CHECKER_SPLIT_REGISTERS_H_
