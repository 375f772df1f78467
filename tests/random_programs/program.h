// A generated PTX program as a tree of statements, so that it can be printed, reduced and mutated.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_PROGRAM_H_
#define RACER_TESTS_RANDOM_PROGRAMS_PROGRAM_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace racer::programs {

// An instruction of the table as written: `guard name operands;`.
struct Instr {
  std::string guard;  // "@%p1 ", "@!%p1 " or empty
  std::string name;   // "add.rn.f32"
  std::vector<std::string> operands;
};

// A statement. Without any of them the rest of a program is still valid: every register always holds a value.
struct Node {
  std::vector<std::string> before;  // lines that belong together
  std::optional<Instr> instr;       // then this
  struct Part {                     // then the bodies of a branch or loop, each followed by its lines
    std::vector<Node> nodes;
    std::vector<std::string> after;
  };
  std::vector<Part> parts;
};

struct Function {
  std::vector<std::string> head;  // up to the body, with the opening brace
  std::vector<Node> body;
  std::vector<std::string> tail;  // with the closing brace
};

struct Program {
  uint64_t seed = 0;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t row_bytes = 0;  // of the output, for each thread
  std::vector<std::string> module_scope;
  std::vector<Function> functions;  // the kernel `k` last

  uint32_t threads() const { return block[0] * block[1] * block[2] * grid[0] * grid[1] * grid[2]; }
};

std::string Print(const Instr& instr);
std::string Print(const Program& program);

// Instructions of the table in the program, in the order of its text.
std::vector<Instr*> Instructions(Program& program);
// Lists of statements, outermost first.
std::vector<std::vector<Node>*> Blocks(Program& program);

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_PROGRAM_H_
