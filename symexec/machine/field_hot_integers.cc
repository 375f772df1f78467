// The integer forms of hot_forms.def over the Field domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/field_traits.h"

namespace racer {

template <>
void AddHotIntegers<FieldTraits>(std::vector<HotForm<FieldTraits>>* forms) {
#define RACER_HOT(record, count, ...) \
  forms->push_back({Opcode::k##record, Mods{__VA_ARGS__}, count, &ExecuteHot<FieldTraits, isa::record, count, Mods{__VA_ARGS__}>});
#include "symexec/machine/hot_forms.def"
}

}  // namespace racer
