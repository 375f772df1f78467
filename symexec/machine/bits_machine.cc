#include "symexec/machine/machine.h"
#include "symexec/machine/machine_template.h"
#include "symexec/machine/traits.h"

namespace racer {

template class Core<BitsTraits>;

struct BitsMachine::Impl {
  Impl() : core(nullptr) {}
  Core<BitsTraits> core;
};

BitsMachine::BitsMachine() : impl_(std::make_unique<Impl>()) {}
BitsMachine::~BitsMachine() = default;
RunResult BitsMachine::Run(const RunConfig& config) { return impl_->core.Run(config); }
CellValue BitsMachine::ReadCell(int buffer, uint64_t byte_offset, unsigned width) const {
  return impl_->core.ReadCell(buffer, byte_offset, width);
}
bool BitsMachine::WasWritten(int buffer, uint64_t byte_offset, unsigned width) const {
  return impl_->core.WasWritten(buffer, byte_offset, width);
}
Where BitsMachine::DescribeOrigin(uint32_t origin) const { return impl_->core.DescribeOrigin(origin); }
}  // namespace racer
