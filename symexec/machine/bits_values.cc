// The value instructions of the table over the Bits domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/exec_record.h"
#include "symexec/machine/machine_template.h"
#include "symexec/machine/opcode_count.h"
#include "symexec/machine/traits.h"

namespace racer {

template <>
std::vector<Core<BitsTraits>::ValueFunction> ValueFunctions<BitsTraits>() {
  std::vector<Core<BitsTraits>::ValueFunction> table(kOpcodeCount, nullptr);
#define RACER_INSTRUCTION(name) AddRecord<BitsTraits, isa::name>(&table, Opcode::k##name);
#include "ptx_frontend/isa/instructions.def"
  return table;
}

template <>
Core<BitsTraits>::ValueFunction HotFunction<BitsTraits>(const Decoded& in) {
  return FindHotForm<BitsTraits>(in);
}

}  // namespace racer
