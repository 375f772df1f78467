#include "symexec/machine/field_traits.h"
#include "symexec/machine/machine.h"
#include "symexec/machine/machine_template.h"

namespace racer {

template class Core<FieldTraits>;

struct FieldMachine::Impl {
  explicit Impl(FieldStore& store) : core(&store) {}
  Core<FieldTraits> core;
};

FieldMachine::FieldMachine(FieldStore& store) : impl_(std::make_unique<Impl>(store)) {}
FieldMachine::~FieldMachine() = default;
RunResult FieldMachine::Run(const RunConfig& config) { return impl_->core.Run(config); }
CellValue FieldMachine::ReadCell(int buffer, uint64_t byte_offset, unsigned width) const {
  return impl_->core.ReadCell(buffer, byte_offset, width);
}
}  // namespace racer
