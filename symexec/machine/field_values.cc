// The value instructions of the table over the Field domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/exec_record.h"
#include "symexec/machine/field_traits.h"
#include "symexec/machine/machine_template.h"
#include "symexec/machine/opcode_count.h"

namespace racer {

template <>
std::vector<Core<FieldTraits>::ValueFunction> ValueFunctions<FieldTraits>() {
  std::vector<Core<FieldTraits>::ValueFunction> table(kOpcodeCount, nullptr);
#define RACER_INSTRUCTION(name) AddRecord<FieldTraits, isa::name>(&table, Opcode::k##name);
#include "ptx_frontend/isa/instructions.def"
  return table;
}

template <>
Core<FieldTraits>::ValueFunction HotFunction<FieldTraits>(const Decoded& in) {
  return FindHotForm<FieldTraits>(in);
}

}  // namespace racer
