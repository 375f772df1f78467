// The written forms of a record: every combination of types and meaning-bearing modifiers that its grammar lines allow.
#ifndef RACER_PTX_FRONTEND_ISA_FORMS_H_
#define RACER_PTX_FRONTEND_ISA_FORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/isa/spec.h"

namespace racer {

struct WrittenForm {
  std::vector<std::string> modifiers;  // as written, without dots, in the grammar's order
  InstructionForm form;                // its spec is the record's; as many operands as the form takes
  bool several_counts = false;         // the record takes these modifiers with other numbers of operands too

  // "add.rn.ftz.f32"; with several_counts the number of operands follows: "max.f32/4".
  std::string Name() const;
};

// In the order of the grammar lines. A modifier without a meaning of its own (cache operators, levels, .uni) is left out where
// the grammar allows that, and written once, beside the first choice of everything else. Lines with `.*` or `...` have no
// forms, nor has what the matcher reads as another record's.
std::vector<WrittenForm> FormsOf(Opcode opcode);

// The instruction over registers named after its operands.
struct SampleOptions {
  bool second = false;     // with the second half of `d{|p}`; that of `d|p` is always there
  bool negated = false;    // with `!` where the grammar allows it
  uint64_t immediate = 0;  // for the operands that must be immediate
};
struct Sample {
  std::vector<std::string> declarations;  // ".reg .b32 %d;"; label operands keep their bare names
  std::string text;                       // "add.f32 %d, %a, %b;"
};
Sample SampleOf(const WrittenForm& written, const SampleOptions& options = {});

// The register type that holds a value of `type`: .pred, or untyped bits at least as wide (.b16 for .u8 and .s8).
ScalarType RegisterType(ScalarType type);
// Operands that must be literals, such as lop3's table and mma.sp's selector.
bool IsImmediateOnly(const OperandForm& operand);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_FORMS_H_
