// Runs the recorded kernels in the Bits machine and compares what they write with what the GPU wrote.
#ifndef RACER_SYMEXEC_VECTORS_REPLAY_H_
#define RACER_SYMEXEC_VECTORS_REPLAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ptx_frontend/isa/spec.h"
#include "symexec/vectors/goldens.h"

namespace racer {

struct FormReplay {
  std::string name;
  Opcode opcode = Opcode::kUnknown;
  uint64_t vectors = 0;
  uint64_t mismatches = 0;  // exact forms: other bits; bounded ones: beyond the manual's bound, or another special value
  uint64_t undefined = 0;   // left open by the manual, so that nothing is compared
  std::string first_wrong;  // the first mismatch, or why the machine did not run the kernel
  double worst_ulp = 0;     // bounded: of the GPU's results against the exact values, in units in the last place
  double worst_share = 0;   // the same as a share of the manual's bound, where it promises one
  uint64_t unpromised = 0;  // vectors for which the manual promises nothing
};

// Every form of the file that the table still has; the others come back with opcode kUnknown.
std::vector<FormReplay> Replay(const VectorFile& file);

}  // namespace racer

#endif  // RACER_SYMEXEC_VECTORS_REPLAY_H_
