// Asynchronous copies of Core.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_ASYNC_H_
#define RACER_SYMEXEC_MACHINE_EXEC_ASYNC_H_

#include "symexec/machine/core.h"

namespace racer {

// The bytes are copied at once: without a race nobody can tell when between the issue and the wait.
template <class Traits>
void Core<Traits>::CopyAsync(const Decoded& in, LaneMask active) {
  const CopySite& site = program_.copies[in.target];
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const unsigned lane = FirstLane(rest);
    uint64_t to = 0, from = 0;
    Target target, source;
    if (!LaneAddress(site.to, lane, &to) || !Locate(in, site.to, lane, to, site.bytes, site.bytes, true, &target)) return;
    unsigned read = site.bytes;
    if (in.source_count != 0) {
      uint64_t size = 0;
      if (!Control(in.source[0], lane, "the size of an asynchronous copy", &size)) return;
      if (site.ignores) size = size != 0 ? 0 : site.bytes;
      if (size > site.bytes)
        return Unsupported("what a copy of " + std::to_string(size) + " of " + std::to_string(site.bytes) + " bytes does is undefined",
                           &in);
      read = static_cast<unsigned>(size);
    }
    // A source of which nothing is read need not exist.
    if (read != 0 && (!LaneAddress(in, lane, &from) || !Locate(in, in.address, lane, from, read, site.bytes, false, &source))) return;
    if (!race_finding_) {
      if (source.race != nullptr && !BeginAsync(in, lane, source, read, false)) return;
      if (target.race != nullptr && !race_finding_ && !BeginAsync(in, lane, target, site.bytes, true)) return;
    }
    if (read != 0) target.bytes->CopyFrom(*source.bytes, source.offset, target.offset, read);
    static constexpr uint8_t kZeros[16] = {};
    target.bytes->SetBytes(target.offset + read, kZeros, site.bytes - read);
  }
}

template <class Traits>
bool Core<Traits>::BeginAsync(const Decoded& in, unsigned lane, const Target& target, unsigned size, bool write) {
  AsyncAccess access{.race = target.race,
                     .offset = target.race_offset,
                     .size = size,
                     .event = {.kind = write ? MemoryEvent::Kind::kWrite : MemoryEvent::Kind::kRead,
                               .cta = cta_,
                               .thread = warp_ * kWarpSize + lane,
                               .pc = pc_,
                               .asynchronous = true}};
  const RaceDetector::Async async = target.race->BeginAsync(*scheduler_, access.event, access.offset, size);
  if (async.race) {
    ReportRace(*async.race, target, in);
    return !stopped_;
  }
  access.name = async.name;
  copies_[access.event.thread].Issue(std::move(access));
  return true;
}

template <class Traits>
void Core<Traits>::CommitCopies(LaneMask active) {
  ForLanes(active, [&](unsigned lane) { copies_[warp_ * kWarpSize + lane].Commit(); });
}

template <class Traits>
void Core<Traits>::WaitCopies(LaneMask active, uint64_t groups) {
  ForLanes(active, [&](unsigned lane) {
    for (const AsyncAccess& access : copies_[warp_ * kWarpSize + lane].Wait(groups)) {
      if (stopped_ || race_finding_) return;
      const std::optional<Race> race = access.race->EndAsync(*scheduler_, access.event, access.name, access.offset, access.size);
      Target target;
      target.race = access.race;
      if (race) ReportRace(*race, target, program_.code[pc_]);
    }
  });
}

// A CTA has ended; what it did not wait for is under way no longer.
template <class Traits>
void Core<Traits>::AbandonCopies() {
  if (copies_.empty()) return;
  copies_.assign(copies_.size(), {});
  for (GlobalObject& object : globals_) {
    if (object.race != nullptr) object.race->AbandonAsync();
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_ASYNC_H_
