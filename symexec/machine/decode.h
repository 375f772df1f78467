// ir::Function to Program.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_H_
#define RACER_SYMEXEC_MACHINE_DECODE_H_

#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/layout.h"
#include "symexec/machine/program.h"

namespace racer {

// The entry and every function with a body that it can reach by direct calls; the entry first, the rest in order of
// discovery.
std::vector<const ir::Function*> ReachableFunctions(const ir::Module& module, const ir::Function& entry);

// Never fails: what cannot be decoded becomes Action::kUnsupported with a message, which counts only once it is reached.
Program Decode(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_H_
