// Interned sets of small numbers with cached unions: most terms share a few sets, almost always the empty one.
#ifndef RACER_SYMEXEC_NORMAL_SETS_H_
#define RACER_SYMEXEC_NORMAL_SETS_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace racer::normal {

using SetId = uint32_t;
constexpr SetId kEmptySet = 0;

class SetTable {
 public:
  SetTable() { Intern({}); }
  SetId Intern(std::vector<uint32_t> members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    auto [it, added] = ids_.try_emplace(members, static_cast<SetId>(sets_.size()));
    if (added) sets_.push_back(std::move(members));
    return it->second;
  }
  SetId Union(SetId a, SetId b) {
    if (a == b || b == kEmptySet) return a;
    if (a == kEmptySet) return b;
    auto [it, added] = unions_.try_emplace({std::min(a, b), std::max(a, b)}, kEmptySet);
    if (added) {
      std::vector<uint32_t> all;
      std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(), std::back_inserter(all));
      it->second = Intern(std::move(all));
    }
    return it->second;
  }
  const std::vector<uint32_t>& members(SetId id) const { return sets_[id]; }

 private:
  std::vector<std::vector<uint32_t>> sets_;
  std::map<std::vector<uint32_t>, SetId> ids_;
  std::map<std::pair<SetId, SetId>, SetId> unions_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_SETS_H_
