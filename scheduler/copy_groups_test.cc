#include "scheduler/copy_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace racer {
namespace {

using Copies = std::vector<int>;

// PTX ISA, "cp.async.wait_group".
// Broken once each: with a group more under way, with one less, with copies committed by the wait.
TEST(CopyGroups, TheYoungestStayUnderWay) {
  CopyGroups<int> groups;
  groups.Issue(1);
  groups.Issue(2);
  groups.Commit();
  groups.Issue(3);
  groups.Commit();
  groups.Commit();  // an empty group counts
  groups.Issue(4);  // never committed
  EXPECT_EQ(groups.Wait(3), Copies{});
  EXPECT_EQ(groups.Wait(2), (Copies{1, 2}));
  EXPECT_EQ(groups.Wait(1), Copies{3});
  EXPECT_EQ(groups.Wait(0), Copies{});
  groups.Commit();
  EXPECT_EQ(groups.Wait(0), Copies{4});
}

}  // namespace
}  // namespace racer
