// A random program for a seed: valid, typed, structured PTX for sm_90 that leaves nothing open.
//
// Every register is set before the body and nothing that follows unsets one, so any statement may be left out. Barriers
// and warp-wide operations stand where all the threads that they name come by; shared memory is written by its owner
// alone, between barriers. At the end each thread stores its registers to its row of the output.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_GENERATE_H_
#define RACER_TESTS_RANDOM_PROGRAMS_GENERATE_H_

#include <cstdint>
#include <vector>

#include "tests/random_programs/forms.h"
#include "tests/random_programs/program.h"

namespace racer::programs {

struct Shape {
  uint32_t statements = 60;  // of the kernel's outermost block, about
  bool values_only = false;  // straight-line code without memory of its own
  bool one_warp = false;     // one CTA of one warp
};

Program Generate(uint64_t seed, const Shape& shape, const FormTable& forms);

// What the kernel reads: kInputBytes bytes of numbers of every kind, edge cases among them.
inline constexpr uint32_t kInputBytes = 4096;
std::vector<uint8_t> MakeInputs(uint64_t seed);

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_GENERATE_H_
