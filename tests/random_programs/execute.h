// Runs a program in racer's machines and sums up what it left in memory.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_EXECUTE_H_
#define RACER_TESTS_RANDOM_PROGRAMS_EXECUTE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/run.h"
#include "tests/random_programs/program.h"

namespace racer::programs {

// What every byte of the output is before the launch.
inline constexpr uint8_t kUnwritten = 0xcd;

// The launch of a program. Buffer 0 is the output, buffer 1 the input.
RunConfig MakeLaunch(const Program& program, const ir::Module& module, const std::vector<uint8_t>& inputs);

// The program's module; null where the parser refuses it, with what it says.
std::unique_ptr<ir::Module> Parse(const std::string& text, std::string* diagnostics);

// The output of a run in Bits of `text`, a program with the launch of `program`; empty where it did not complete cleanly,
// with the reason.
std::vector<uint8_t> RunBits(const Program& program, const std::string& text, const std::vector<uint8_t>& inputs, std::string* problem);

// A 64-bit digest of bytes, the same as in gpu_run.py. Short bytes are filled up with zeros.
uint64_t Digest(const std::vector<uint8_t>& bytes);
uint64_t Digest(const std::string& text);

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_EXECUTE_H_
