// An access to memory as the race detector sees it.
#ifndef RACER_SCHEDULER_MEMORY_EVENT_H_
#define RACER_SCHEDULER_MEMORY_EVENT_H_

#include <cstdint>

namespace racer {

struct MemoryEvent {
  enum class Kind : uint8_t { kRead, kWrite, kAtomic } kind = Kind::kRead;
  uint32_t cta = 0;
  uint32_t thread = 0;  // in the CTA
  uint32_t pc = 0;
  // Writes: 0 unknown, else equal tags of writes to the same bytes mean equal values. By the PTX memory model unordered
  // writes race whatever they write; but where all write the same, memory holds it whichever comes last. Such writes of one
  // CTA are tolerated and counted, and so are reads that are ordered after one of them but not after the others.
  uint64_t value_tag = 0;
  // Atomics: those of one location with equal keys leave the same there in any order and tell nobody what they found. 0: not so.
  uint64_t atomic_key = 0;
  bool cta_scope = false;     // atomics: atomic only towards threads of the CTA
  bool asynchronous = false;  // made by an asynchronous copy that `thread` has issued
};

}  // namespace racer

#endif  // RACER_SCHEDULER_MEMORY_EVENT_H_
