#include "symexec/machine/machine.h"
#include "symexec/machine/machine_template.h"
#include "symexec/machine/traits.h"

namespace racer {

template class Core<TermTraits>;

struct TermMachine::Impl {
  explicit Impl(TermStore& store) : core(&store) {}
  Core<TermTraits> core;
};

TermMachine::TermMachine(TermStore& store) : impl_(std::make_unique<Impl>(store)) {}
TermMachine::~TermMachine() = default;
RunResult TermMachine::Run(const RunConfig& config) { return impl_->core.Run(config); }
CellValue TermMachine::ReadCell(int buffer, uint64_t byte_offset, unsigned width) const {
  return impl_->core.ReadCell(buffer, byte_offset, width);
}
bool TermMachine::WasWritten(int buffer, uint64_t byte_offset, unsigned width) const {
  return impl_->core.WasWritten(buffer, byte_offset, width);
}
Where TermMachine::DescribeOrigin(uint32_t origin) const { return impl_->core.DescribeOrigin(origin); }
Finding TermMachine::DescribeUndef(uint32_t cause) const { return impl_->core.DescribeUndef(cause); }
}  // namespace racer
