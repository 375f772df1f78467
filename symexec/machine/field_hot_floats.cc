// The floating-point forms of hot_forms.def over the Field domain.
#include "symexec/machine/exec_hot_field.h"

namespace racer {

template <>
void AddHotFloats<FieldTraits>(std::vector<HotForm<FieldTraits>>* forms) {
#define RACER_HOT_FLOATS
#define RACER_HOT(record, count, ...) \
  forms->push_back({Opcode::k##record, Mods{__VA_ARGS__}, count, &ExecuteHotField<isa::record, count, Mods{__VA_ARGS__}>});
#include "symexec/machine/hot_forms.def"
}

}  // namespace racer
