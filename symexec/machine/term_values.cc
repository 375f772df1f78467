// The value instructions of the table over the Term domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/exec_record.h"
#include "symexec/machine/machine_template.h"
#include "symexec/machine/opcode_count.h"
#include "symexec/machine/traits.h"

namespace racer {

template <>
std::vector<Core<TermTraits>::ValueFunction> ValueFunctions<TermTraits>() {
  std::vector<Core<TermTraits>::ValueFunction> table(kOpcodeCount, nullptr);
#define RACER_INSTRUCTION(name) AddRecord<TermTraits, isa::name>(&table, Opcode::k##name);
#include "ptx_frontend/isa/instructions.def"
  return table;
}

template <>
Core<TermTraits>::ValueFunction HotFunction<TermTraits>(const Decoded& in) {
  return FindHotForm<TermTraits>(in);
}

}  // namespace racer
