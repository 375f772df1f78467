#include "scheduler/partings.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace racer {
namespace {

// Lanes that run ahead of others of their place leave one fork a branch behind.
constexpr size_t kMaxForks = 1 << 13;

uint32_t FirstLane(LaneMask lanes) { return static_cast<uint32_t>(std::countr_zero(lanes)); }

template <class Function>
void ForLanes(LaneMask lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(FirstLane(lanes));
}

}  // namespace

void Partings::Start(const PartingMap* map, LaneMask lanes) {
  map_ = map;
  live_ = lanes;
  waiting_ = 0;
  lost_ = false;
  Reset();
}

void Partings::Reset() {
  active_ = false;
  forks_.clear();
  places_.assign(1, Place{.lanes = live_});
  place_of_ = {};
  collect_at_ = map_->places_to_keep;
}

void Partings::Move(LaneMask lanes, uint32_t from, uint32_t to) {
  places_[from].lanes &= ~lanes;
  places_[to].lanes |= lanes;
  ForLanes(lanes, [&](uint32_t lane) { place_of_[lane] = to; });
}

bool Partings::IsClosed(uint32_t place) {
  // Lanes come from the place before the fork, from those before it, and to what follows a fork from inside it.
  const uint32_t asked = place;
  for (;;) {
    const Place& here = places_[place];
    if (here.parent == kNone) break;
    const Fork& fork = forks_[here.parent];
    if (here.follows && fork.inside != 0) return false;
    if (places_[fork.place].lanes != 0) return false;
    place = fork.place;
  }
  places_[asked].parent = kNone;
  return true;
}

uint32_t Partings::WayOf(uint32_t fork, uint32_t pc) {
  for (uint32_t way = forks_[fork].first_way; way != kNone; way = places_[way].next_way) {
    if (places_[way].target == pc) return way;
  }
  const uint32_t added = static_cast<uint32_t>(places_.size());
  places_.push_back(
      {.fork = fork, .parent = fork, .ahead = map_->ahead[pc], .way = added, .target = pc, .next_way = forks_[fork].first_way});
  forks_[fork].first_way = added;
  return added;
}

uint32_t Partings::After(uint32_t fork) {
  if (forks_[fork].after == kNone) {
    const Place& before = places_[forks_[fork].place];
    const Place after{.fork = before.fork, .parent = fork, .follows = true, .ahead = before.ahead, .way = before.way};
    forks_[fork].after = static_cast<uint32_t>(places_.size());
    places_.push_back(after);
  }
  return forks_[fork].after;
}

void Partings::Part(uint32_t from, std::span<const Way> ways) {
  if (lost_ || map_->meeting[from] == PartingMap::kNoParting) return;
  LaneMask lanes = 0;
  for (const Way& way : ways) lanes |= way.lanes;
  for (LaneMask rest = lanes; rest != 0;) {
    const uint32_t place = place_of_[FirstLane(rest)];
    const LaneMask here = rest & places_[place].lanes;
    rest &= ~here;
    const auto used = std::count_if(ways.begin(), ways.end(), [&](const Way& way) { return (way.lanes & here) != 0; });
    // Where all lanes that have come this way or may still do so go on together, nobody parts.
    if (used == 1 && here == places_[place].lanes && places_[place].child == kNone && IsClosed(place)) continue;
    uint32_t fork = places_[place].child;
    if (fork == kNone) {
      fork = static_cast<uint32_t>(forks_.size());
      forks_.push_back({.from = from, .meeting = map_->meeting[from], .place = place});
      places_[place].child = fork;
      active_ = true;
    }
    RACER_CHECK(forks_[fork].from == from);  // equal ways so far lead to the same branch
    forks_[fork].inside |= here;
    for (const Way& way : ways) {
      if ((way.lanes & here) != 0) Move(way.lanes & here, place, WayOf(fork, way.pc));
    }
  }
  if (places_.size() >= collect_at_) Collect();
}

std::optional<Partings::Missed> Partings::Reach(LaneMask lanes, uint32_t pc, uint32_t through) {
  if (!active_) return std::nullopt;
  std::optional<Missed> missed;
  bool moved = false;
  lanes &= live_;
  for (LaneMask rest = lanes; rest != 0;) {
    uint32_t place = place_of_[FirstLane(rest)];
    const LaneMask here = rest & places_[place].lanes;
    rest &= ~here;
    for (uint32_t f; (f = places_[place].fork) != kNone;) {
      Fork& fork = forks_[f];
      if (fork.meeting != pc && (through == kNowhere || fork.meeting != through)) break;
      fork.inside &= ~here;
      if (map_->ahead[pc] == Ahead::kWork) {
        fork.past |= here;
        fork.past_pc = pc;
        if ((fork.inside & waiting_) != 0 && !missed) missed = Misses(fork.inside & waiting_, here, pc);
      } else if (map_->ahead[pc] == Ahead::kCallers) {
        fork.unclear |= here;
      } else if (places_[place].ahead == Ahead::kWork) {
        places_[places_[place].way].gone |= here;  // returned from a called function, and what follows is the exit
      }
      const uint32_t after = After(f);
      Move(here, place, after);
      place = after;
      moved = true;
    }
  }
  if (moved) {
    const Place& place = places_[place_of_[FirstLane(lanes)]];
    if (place.lanes == live_ && place.fork == kNone && place.child == kNone) Reset();
  }
  return missed;
}

Partings::Missed Partings::Misses(LaneMask waiting, LaneMask others, uint32_t pc) const {
  const Waiting& at = waits_at_[FirstLane(waiting)];
  return {.waiting = waiting, .others = others, .barrier = at.barrier, .barrier_pc = at.pc, .pc = pc};
}

std::optional<Partings::Missed> Partings::Wait(LaneMask lanes, uint32_t id, uint32_t pc) {
  waiting_ |= lanes;
  ForLanes(lanes, [&](uint32_t lane) { waits_at_[lane] = {id, pc}; });
  if (!active_) return std::nullopt;
  for (LaneMask rest = lanes; rest != 0;) {
    uint32_t place = place_of_[FirstLane(rest)];
    const LaneMask here = rest & places_[place].lanes;
    rest &= ~here;
    for (uint32_t f; (f = places_[place].fork) != kNone; place = forks_[f].place) {
      if (forks_[f].past != 0) return Misses(here, forks_[f].past, forks_[f].past_pc);
    }
  }
  return std::nullopt;
}

void Partings::Exit(LaneMask lanes) {
  live_ &= ~lanes;
  waiting_ &= ~lanes;
  for (LaneMask rest = lanes; rest != 0;) {
    uint32_t place = place_of_[FirstLane(rest)];
    const LaneMask here = rest & places_[place].lanes;
    rest &= ~here;
    places_[place].lanes &= ~here;
    for (uint32_t f; (f = places_[place].fork) != kNone; place = forks_[f].place) {
      forks_[f].inside &= ~here;
      if (places_[place].ahead != Ahead::kNothing) places_[places_[place].way].gone |= here;
    }
  }
  if (!active_ || live_ == 0) return;
  const Place& place = places_[place_of_[FirstLane(live_)]];
  if (place.lanes == live_ && place.fork == kNone && place.child == kNone) Reset();
}

std::optional<Partings::Missed> Partings::Unclear() const {
  if (!active_ || !AllWait()) return std::nullopt;
  const uint32_t pc = waits_at_[FirstLane(live_)].pc;
  bool same = true;
  ForLanes(live_, [&](uint32_t lane) { same &= waits_at_[lane].pc == pc; });
  if (!same) return std::nullopt;
  for (LaneMask rest = live_; rest != 0;) {
    uint32_t place = place_of_[FirstLane(rest)];
    const LaneMask here = rest & places_[place].lanes;
    rest &= ~here;
    for (uint32_t f; (f = places_[place].fork) != kNone; place = forks_[f].place) {
      LaneMask others = forks_[f].unclear;
      for (uint32_t way = forks_[f].first_way; way != kNone; way = places_[way].next_way) {
        if (way != places_[place].way) others |= places_[way].gone;
      }
      if (others != 0) return Misses(here, others, kNowhere);
    }
  }
  return std::nullopt;
}

// Forgets what no live lane can come to or ask about. The fork before a place that lanes can still come to is kept with them.
void Partings::Collect() {
  std::vector<uint32_t> place_at(places_.size(), kNone), fork_at(forks_.size(), kNone);
  std::vector<bool> ahead_seen(places_.size());
  std::vector<uint32_t> up, forward;  // places to look up from, and whose lanes or later ones may go on from there
  const auto keep = [&](uint32_t place) {
    if (place == kNone || place_at[place] != kNone) return;
    place_at[place] = 0;
    up.push_back(place);
  };
  const auto keep_fork = [&](uint32_t fork) {
    if (fork == kNone) return;
    fork_at[fork] = 0;
    keep(forks_[fork].place);
    for (uint32_t way = forks_[fork].first_way; way != kNone; way = places_[way].next_way) keep(way);
  };
  const auto go_on = [&](uint32_t place) {
    if (place == kNone || ahead_seen[place]) return;
    ahead_seen[place] = true;
    forward.push_back(place);
    keep(place);
  };
  for (uint32_t place = 0; place < places_.size(); ++place) {
    if (places_[place].lanes != 0) go_on(place);
  }
  while (!up.empty() || !forward.empty()) {
    if (!up.empty()) {
      const uint32_t place = up.back();
      up.pop_back();
      keep_fork(places_[place].fork);
      continue;
    }
    const uint32_t place = forward.back();
    forward.pop_back();
    if (const uint32_t fork = places_[place].child; fork != kNone) {
      keep_fork(fork);
      for (uint32_t way = forks_[fork].first_way; way != kNone; way = places_[way].next_way) go_on(way);
    }
    if (const uint32_t fork = places_[place].fork; fork != kNone) {
      go_on(forks_[fork].after);
      // Leaving several forks at once does not pass the places in between.
      uint32_t outer = forks_[fork].place;
      while (outer != kNone && places_[outer].fork != kNone) {
        go_on(forks_[places_[outer].fork].after);
        outer = forks_[places_[outer].fork].place;
      }
    }
  }
  uint32_t places = 0, forks = 0;
  for (uint32_t& at : place_at) at = at == kNone ? kNone : places++;
  for (uint32_t& at : fork_at) at = at == kNone ? kNone : forks++;
  const auto new_place = [&](uint32_t place) { return place == kNone ? kNone : place_at[place]; };
  const auto new_fork = [&](uint32_t fork) { return fork == kNone ? kNone : fork_at[fork]; };
  for (uint32_t fork = 0; fork < forks_.size(); ++fork) {
    if (fork_at[fork] == kNone) continue;
    Fork moved = forks_[fork];
    moved.first_way = new_place(moved.first_way);
    moved.after = new_place(moved.after);
    moved.place = new_place(moved.place);
    forks_[fork_at[fork]] = moved;
  }
  for (uint32_t place = 0; place < places_.size(); ++place) {
    if (place_at[place] == kNone) continue;
    Place moved = places_[place];
    moved.fork = new_fork(moved.fork);
    moved.parent = new_fork(moved.parent);
    moved.way = new_place(moved.way);
    moved.child = new_fork(moved.child);
    moved.next_way = new_place(moved.next_way);
    places_[place_at[place]] = moved;
  }
  places_.resize(places);
  forks_.resize(forks);
  ForLanes(live_, [&](uint32_t lane) { place_of_[lane] = place_at[place_of_[lane]]; });
  collect_at_ = map_->places_to_keep == 0 ? 0 : std::max(map_->places_to_keep, 2 * places_.size());
  if (forks_.size() > kMaxForks) {
    lost_ = true;
    Reset();
  }
}

}  // namespace racer
