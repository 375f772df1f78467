#include "scheduler/race_detector.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

// Bytes shadowed together until an access needs a finer cut.
constexpr uint32_t kPageBytes = 256;
constexpr uint32_t kMaxGranule = 16;
constexpr uint32_t kNoThread = ~uint32_t{0};

// One remembered access: who, when in that thread's history, and where.
struct Stamp {
  uint32_t cta = 0;
  uint32_t thread = kNoThread;
  uint32_t time = 0;
  uint32_t pc = 0;
};

struct Cell {
  Stamp write;
  Stamp read;               // the last read, if `reads` is empty
  uint64_t write_tag = 0;
  bool write_atomic = false;
  bool read_atomic = false;
  std::vector<Stamp> reads; // reads that nothing orders among each other
};

struct Page {
  uint32_t granule = 0;  // 0: untouched
  std::vector<Cell> cells;
};

MemoryEvent EventOf(const Stamp& stamp, MemoryEvent::Kind kind) {
  MemoryEvent event;
  event.kind = kind;
  event.cta = stamp.cta;
  event.thread = stamp.thread;
  event.pc = stamp.pc;
  return event;
}

}  // namespace

struct RaceDetector::Impl {
  explicit Impl(uint64_t size) : bytes(size), pages((size + kPageBytes - 1) / kPageBytes) {}

  // Whether the remembered access happens before what the event's thread does now.
  static bool Ordered(const CtaScheduler& scheduler, const Stamp& earlier, const MemoryEvent& event) {
    if (earlier.thread == kNoThread) return true;
    if (earlier.cta != event.cta) return false;
    return scheduler.Ordered({earlier.thread, earlier.time}, event.thread);
  }

  void Refine(Page& page, uint32_t granule) {
    uint32_t factor = page.granule / granule;
    std::vector<Cell> finer;
    finer.reserve(page.cells.size() * factor);
    for (const Cell& cell : page.cells) finer.insert(finer.end(), factor, cell);
    page.cells = std::move(finer);
    page.granule = granule;
  }

  std::optional<Race> Read(const CtaScheduler& scheduler, const MemoryEvent& event, Cell& cell, uint64_t at) {
    bool both_atomic = event.kind == MemoryEvent::Kind::kAtomic && cell.write_atomic;
    if (!both_atomic && !Ordered(scheduler, cell.write, event)) return Race{EventOf(cell.write, MemoryEvent::Kind::kWrite), event, at};
    Stamp stamp{event.cta, event.thread, scheduler.Now(event.thread).time, event.pc};
    if (cell.reads.empty()) {
      bool same = cell.read.cta == event.cta && cell.read.thread == event.thread;
      if (same || Ordered(scheduler, cell.read, event)) {
        cell.read = stamp;
        return std::nullopt;
      }
      cell.reads.push_back(cell.read);
    }
    for (Stamp& read : cell.reads) {
      if (read.cta == event.cta && read.thread == event.thread) {
        read = stamp;
        return std::nullopt;
      }
    }
    // Reads that are ordered before this one can race with nothing that this one does not race with.
    if (cell.reads.size() >= 64 && (cell.reads.size() & (cell.reads.size() - 1)) == 0) {
      std::erase_if(cell.reads, [&](const Stamp& read) { return Ordered(scheduler, read, event); });
    }
    cell.reads.push_back(stamp);
    return std::nullopt;
  }

  std::optional<Race> Write(const CtaScheduler& scheduler, const MemoryEvent& event, Cell& cell, uint64_t at) {
    bool atomic = event.kind == MemoryEvent::Kind::kAtomic;
    if (!(atomic && cell.write_atomic) && !Ordered(scheduler, cell.write, event)) {
      bool harmless = event.value_tag != 0 && event.value_tag == cell.write_tag;
      if (!harmless) return Race{EventOf(cell.write, cell.write_atomic ? MemoryEvent::Kind::kAtomic : MemoryEvent::Kind::kWrite), event, at};
      ++benign;
    }
    if (cell.reads.empty()) {
      if (!Ordered(scheduler, cell.read, event)) return Race{EventOf(cell.read, MemoryEvent::Kind::kRead), event, at};
    } else {
      for (const Stamp& read : cell.reads) {
        if (!Ordered(scheduler, read, event)) return Race{EventOf(read, MemoryEvent::Kind::kRead), event, at};
      }
      cell.reads.clear();
    }
    cell.read = Stamp{};
    cell.write = {event.cta, event.thread, scheduler.Now(event.thread).time, event.pc};
    cell.write_tag = event.value_tag;
    cell.write_atomic = atomic;
    return std::nullopt;
  }

  std::optional<Race> Access(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size) {
    RACER_CHECK(offset + size <= bytes && size > 0);
    uint64_t end = offset + size;
    while (offset < end) {
      Page& page = pages[offset / kPageBytes];
      uint64_t page_end = (offset / kPageBytes + 1) * kPageBytes;
      uint32_t part = static_cast<uint32_t>(std::min(end, page_end) - offset);
      uint32_t within = static_cast<uint32_t>(offset % kPageBytes);
      // The largest power of two that divides both the place and the size of this access.
      uint32_t cut = kMaxGranule;
      while ((within | part) % cut != 0) cut /= 2;
      if (page.granule == 0) {
        page.granule = cut;
        page.cells.resize(kPageBytes / cut);
      } else if (page.granule > cut) {
        Refine(page, cut);
      }
      for (uint32_t i = within / page.granule; i < (within + part) / page.granule; ++i) {
        uint64_t at = offset - within + uint64_t{i} * page.granule;
        std::optional<Race> race =
            event.kind == MemoryEvent::Kind::kRead ? Read(scheduler, event, page.cells[i], at) : Write(scheduler, event, page.cells[i], at);
        if (race.has_value()) return race;
      }
      offset += part;
    }
    return std::nullopt;
  }

  uint64_t bytes;
  std::vector<Page> pages;
  uint64_t benign = 0;
};

RaceDetector::RaceDetector(uint64_t bytes) : impl_(std::make_unique<Impl>(bytes)) {}
RaceDetector::~RaceDetector() = default;
RaceDetector::RaceDetector(RaceDetector&&) noexcept = default;

std::optional<Race> RaceDetector::Access(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size) {
  return impl_->Access(scheduler, event, offset, size);
}

void RaceDetector::Reset() { impl_ = std::make_unique<Impl>(impl_->bytes); }
uint64_t RaceDetector::benign_same_value() const { return impl_->benign; }

}  // namespace racer
