// The floating-point forms of hot_forms.def over the Term domain.
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/traits.h"

namespace racer {

template <>
void AddHotFloats<TermTraits>(std::vector<HotForm<TermTraits>>* forms) {
#define RACER_HOT_FLOATS
#define RACER_HOT(record, count, ...) \
  forms->push_back({Opcode::k##record, Mods{__VA_ARGS__}, count, &ExecuteHot<TermTraits, isa::record, count, Mods{__VA_ARGS__}>});
#include "symexec/machine/hot_forms.def"
}

}  // namespace racer
