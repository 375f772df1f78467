// Where everything lives: fake addresses of buffers and variables, and which object a byte belongs to.
//
// Every variable and buffer has a slot of its own, far larger than itself, so that an access that
// leaves it meets unmapped addresses and not a neighbour. Inside the slot it starts at an address
// with exactly the alignment that is known: a buffer's is what the contract grants; a shared
// variable's is that of packing the variables in order of declaration from address 0.
#ifndef RACER_SYMEXEC_MACHINE_LAYOUT_H_
#define RACER_SYMEXEC_MACHINE_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/run.h"

namespace racer {

// The address spaces that the machine keeps apart. kCallParam: .param variables of device functions
// and of call sites, which are addressed by name only.
enum class Space : uint8_t { kGlobal, kShared, kLocal, kConst, kParam, kCallParam };
constexpr int kSpaceCount = 6;
const char* SpaceName(Space space);  // "global"

struct Segment {
  std::string name;
  uint64_t base = 0;   // address of its first byte in its space
  uint64_t size = 0;   // bytes
  uint64_t dense = 0;  // offset of its first byte in the object of its space (global: 0, each segment is an object)
  int buffer = -1;     // index into RunConfig::buffers
  const ir::Variable* variable = nullptr;
  uint64_t align = 0;  // of a variable, as declared; 0: the address is as aligned as it will ever be
  bool writable = true;
};

// The segments of one space, found by address in constant time.
class SegmentTable {
 public:
  explicit SegmentTable(unsigned slot_shift) : slot_shift_(slot_shift) {}
  // The segment's base is (its slot) + phase.
  void Add(Segment segment, uint64_t phase);
  // The segment whose slot contains the address, whether or not the segment does; null outside all slots.
  const Segment* Slot(uint64_t address) const {
    const uint64_t slot = (address >> slot_shift_) - 1;
    return slot < segments_.size() ? &segments_[slot] : nullptr;
  }
  // The segment that holds all `size` bytes, or null.
  const Segment* Find(uint64_t address, uint64_t size) const {
    const Segment* segment = Slot(address);
    if (segment == nullptr) return nullptr;
    const uint64_t offset = address - segment->base;
    return offset <= segment->size && size <= segment->size - offset ? segment : nullptr;
  }
  // The segment with the smallest distance to the address; null if there is none.
  const Segment* Nearest(uint64_t address) const;
  const std::vector<Segment>& segments() const { return segments_; }
  uint64_t dense_size() const { return dense_size_; }
  void set_dense_size(uint64_t bytes) { dense_size_ = bytes; }

 private:
  unsigned slot_shift_;
  std::vector<Segment> segments_;
  uint64_t dense_size_ = 0;
};

// The generic windows, [base, base + 2^32). Their low halves are not zero: a generic address cut to 32 bits is not a
// valid shared address.
constexpr uint64_t kWindowSize = uint64_t{1} << 32;
constexpr unsigned kGlobalSlotShift = 40;
constexpr unsigned kSpaceSlotShift = 24;
constexpr uint64_t WindowBase(Space space) { return (uint64_t{0xe0} + static_cast<uint64_t>(space)) << kGlobalSlotShift | 0x0100'0000; }

// Made-up addresses of functions, by their index in the program: behind all windows, where nothing can be loaded or stored.
constexpr uint64_t kFunctionBase = uint64_t{0xf0} << kGlobalSlotShift;
constexpr uint64_t kFunctionStep = 16;

struct Layout {
  Layout();
  SegmentTable global{kGlobalSlotShift}, shared{kSpaceSlotShift}, local{kSpaceSlotShift}, constant{kSpaceSlotShift}, param{kSpaceSlotShift};
  // Where alloca allocates; null if no function does.
  const Segment* stack() const {
    return local.segments().empty() || local.segments().back().variable != nullptr ? nullptr : &local.segments().back();
  }
  const SegmentTable& Table(Space space) const;
  SegmentTable& Table(Space space);

  struct Place {
    Space space = Space::kGlobal;
    uint64_t address = 0;  // in the space; kCallParam: offset in the thread's block
  };
  std::unordered_map<const ir::Variable*, Place> places;
  std::vector<uint64_t> buffer_base;                             // by buffer
  std::unordered_map<std::string, uint64_t> function_addresses;  // only with RunConfig::assume_function_addresses
  std::optional<uint64_t> reserved_shared;                       // address of what the system reserves; only if it is named
  uint64_t static_shared = 0;                                    // bytes, packed
  uint64_t shared_bytes = 0;                                     // with the dynamic part
  uint64_t local_bytes = 0;                                      // a thread
  uint64_t call_param_bytes = 0;                                 // a thread

  // Splits a generic address; the offset is the address in that space.
  Space Resolve(uint64_t generic, uint64_t* address) const;
};

// What stops a layout: by name, with the variable's declaration if there is one.
struct LayoutProblem {
  std::string reason;
  const ir::Variable* variable = nullptr;
};

// Lays out the buffers and what `functions` (entry first) refer to. Module variables that nobody names are left out,
// but those named by a laid-out variable's initialiser are in.
std::optional<LayoutProblem> BuildLayout(const RunConfig& config, const std::vector<const ir::Function*>& functions, Layout* layout);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_LAYOUT_H_
