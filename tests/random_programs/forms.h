// The instructions that programs are made of: grammar lines of the table, kept in a file so that a seed means the same
// program when the table grows.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_FORMS_H_
#define RACER_TESTS_RANDOM_PROGRAMS_FORMS_H_

#include <memory>
#include <string>
#include <vector>

#include "ptx_frontend/isa/grammar.h"
#include "ptx_frontend/isa/match.h"
#include "tests/random_programs/rng.h"

namespace racer::programs {

class FormTable {
 public:
  // One grammar line a line; those that start with # are comments.
  explicit FormTable(const std::string& text);

  struct Drawn {
    std::string name;  // mnemonic and modifiers
    InstructionForm form;
  };
  // A form of which programs may rely on the result.
  Drawn Draw(Rng& rng) const;

 private:
  struct Mnemonic {
    std::string name;
    std::vector<isa::GrammarLine> lines;
  };
  std::vector<std::unique_ptr<const std::string>> texts_;  // that the lines point into
  std::vector<Mnemonic> mnemonics_;
};

// The grammar lines of the table that compute exact values on sm_90 under PTX 8.3.
std::string EligibleLines();

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_FORMS_H_
