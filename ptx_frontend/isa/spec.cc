#include "ptx_frontend/isa/spec.h"

#include <iterator>

#include "base/check.h"
#include "ptx_frontend/isa/all.h"

namespace racer {

const Spec& SpecOf(Opcode opcode) {
  static constexpr const Spec* kSpecs[] = {
      nullptr,  // kUnknown
#define RACER_INSTRUCTION(name) &isa::name::kSpec,
#include "ptx_frontend/isa/instructions.def"
  };
  const size_t index = static_cast<size_t>(opcode);
  RACER_CHECK(index > 0 && index < std::size(kSpecs));
  return *kSpecs[index];
}

}  // namespace racer
