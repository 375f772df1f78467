// Which lanes of one warp parted at a branch, and which of them are past the point where their ways meet.
#ifndef RACER_SCHEDULER_PARTINGS_H_
#define RACER_SCHEDULER_PARTINGS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/sync_events.h"

namespace racer {

// What a lane at some pc may still come to. Work: memory, a rendezvous, a call.
enum class Ahead : uint8_t {
  kNothing,  // only the exit, or a trap
  kCallers,  // nothing in this function; in those that called it who knows
  kWork,
};

// By pc. Empty: the program has no aligned barrier, and nobody asks who parted.
struct PartingMap {
  static constexpr uint32_t kNoMeeting = ~uint32_t{0};    // lanes part here for good
  static constexpr uint32_t kNoParting = kNoMeeting - 1;  // lanes do not part here
  // Of a branch, guarded call or guarded barrier: where the ways of lanes that part here meet, whatever they do in between,
  // ways with nothing ahead left out. The end of a function that is called stands for all its returns.
  std::vector<uint32_t> meeting;
  std::vector<Ahead> ahead;
  // From so many places on, those that nobody can come to are forgotten; 0: always.
  size_t places_to_keep = 32;

  bool empty() const { return meeting.empty(); }
};

// Lanes that went the same way so far share a *place*, wherever they stand. Where lanes part, or may part because some of
// the place are not here, they enter a *fork*; a lane leaves it at the fork's meeting point. Places and forks follow from the
// ways of the lanes alone: in which order they run, and which run together, makes no difference.
class Partings {
 public:
  static constexpr uint32_t kNowhere = ~uint32_t{0};

  struct Way {
    LaneMask lanes = 0;
    uint32_t pc = 0;
  };
  // Lanes that wait at an aligned barrier, and others that will not come to it.
  struct Missed {
    LaneMask waiting = 0, others = 0;
    uint32_t barrier = 0, barrier_pc = 0;
    uint32_t pc = kNowhere;  // where the others passed the meeting point; kNowhere: they may have missed nothing
  };

  // `map` must outlive this.
  void Start(const PartingMap* map, LaneMask lanes);

  // Whether some lanes have parted. If not, what all live lanes do together need not be told.
  bool active() const { return active_; }

  // The lanes of `ways` leave the instruction at `from`, each on its way.
  void Part(uint32_t from, std::span<const Way> ways);
  // `lanes` come to `pc`; by way of the end of the function `through`, if they return.
  std::optional<Missed> Reach(LaneMask lanes, uint32_t pc, uint32_t through = kNowhere);
  // `lanes` wait at the aligned barrier `id` by the instruction at `pc`.
  std::optional<Missed> Wait(LaneMask lanes, uint32_t id, uint32_t pc);
  void StopWaiting(LaneMask lanes) { waiting_ &= ~lanes; }
  void Exit(LaneMask lanes);

  // If every live lane waits at one aligned barrier: lanes that parted from them on a way with work ahead and then exited, or
  // that returned from the function of the barrier.
  std::optional<Missed> Unclear() const;
  // Lanes ran apart for so long that their ways were given up.
  bool lost() const { return lost_; }
  bool AllWait() const { return live_ != 0 && waiting_ == live_; }
  // All live lanes, which wait, and nobody else.
  Missed LiveLanes() const { return Misses(live_, 0, kNowhere); }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Place {
    LaneMask lanes = 0;       // live
    uint32_t fork = kNone;    // innermost fork around
    uint32_t parent = kNone;  // the fork that it is a way of, or follows; kNone: no lane can come here any more
    bool follows = false;
    Ahead ahead = Ahead::kWork;  // at the begin of its way in `fork`
    uint32_t way = kNone;        // the way of `fork` that it lies on
    uint32_t child = kNone;      // fork that its lanes enter next
    // Of a way:
    uint32_t target = 0;  // the pc
    LaneMask gone = 0;    // exited on it, with work ahead at its begin, or met nothing but the exit
    uint32_t next_way = kNone;
  };
  struct Fork {
    uint32_t from = 0, meeting = 0;
    uint32_t place = kNone;  // whose lanes enter
    uint32_t first_way = kNone, after = kNone;
    LaneMask inside = 0;   // live lanes that entered and have not left
    LaneMask past = 0;     // left with work ahead
    LaneMask unclear = 0;  // left the function of the fork
    uint32_t past_pc = 0;
  };

  Missed Misses(LaneMask waiting, LaneMask others, uint32_t pc) const;
  // Whether no lane can come to the place any more.
  bool IsClosed(uint32_t place);
  uint32_t WayOf(uint32_t fork, uint32_t pc);
  uint32_t After(uint32_t fork);
  void Move(LaneMask lanes, uint32_t from, uint32_t to);
  void Reset();
  void Collect();

  const PartingMap* map_ = nullptr;
  bool active_ = false, lost_ = false;
  LaneMask live_ = 0;
  LaneMask waiting_ = 0;
  struct Waiting {
    uint32_t barrier = 0, pc = 0;
  };
  std::array<Waiting, kWarpSize> waits_at_{};
  std::array<uint32_t, kWarpSize> place_of_{};
  std::vector<Place> places_;
  std::vector<Fork> forks_;
  size_t collect_at_ = 0;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_PARTINGS_H_
