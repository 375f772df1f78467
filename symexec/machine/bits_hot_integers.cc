// The integer forms of hot_forms.def over the Bits domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/traits.h"

namespace racer {

template <>
void AddHotIntegers<BitsTraits>(std::vector<HotForm<BitsTraits>>* forms) {
#define RACER_HOT(record, count, ...) \
  forms->push_back({Opcode::k##record, Mods{__VA_ARGS__}, count, &ExecuteHot<BitsTraits, isa::record, count, Mods{__VA_ARGS__}>});
#include "symexec/machine/hot_forms.def"
}

}  // namespace racer
