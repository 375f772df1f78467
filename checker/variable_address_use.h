// Whether what a kernel does can depend on where its own variables lie.
#ifndef RACER_CHECKER_VARIABLE_ADDRESS_USE_H_
#define RACER_CHECKER_VARIABLE_ADDRESS_USE_H_

#include <optional>
#include <string>

#include "ptx_frontend/ir/module.h"

namespace racer {

struct VariableAddressUse {
  const ir::Instruction* instruction = nullptr;
  std::string variable;  // whose address it is: "`sm`", "what alloca gives"; empty: no variable's

  std::string ToString() const;
};

// The first instruction of `entry` or of a function that it may call that does more with the address of a variable, of dynamic or
// reserved shared memory or of what alloca gives than move it, add to it, convert it from or to the window that it is in, access its
// memory through it or compare it with null or within one variable; or that takes for an address what is none: a number, or what a
// window is asked for though it is no address in it. Null: there is none, and the kernel behaves alike wherever those lie.
// Flow-insensitive over registers; addresses and numbers are followed through .param variables, calls and variables in .local, numbers
// through .shared as well. What it does not understand counts as such a use.
std::optional<VariableAddressUse> FindVariableAddressUse(const ir::Module& module, const ir::Function& entry);

}  // namespace racer

#endif  // RACER_CHECKER_VARIABLE_ADDRESS_USE_H_
