// Accesses to one cell that are remembered because nothing orders them yet.
#ifndef RACER_SCHEDULER_ACCESS_SET_H_
#define RACER_SCHEDULER_ACCESS_SET_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/cta_scheduler.h"

namespace racer {

// Accesses by lanes of one warp with the same pc at the same time of their threads.
struct Accesses {
  uint32_t cta = 0;
  uint32_t warp = 0;
  uint32_t time = 0;
  uint32_t pc = 0;
  LaneMask lanes = 0;  // 0: none
};

// The access that is being made.
struct PresentAccess {
  const CtaScheduler& scheduler;
  uint32_t cta, thread, pc;
  uint32_t warp, time;
  LaneMask lane;  // one bit

  bool SameAs(const Accesses& other) const { return other.pc == pc && other.time == time && other.warp == warp && other.cta == cta; }
  bool Ordered(const Accesses& earlier, uint32_t earlier_lane) const {
    return earlier.cta == cta && scheduler.Ordered({earlier.warp * kWarpSize + earlier_lane, earlier.time}, thread);
  }
  // Whether all of `earlier` happen before this access.
  bool OrderedAll(const Accesses& earlier) const {
    if (earlier.lanes == 0) return true;
    if (earlier.cta != cta) return false;
    for (LaneMask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
      if (!scheduler.Ordered({earlier.warp * kWarpSize + static_cast<uint32_t>(std::countr_zero(rest)), earlier.time}, thread))
        return false;
    }
    return true;
  }
  Accesses ToAccesses() const { return {cta, warp, time, pc, lane}; }
};

// What an AccessSet holds beside its first element.
struct MoreAccesses {
  std::vector<Accesses> list;
  uint32_t sweep_at = 0;  // size at which to look for redundant elements next
  bool spans_ctas = false;

  void Clear() {
    list.clear();
    sweep_at = 0;
    spans_ctas = false;
  }
};

// An access is redundant once a later one in the set happens after it: whoever is ordered after the later one is ordered
// after both. Accesses of two CTAs are never ordered, so one of each of two CTAs conflicts with anybody's: no more are kept.
class AccessSet {
 public:
  AccessSet(Accesses* first, MoreAccesses* more) : first_(first), more_(more) {}

  // Both return false, having done nothing, if they take a MoreAccesses and there is none.
  bool Add(const PresentAccess& access) {
    if (Merge(first_, access)) return true;
    bool alone = more_ == nullptr || more_->list.empty();
    if (alone && access.OrderedAll(*first_)) {
      *first_ = access.ToAccesses();
      return true;
    }
    if (more_ == nullptr) return false;
    if (more_->spans_ctas) return true;
    std::vector<Accesses>& list = more_->list;
    if (first_->cta != access.cta) {
      more_->spans_ctas = true;
      list.assign(1, access.ToAccesses());
      return true;
    }
    if (MergeIntoList(access)) return true;
    // After a barrier everything is redundant at once; the first element tells.
    if (access.OrderedAll(*first_) || list.size() >= std::max<size_t>(more_->sweep_at, 16)) {
      list.insert(list.begin(), *first_);
      Sweep(access);
      *first_ = list.empty() ? Accesses{} : list.front();
      if (!list.empty()) list.erase(list.begin());
    }
    if (!Merge(first_, access)) list.push_back(access.ToAccesses());
    return true;
  }

  // For writes of one value by one CTA: the oldest stays, because whoever is ordered after it reads that value for sure.
  bool AddSameValue(const PresentAccess& access) {
    if (Merge(first_, access)) return true;
    if (more_ == nullptr) return false;
    std::vector<Accesses>& list = more_->list;
    if (MergeIntoList(access)) return true;
    if (list.size() >= std::max<size_t>(more_->sweep_at, 16)) Sweep(access);
    list.push_back(access.ToAccesses());
    return true;
  }

 private:
  static bool Merge(Accesses* into, const PresentAccess& access) {
    if (into->lanes == 0) {
      *into = access.ToAccesses();
      return true;
    }
    if (!access.SameAs(*into)) return false;
    into->lanes |= access.lane;
    return true;
  }
  bool MergeIntoList(const PresentAccess& access) {
    // Newest first: lanes of one instruction come one after the other.
    for (size_t i = more_->list.size(); i-- > 0;) {
      if (!access.SameAs(more_->list[i])) continue;
      more_->list[i].lanes |= access.lane;
      return true;
    }
    return false;
  }

  // Drops from the list, all of one CTA, what happens before `access` and what a newer element of the same lanes covers.
  void Sweep(const PresentAccess& access) {
    std::vector<Accesses>& list = more_->list;
    size_t kept = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      if (access.OrderedAll(list[i])) continue;
      LaneMask covered = 0;
      for (size_t j = i + 1; j < list.size(); ++j) {
        if (list[j].warp == list[i].warp && list[j].time >= list[i].time) covered |= list[j].lanes;
      }
      if ((list[i].lanes & ~covered) == 0) continue;
      list[kept] = list[i];
      list[kept++].lanes &= ~covered;
    }
    list.resize(kept);
    more_->sweep_at = static_cast<uint32_t>(2 * kept);
  }

  Accesses* first_;
  MoreAccesses* more_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_ACCESS_SET_H_
