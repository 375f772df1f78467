#include "checker/placement.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace racer {
namespace {

Contract WithAligns(const std::vector<uint64_t>& aligns) {
  Contract contract;
  for (uint64_t align : aligns) {
    TensorSpec tensor;
    tensor.align = align;
    contract.tensors.push_back(tensor);
  }
  return contract;
}

TEST(Placement, GrantedAlignmentsHold) {
  const std::vector<uint64_t> aligns{4, 16, 512};
  Placements placements = OtherPlacements(WithAligns(aligns));
  EXPECT_EQ(placements.always.size(), 3u);
  for (const std::vector<Placement>& list : {placements.always, placements.further}) {
    for (const Placement& placement : list) {
      ASSERT_EQ(placement.phases.size(), aligns.size());
      for (size_t i = 0; i < aligns.size(); ++i) EXPECT_EQ(placement.phases[i] % aligns[i], 0u) << placement.text;
    }
  }
}

TEST(Placement, EveryResidueBelowTheWidestAccess) {
  Placements placements = OtherPlacements(WithAligns({2}));
  for (uint64_t phase : {4, 6, 8, 10, 12, 14, 16, 32, 64, 128, 256}) {
    EXPECT_TRUE(std::any_of(placements.further.begin(), placements.further.end(),
                            [&](const Placement& placement) { return placement.phases.front() == phase; }) ||
                std::any_of(placements.always.begin(), placements.always.end(),
                            [&](const Placement& placement) { return placement.phases.front() == phase && !placement.across; }))
        << phase;
  }
}

}  // namespace
}  // namespace racer
