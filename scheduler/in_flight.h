// Accesses that asynchronous copies may make at any time from their issue to the wait for them.
#ifndef RACER_SCHEDULER_IN_FLIGHT_H_
#define RACER_SCHEDULER_IN_FLIGHT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "scheduler/memory_event.h"

namespace racer {

// Whoever runs between issue and wait in one schedule is ordered neither before the first nor after the second, or could not run
// there: every conflicting access is a race. Counts by granules of four bytes find them fast, the list tells which.
class InFlight {
 public:
  explicit InFlight(uint64_t bytes) : pages_((bytes >> kPageShift) + 1) {}

  bool empty() const { return copies_.empty(); }
  // Returns a name for End.
  uint64_t Begin(const MemoryEvent& event, uint64_t offset, uint32_t size) {
    Count(event.kind, offset, size, 1);
    copies_.emplace(++last_, Copy{event, offset, size});
    return last_;
  }
  void End(uint64_t name) {
    auto found = copies_.find(name);
    if (found == copies_.end()) return;
    const Copy& copy = found->second;
    Count(copy.event.kind, copy.offset, copy.size, ~uint32_t{0});
    copies_.erase(found);
  }
  void Clear() {
    for (const auto& [name, copy] : copies_) Count(copy.event.kind, copy.offset, copy.size, ~uint32_t{0});
    copies_.clear();
  }

  // The oldest copy in conflict with such an access, or null.
  const MemoryEvent* Find(MemoryEvent::Kind kind, uint64_t offset, uint32_t size) const {
    bool any = false;
    for (uint64_t granule = offset >> 2; granule <= (offset + size - 1) >> 2 && !any; ++granule) {
      const Page* page = pages_[granule >> (kPageShift - 2)].get();
      if (page == nullptr) continue;
      const Counts& counts = (*page)[granule & (kGranules - 1)];
      any = counts.writes != 0 || (kind != MemoryEvent::Kind::kRead && counts.reads != 0);
    }
    if (!any) return nullptr;
    uint64_t oldest = ~uint64_t{0};
    const MemoryEvent* event = nullptr;
    for (const auto& [name, copy] : copies_) {
      if (kind == MemoryEvent::Kind::kRead && copy.event.kind == MemoryEvent::Kind::kRead) continue;
      if (copy.offset >= offset + size || offset >= copy.offset + copy.size || name >= oldest) continue;
      oldest = name;
      event = &copy.event;
    }
    return event;
  }

 private:
  static constexpr uint32_t kPageShift = 12;
  static constexpr uint32_t kGranules = 1 << (kPageShift - 2);
  struct Counts {
    uint32_t reads = 0, writes = 0;
  };
  using Page = std::array<Counts, kGranules>;
  struct Copy {
    MemoryEvent event;
    uint64_t offset = 0;
    uint32_t size = 0;
  };

  void Count(MemoryEvent::Kind kind, uint64_t offset, uint32_t size, uint32_t by) {
    for (uint64_t granule = offset >> 2; granule <= (offset + size - 1) >> 2; ++granule) {
      std::unique_ptr<Page>& page = pages_[granule >> (kPageShift - 2)];
      if (page == nullptr) page = std::make_unique<Page>();
      Counts& counts = (*page)[granule & (kGranules - 1)];
      (kind == MemoryEvent::Kind::kRead ? counts.reads : counts.writes) += by;
    }
  }

  std::vector<std::unique_ptr<Page>> pages_;
  std::unordered_map<uint64_t, Copy> copies_;  // by name
  uint64_t last_ = 0;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_IN_FLIGHT_H_
