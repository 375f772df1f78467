// The groups of asynchronous copies that a thread waits for.
#ifndef RACER_SCHEDULER_COPY_GROUPS_H_
#define RACER_SCHEDULER_COPY_GROUPS_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace racer {

// PTX ISA, "cp.async.commit_group", "cp.async.wait_group": a commit makes a group, perhaps an empty one, of the copies issued since the
// last; a wait is over once at most n groups, the youngest, are under way. Copies that are not committed are never waited for.
template <class Copy>
class CopyGroups {
 public:
  void Issue(Copy copy) { open_.push_back(std::move(copy)); }
  void Commit() { committed_.push_back(std::exchange(open_, {})); }
  // The copies that are complete thereby.
  std::vector<Copy> Wait(uint64_t n) {
    std::vector<Copy> complete;
    for (; committed_.size() > n; committed_.pop_front())
      complete.insert(complete.end(), committed_.front().begin(), committed_.front().end());
    return complete;
  }

 private:
  std::vector<Copy> open_;
  std::deque<std::vector<Copy>> committed_;
};

}  // namespace racer

#endif  // RACER_SCHEDULER_COPY_GROUPS_H_
