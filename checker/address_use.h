// Whether what a kernel does can depend on where its tensors lie.
#ifndef RACER_CHECKER_ADDRESS_USE_H_
#define RACER_CHECKER_ADDRESS_USE_H_

#include "checker/contract.h"
#include "ptx_frontend/ir/module.h"

namespace racer {

// The first instruction that does more with the address of a tensor than add to it, access memory through it, or compare it
// with zero or with another address in the same tensor: masks, comparisons of two tensors, stores of it. Null: there is none, and
// the kernel behaves alike wherever its tensors lie, misaligned accesses aside. Flow-insensitive; what it does not
// understand, calls among it, counts as such a use.
const ir::Instruction* FindAddressUse(const ir::Function& entry, const CallSpec& call);

}  // namespace racer

#endif  // RACER_CHECKER_ADDRESS_USE_H_
