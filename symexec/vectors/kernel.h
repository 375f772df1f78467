// A small kernel that runs one written form on operands from memory: what the vectors of testdata/ were recorded with, and
// what the Bits machine replays.
#ifndef RACER_SYMEXEC_VECTORS_KERNEL_H_
#define RACER_SYMEXEC_VECTORS_KERNEL_H_

#include <string>
#include <vector>

#include "ptx_frontend/isa/forms.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

// What a vector of a form holds: the values read, in the order of the operands, then the values written.
struct VectorShape {
  std::vector<ScalarType> in, out;
  bool warp = false;                         // 32 vectors are the lanes of one warp
  bool memory = false;                       // in[0] is what memory holds before; the last result is what it holds after
  bool carry_in = false, carry_out = false;  // the carry or borrow: the last value read, the last result
};

// Whether the form can be run on operands in registers (and one cell of memory for atom and red), and how.
// Values wider than 64 bits, and instructions that are no function of these, have no shape.
struct VectorForm {
  WrittenForm written;
  VectorShape shape;
};
std::vector<VectorForm> VectorForms();

// "add_rn_f32" for "add.rn.f32".
std::string KernelName(const WrittenForm& written);

// `.entry NAME(.param .u64 in, .param .u64 out)`. Thread i of the grid (blocks of 32) reads its operands at in + 8 * i * |in|,
// 8 bytes each, and writes its results to out + 8 * i * |out|, which must hold zeros. In a warp's form a lane that is not in
// its own mask does not execute the instruction.
std::string VectorKernel(const VectorForm& form);
// Of a module with these kernels.
inline constexpr char kVectorModuleHeader[] = ".version 8.8\n.target sm_90a\n.address_size 64\n";

}  // namespace racer

#endif  // RACER_SYMEXEC_VECTORS_KERNEL_H_
