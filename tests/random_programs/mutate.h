// Changes to a generated program: rules broken, meanings kept, meanings changed.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_MUTATE_H_
#define RACER_TESTS_RANDOM_PROGRAMS_MUTATE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/random_programs/program.h"
#include "tests/random_programs/rng.h"

namespace racer::programs {

// A text that breaks one rule of the language.
struct Broken {
  std::string rule;
  std::string text;
};
std::vector<Broken> BreakRules(const Program& program, Rng& rng);

// One integer instruction written in another way with the same result; nullopt if there is none to change.
std::optional<Program> SameMeaning(const Program& program, Rng& rng);
// One integer instruction replaced by another, which may or may not change what the program leaves in memory.
std::optional<Program> OtherInstruction(const Program& program, Rng& rng);

// The smallest program found by leaving out statements of which `wanted` is still true. `wanted(program)` holds at first.
Program Reduce(Program program, const std::function<bool(const Program&)>& wanted);

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_MUTATE_H_
