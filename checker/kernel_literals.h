// The integers that a kernel's text compares with, masks by or steps by: sizes at which it may behave differently.
#ifndef RACER_CHECKER_KERNEL_LITERALS_H_
#define RACER_CHECKER_KERNEL_LITERALS_H_

#include <cstdint>
#include <vector>

#include "ptx_frontend/ir/module.h"

namespace racer {

struct KernelLiterals {
  std::vector<int64_t> compared = {};  // in setp, set, slct, min, max: magnitudes, ascending, at least 1
  std::vector<int64_t> other = {};     // steps, masks (as their period), shifts (as powers of two), divisors, loaded constants
  std::vector<int64_t> of_ctas = {};   // what tells a CTA's index from others only past so many CTAs (block_literals.h)
};

// Of every function of the module that has a body and is no other entry.
KernelLiterals LiteralsOf(const ir::Module& module, const ir::Function& entry);
KernelLiterals Merge(const KernelLiterals& a, const KernelLiterals& b);

// The integer that a comparison has as an operand, if it has one.
bool ComparesWithLiteral(const ir::Instruction& instruction, int64_t* literal);

}  // namespace racer

#endif  // RACER_CHECKER_KERNEL_LITERALS_H_
