#include "scheduler/race_detector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/check.h"
#include "scheduler/access_set.h"
#include "scheduler/in_flight.h"

namespace racer {
namespace {

using Kind = MemoryEvent::Kind;

constexpr uint32_t kBlockShift = 4;  // a block holds one cell of 16 bytes, or smaller ones once an access cuts it
constexpr uint32_t kBlockBytes = 1 << kBlockShift;
constexpr uint32_t kPageShift = 12;
constexpr uint32_t kBlocksPerPage = 1 << (kPageShift - kBlockShift);
constexpr uint32_t kCellsPerChunk = 1024;
// Longer accesses carry no tag: their distance from a cell must fit a byte.
constexpr uint32_t kMaxTaggedBytes = 64;

// What atomics of one cell share if whoever conflicts with one of them conflicts with all.
struct AtomicShape {
  uint64_t key = 0;
  uint32_t bytes = 0, distance = 0;  // of the atomic's location; of the cell from its start
  bool cta_scope = false;

  bool SameBytes(const AtomicShape& o) const { return bytes == o.bytes && distance == o.distance; }
  friend bool operator==(const AtomicShape&, const AtomicShape&) = default;
};
struct Atomics {
  AtomicShape shape;
  Accesses first;
  MoreAccesses more;
};

// What a cell remembers beside one write and one read.
struct Rest {
  MoreAccesses writes, reads;
  std::vector<Atomics> atomics;
  std::vector<Accesses> before;  // as in Cell

  void Clear() {
    writes.Clear();
    reads.Clear();
    atomics.clear();
    before.clear();
  }
};

// Bytes that have been accessed only together.
struct Cell {
  Accesses write;            // the last write, or unordered writes of the same value
  Accesses read;             // reads since then
  uint64_t tag = 0;          // of all writes in the set, 0 as soon as an atomic came
  uint8_t tag_distance = 0;  // of the cell from the start of the tagged write
  uint8_t tag_bytes = 0;     // length of the tagged write
  // What the first write of a tagged set took the place of, with Rest::before: another writer of the value must come after it.
  Accesses before_write, before_read;
  Rest* rest = nullptr;
};

struct Block {
  Cell* cells = nullptr;
  uint32_t shift = 0;  // log2 of the bytes of a cell
};

struct Page {
  uint32_t generation = 0;
  std::array<Block, kBlocksPerPage> blocks{};
};

// An access that the present one is not ordered after.
struct Conflict {
  Kind kind;
  Accesses accesses;
  uint32_t lane;
  bool by_exit;
  bool order_matters = false;
};

// Collects conflicts, a sure one before one that an exited thread leaves open.
class ConflictFinder {
 public:
  explicit ConflictFinder(const PresentAccess& access) : access_(access) {}

  void Look(Kind kind, const Accesses& earlier) {
    for (LaneMask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
      uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (access_.Ordered(earlier, lane)) {
        any_ordered_ = true;
        continue;
      }
      bool by_exit = earlier.cta == access_.cta && access_.scheduler.ExitedBeforeBarrier(earlier.warp * kWarpSize + lane);
      if (!found_.has_value() || (found_->by_exit && !by_exit)) found_ = Conflict{kind, earlier, lane, by_exit};
      if (earlier.cta != access_.cta) return;  // the other lanes are no better
    }
  }
  void Look(Kind kind, const MoreAccesses& more) {
    for (const Accesses& earlier : more.list) Look(kind, earlier);
  }
  void Look(const std::vector<Atomics>& groups) {
    for (const Atomics& group : groups) {
      Look(Kind::kAtomic, group.first);
      Look(Kind::kAtomic, group.more);
    }
  }
  const std::optional<Conflict>& found() const { return found_; }
  bool any_ordered() const { return any_ordered_; }

 private:
  const PresentAccess& access_;
  std::optional<Conflict> found_;
  bool any_ordered_ = false;
};

}  // namespace

struct RaceDetector::Impl {
  explicit Impl(uint64_t bytes) : bytes(bytes), pages((bytes + (uint64_t{1} << kPageShift) - 1) >> kPageShift), in_flight(bytes) {}

  // --- storage
  Cell* NewCells(uint32_t count) {
    if (chunk_used + count > kCellsPerChunk || chunks_used == 0) {
      chunk_is_new = chunks_used == chunks.size();
      if (chunk_is_new) chunks.push_back(std::make_unique<Cell[]>(kCellsPerChunk));
      ++chunks_used;
      chunk_used = 0;
    }
    Cell* cells = chunks[chunks_used - 1].get() + chunk_used;
    chunk_used += count;
    if (!chunk_is_new) std::fill(cells, cells + count, Cell{});
    return cells;
  }

  Rest* NewRest() {
    if (!free_rests.empty()) {
      Rest* rest = free_rests.back();
      free_rests.pop_back();
      return rest;
    }
    if (rests_used == rests.size()) rests.push_back(std::make_unique<Rest>());
    Rest* rest = rests[rests_used++].get();
    rest->Clear();
    return rest;
  }
  void FreeRest(Cell* cell) {
    if (cell->rest == nullptr) return;
    cell->rest->Clear();
    free_rests.push_back(cell->rest);
    cell->rest = nullptr;
  }

  Block* BlockAt(uint64_t offset) {
    std::unique_ptr<Page>& page = pages[offset >> kPageShift];
    if (page == nullptr) [[unlikely]] {
      page = std::make_unique<Page>();
      page->generation = generation;
    } else if (page->generation != generation) [[unlikely]] {
      *page = Page{};
      page->generation = generation;
    }
    return &page->blocks[(offset >> kBlockShift) & (kBlocksPerPage - 1)];
  }

  // Cuts the block's cells so that none is larger than 1 << shift bytes.
  void Cut(Block* block, uint32_t shift) {
    if (block->cells == nullptr) {
      block->cells = NewCells(kBlockBytes >> shift);
      block->shift = shift;
      return;
    }
    if (block->shift <= shift) return;
    uint32_t old_count = kBlockBytes >> block->shift;
    uint32_t factor = uint32_t{1} << (block->shift - shift);
    Cell* finer = NewCells(old_count * factor);
    for (uint32_t i = 0; i < old_count * factor; ++i) {
      const Cell& from = block->cells[i / factor];
      finer[i] = from;
      finer[i].tag_distance = static_cast<uint8_t>(from.tag_distance + ((i % factor) << shift));
      if (from.rest == nullptr || i % factor == 0) continue;
      finer[i].rest = NewRest();
      *finer[i].rest = *from.rest;
      for (Atomics& group : finer[i].rest->atomics) group.shape.distance += (i % factor) << shift;
    }
    block->cells = finer;
    block->shift = shift;
  }

  // --- one cell
  struct Tag {
    uint64_t value = 0;
    uint64_t start = 0;
    uint32_t bytes = 0;
  };

  void AddRead(Cell* cell, const PresentAccess& access) {
    if (AccessSet(&cell->read, cell->rest == nullptr ? nullptr : &cell->rest->reads).Add(access)) return;
    cell->rest = NewRest();
    AccessSet(&cell->read, &cell->rest->reads).Add(access);
  }
  void AddSameValue(Cell* cell, const PresentAccess& access) {
    if (AccessSet(&cell->write, cell->rest == nullptr ? nullptr : &cell->rest->writes).AddSameValue(access)) return;
    cell->rest = NewRest();
    AccessSet(&cell->write, &cell->rest->writes).AddSameValue(access);
  }

  std::optional<Conflict> Read(Cell* cell, const PresentAccess& access) {
    if (cell->rest != nullptr || !access.OrderedAll(cell->write)) [[unlikely]] {
      ConflictFinder writes(access);
      writes.Look(Kind::kWrite, cell->write);
      if (cell->rest != nullptr) writes.Look(Kind::kWrite, cell->rest->writes);
      if (writes.found().has_value()) {
        // All writes of the set wrote the same, and one of them has surely been made.
        if (cell->tag == 0 || !writes.any_ordered()) return writes.found();
        ++benign;
      }
      if (cell->rest != nullptr) {
        ConflictFinder atomics(access);
        atomics.Look(cell->rest->atomics);
        if (atomics.found().has_value()) return atomics.found();
      }
    }
    AddRead(cell, access);
    return std::nullopt;
  }

  bool PassesForSame(const Cell& cell, const Tag& tag, const PresentAccess& access) const {
    const bool one_instruction =
        cell.write.warp == access.warp && cell.write.pc == access.pc && (cell.rest == nullptr || cell.rest->writes.list.empty());
    return one_instruction && same_value && same_value(cell.tag, tag.value, access.pc);
  }

  static bool SameBytes(const Cell& cell, uint64_t at, const PresentAccess& access, const Tag& tag) {
    return cell.tag != 0 && tag.value != 0 && cell.write.cta == access.cta && at - tag.start == cell.tag_distance &&
           tag.bytes == cell.tag_bytes;
  }
  // Such a write, though ordered after the others, does not take their place: who is ordered after one of them, and not after it, reads
  // the value all the same, whichever of the two comes first in the schedule that runs.
  static bool WritesWhatIsThere(const Cell& cell, uint64_t at, const PresentAccess& access, const Tag& tag) {
    return SameBytes(cell, at, access, tag) && cell.tag == tag.value;
  }

  // What is there becomes what was before the write that is being made; nobody asks for it where that carries no tag.
  void Remember(Cell* cell, bool tagged) {
    cell->before_write = tagged ? cell->write : Accesses{};
    cell->before_read = tagged ? cell->read : Accesses{};
    if (cell->rest == nullptr) return;
    std::vector<Accesses> before;
    const auto add = [&](const MoreAccesses& more) { before.insert(before.end(), more.list.begin(), more.list.end()); };
    if (tagged) {
      add(cell->rest->writes);
      add(cell->rest->reads);
      for (const Atomics& group : cell->rest->atomics) {
        before.push_back(group.first);
        add(group.more);
      }
    }
    if (before.empty()) return FreeRest(cell);
    cell->rest->Clear();
    cell->rest->before = std::move(before);
  }
  static std::optional<Conflict> WithBefore(const Cell& cell, const PresentAccess& access) {
    ConflictFinder finder(access);
    finder.Look(Kind::kWrite, cell.before_write);
    finder.Look(Kind::kRead, cell.before_read);
    if (cell.rest != nullptr) {
      for (const Accesses& before : cell.rest->before) finder.Look(Kind::kRead, before);
    }
    return finder.found();
  }

  std::optional<Conflict> Write(Cell* cell, uint64_t at, const PresentAccess& access, const Tag& tag) {
    if (cell->rest != nullptr || !access.OrderedAll(cell->write) || !access.OrderedAll(cell->read)) [[unlikely]] {
      ConflictFinder finder(access);
      finder.Look(Kind::kWrite, cell->write);
      if (cell->rest != nullptr) finder.Look(Kind::kWrite, cell->rest->writes);
      const bool after_a_write = finder.any_ordered();
      finder.Look(Kind::kRead, cell->read);
      if (cell->rest != nullptr) {
        finder.Look(Kind::kRead, cell->rest->reads);
        finder.Look(cell->rest->atomics);
      }
      if (finder.found().has_value()) {
        // Memory holds this value since the first write of the set, and every read remembered came after one of them. What came before
        // that must have come before this write, too. CTAs that write the same cell share work by mistake, whatever they write.
        const bool same = SameBytes(*cell, at, access, tag) && (cell->tag == tag.value || PassesForSame(*cell, tag, access));
        if (!same) return finder.found();
        if (!after_a_write) {
          if (std::optional<Conflict> conflict = WithBefore(*cell, access)) return conflict;
        }
        // Lanes of one instruction write at once.
        const Accesses& other = finder.found()->accesses;
        if (finder.found()->kind != Kind::kWrite || other.warp != access.warp || other.pc != access.pc) ++benign;
        AddSameValue(cell, access);
        return std::nullopt;
      }
    }
    if (WritesWhatIsThere(*cell, at, access, tag)) {
      cell->read.lanes = 0;
      if (cell->rest != nullptr) cell->rest->reads.Clear();
      AddSameValue(cell, access);
      return std::nullopt;
    }
    Remember(cell, tag.value != 0);
    cell->write = access.ToAccesses();
    cell->read.lanes = 0;
    cell->tag = tag.value;
    cell->tag_distance = static_cast<uint8_t>(tag.value == 0 ? 0 : at - tag.start);
    cell->tag_bytes = static_cast<uint8_t>(tag.value == 0 ? 0 : tag.bytes);
    return std::nullopt;
  }

  // A lane of `earlier` that nothing orders before the access.
  static std::optional<uint32_t> Unordered(const PresentAccess& access, const Accesses& earlier) {
    for (LaneMask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
      const uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (!access.Ordered(earlier, lane)) return lane;
    }
    return std::nullopt;
  }

  // Among atomics: a race, else an order that matters. *unordered: there is one of the same key that nothing orders.
  static std::optional<Conflict> AmongAtomics(const Rest& rest, const PresentAccess& access, const AtomicShape& shape, bool* unordered) {
    std::optional<Conflict> conflict;
    for (const Atomics& group : rest.atomics) {
      const bool commute = shape.key != 0 && group.shape.key == shape.key;
      const auto look = [&](const Accesses& earlier) {
        const std::optional<uint32_t> lane = Unordered(access, earlier);
        if (!lane) return false;
        const bool covered = group.shape.SameBytes(shape) && (earlier.cta == access.cta || (!group.shape.cta_scope && !shape.cta_scope));
        if (covered && commute) {
          *unordered = true;
          return !shape.cta_scope && !group.shape.cta_scope;  // the others are no worse
        }
        const bool by_exit = earlier.cta == access.cta && access.scheduler.ExitedBeforeBarrier(earlier.warp * kWarpSize + *lane);
        if (!conflict || conflict->order_matters) conflict = Conflict{Kind::kAtomic, earlier, *lane, by_exit, covered};
        return !covered;
      };
      bool done = look(group.first);
      for (size_t i = 0; i < group.more.list.size() && !done; ++i) done = look(group.more.list[i]);
      if (conflict && !conflict->order_matters) return conflict;
    }
    return conflict;
  }

  std::optional<Conflict> Atomic(Cell* cell, const PresentAccess& access, const AtomicShape& shape) {
    ConflictFinder finder(access);
    finder.Look(Kind::kWrite, cell->write);
    finder.Look(Kind::kRead, cell->read);
    if (cell->rest != nullptr) {
      finder.Look(Kind::kWrite, cell->rest->writes);
      finder.Look(Kind::kRead, cell->rest->reads);
    }
    if (finder.found().has_value()) return finder.found();
    cell->tag = 0;
    if (cell->rest == nullptr) cell->rest = NewRest();
    bool unordered = false;
    if (std::optional<Conflict> conflict = AmongAtomics(*cell->rest, access, shape, &unordered)) return conflict;
    if (unordered) ++unordered_atomics;
    std::vector<Atomics>& groups = cell->rest->atomics;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Atomics& g) { return g.shape == shape; });
    if (group == groups.end()) group = groups.insert(groups.end(), {.shape = shape, .first = {}, .more = {}});
    AccessSet(&group->first, &group->more).Add(access);
    return std::nullopt;
  }

  // --- one access
  std::optional<Race> Access(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size) {
    RACER_CHECK(size > 0 && size <= bytes && offset <= bytes - size && event.thread < scheduler.thread_count());
    PresentAccess access{.scheduler = scheduler,
                         .cta = event.cta,
                         .thread = event.thread,
                         .pc = event.pc,
                         .warp = event.thread / kWarpSize,
                         .time = scheduler.Now(event.thread).time,
                         .lane = LaneMask{1} << (event.thread % kWarpSize)};
    if (!in_flight.empty()) [[unlikely]] {
      if (const MemoryEvent* copy = in_flight.Find(event.kind, offset, size)) return Race{*copy, event, offset};
    }
    Tag tag;
    if (event.value_tag != 0 && size <= kMaxTaggedBytes) tag = {event.value_tag, offset, size};
    // The largest power of two that divides both the place and the size.
    uint32_t shift = std::min<uint32_t>(kBlockShift, static_cast<uint32_t>(std::countr_zero(offset | size)));
    uint64_t end = offset + size;
    for (uint64_t at = offset; at < end;) {
      Block* block = BlockAt(at);
      if (block->cells == nullptr || block->shift > shift) [[unlikely]]
        Cut(block, shift);
      uint64_t block_end = std::min(end, (at | (kBlockBytes - 1)) + 1);
      for (; at < block_end; at += uint64_t{1} << block->shift) {
        Cell* cell = &block->cells[(at & (kBlockBytes - 1)) >> block->shift];
        std::optional<Conflict> conflict;
        switch (event.kind) {
          case Kind::kRead: conflict = Read(cell, access); break;
          case Kind::kWrite: conflict = Write(cell, at, access, tag); break;
          case Kind::kAtomic:
            conflict = Atomic(
                cell, access,
                {.key = event.atomic_key, .bytes = size, .distance = static_cast<uint32_t>(at - offset), .cta_scope = event.cta_scope});
            break;
        }
        if (conflict.has_value()) [[unlikely]]
          return ToRace(*conflict, event, at);
      }
    }
    return std::nullopt;
  }

  // --- the accesses of a warp, as long as each needs one cell and finds everything in it ordered before
  [[gnu::noinline]] void CutFresh(Block* block, uint32_t shift) { Cut(block, shift); }
  [[gnu::noinline]] static bool OrderedSet(const CtaScheduler& scheduler, const Accesses& earlier, uint32_t thread) {
    for (LaneMask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
      if (!scheduler.Ordered({earlier.warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest)), earlier.time}, thread))
        return false;
    }
    return true;
  }
  static bool OrderedAll(const CtaScheduler& scheduler, const Accesses& earlier, uint32_t cta, uint32_t thread) {
    if (earlier.lanes == 0) return true;
    if (earlier.cta != cta) return false;
    if ((earlier.lanes & (earlier.lanes - 1)) != 0) return OrderedSet(scheduler, earlier, thread);
    return scheduler.Ordered({earlier.warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(earlier.lanes)), earlier.time}, thread);
  }

  template <bool kWrite, bool kOnePart>
  uint32_t AccessLanes(const CtaScheduler& scheduler, const WarpAccess& warp) {
    const uint32_t cta = warp.cta, pc = warp.pc, size = warp.size, parts = kOnePart ? 1 : warp.parts;
    const uint32_t shift = static_cast<uint32_t>(std::countr_zero(size));
    const uint64_t limit = bytes - size;
    uint32_t done = 0;
    for (LaneMask rest = warp.lanes; rest != 0; rest &= rest - 1) {
      const uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest)), thread = warp.warp * kWarpSize + lane;
      const uint32_t time = scheduler.Now(thread).time;
      uint64_t at = warp.offsets[lane];
      for (uint32_t part = 0; part < parts; ++part, at += size, ++done) {
        if ((at & (size - 1)) != 0 || at > limit) return done;
        Block* block = BlockAt(at);
        if (block->cells == nullptr) [[unlikely]]
          CutFresh(block, shift);
        if (block->shift != shift) return done;
        Cell* cell = &block->cells[(at & (kBlockBytes - 1)) >> shift];
        if (cell->rest != nullptr || !OrderedAll(scheduler, cell->write, cta, thread)) return done;
        Accesses& read = cell->read;
        if constexpr (kWrite) {
          const uint64_t tag = warp.value_tags[lane * parts + part];
          if (tag != 0 && tag == cell->tag) return done;
          if (!OrderedAll(scheduler, read, cta, thread)) return done;
          cell->before_write = tag == 0 ? Accesses{} : cell->write;
          cell->before_read = tag == 0 ? Accesses{} : read;
          cell->write = {.cta = cta, .warp = warp.warp, .time = time, .pc = pc, .lanes = LaneMask{1} << lane};
          read.lanes = 0;
          cell->tag = tag;
          cell->tag_distance = 0;
          cell->tag_bytes = static_cast<uint8_t>(cell->tag == 0 ? 0 : size);
        } else if (read.pc == pc && read.time == time && read.warp == warp.warp && read.cta == cta) {
          read.lanes |= LaneMask{1} << lane;
        } else {
          if (!OrderedAll(scheduler, read, cta, thread)) return done;
          read = {.cta = cta, .warp = warp.warp, .time = time, .pc = pc, .lanes = LaneMask{1} << lane};
        }
      }
    }
    return done;
  }

  bool MeetsCopy(const WarpAccess& warp) const {
    const uint64_t length = uint64_t{warp.parts} * warp.size;
    for (LaneMask rest = warp.lanes; rest != 0; rest &= rest - 1) {
      const uint64_t offset = warp.offsets[std::countr_zero(rest)];
      if (length > bytes || offset > bytes - length || in_flight.Find(warp.kind, offset, static_cast<uint32_t>(length)) != nullptr)
        return true;
    }
    return false;
  }

  // Beside cells, Access looks at the copies that are under way.
  uint32_t AccessWarp(const CtaScheduler& scheduler, const WarpAccess& warp) {
    RACER_CHECK(warp.kind != Kind::kAtomic && (warp.kind == Kind::kWrite || warp.parts == 1) &&
                warp.warp * kWarpSize + std::bit_width(warp.lanes) <= scheduler.thread_count());
    if (!std::has_single_bit(warp.size) || warp.size > kBlockBytes || warp.size > bytes) return 0;
    if (!in_flight.empty() && MeetsCopy(warp)) return 0;
    if (warp.kind == Kind::kRead) return AccessLanes<false, true>(scheduler, warp);
    return warp.parts == 1 ? AccessLanes<true, true>(scheduler, warp) : AccessLanes<true, false>(scheduler, warp);
  }

  static Race ToRace(const Conflict& conflict, const MemoryEvent& event, uint64_t at) {
    MemoryEvent first;
    first.kind = conflict.kind;
    first.cta = conflict.accesses.cta;
    first.thread = conflict.accesses.warp * kWarpSize + conflict.lane;
    first.pc = conflict.accesses.pc;
    return {first, event, at, conflict.by_exit, conflict.order_matters};
  }

  void Reset() {
    ++generation;
    chunks_used = 0;
    chunk_used = 0;
    rests_used = 0;
    free_rests.clear();
    in_flight.Clear();
  }

  uint64_t bytes;
  std::vector<std::unique_ptr<Page>> pages;
  uint32_t generation = 1;
  std::vector<std::unique_ptr<Cell[]>> chunks;
  size_t chunks_used = 0;
  uint32_t chunk_used = 0;
  bool chunk_is_new = false;  // its cells are as they were made
  std::vector<std::unique_ptr<Rest>> rests;
  size_t rests_used = 0;
  std::vector<Rest*> free_rests;
  uint64_t benign = 0, unordered_atomics = 0;
  InFlight in_flight;
  SameValue same_value;
};

RaceDetector::RaceDetector(uint64_t bytes) : impl_(std::make_unique<Impl>(bytes)) {}
RaceDetector::~RaceDetector() = default;
RaceDetector::RaceDetector(RaceDetector&&) noexcept = default;

std::optional<Race> RaceDetector::Access(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size) {
  return impl_->Access(scheduler, event, offset, size);
}

uint32_t RaceDetector::AccessWarp(const CtaScheduler& scheduler, const WarpAccess& access) { return impl_->AccessWarp(scheduler, access); }

// In the schedule that runs: what came before the issue must happen before it, which the access at the issue checks; what comes while
// the copy is under way is a race; what comes later must happen after the wait, when the access is made once more.
RaceDetector::Async RaceDetector::BeginAsync(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t offset, uint32_t size) {
  Async async;
  async.race = impl_->Access(scheduler, event, offset, size);
  if (!async.race) async.name = impl_->in_flight.Begin(event, offset, size);
  return async;
}
std::optional<Race> RaceDetector::EndAsync(const CtaScheduler& scheduler, const MemoryEvent& event, uint64_t name, uint64_t offset,
                                           uint32_t size) {
  impl_->in_flight.End(name);
  return impl_->Access(scheduler, event, offset, size);
}
void RaceDetector::AbandonAsync() { impl_->in_flight.Clear(); }

void RaceDetector::SetSameValue(SameValue same_value) { impl_->same_value = std::move(same_value); }
void RaceDetector::Reset() { impl_->Reset(); }
uint64_t RaceDetector::unordered_atomics() const { return impl_->unordered_atomics; }
uint64_t RaceDetector::benign_same_value() const { return impl_->benign; }

}  // namespace racer
