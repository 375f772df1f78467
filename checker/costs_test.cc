#include "checker/costs.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

constexpr uint64_t kLimit = 20'000'000;

// A linear kernel that spins at one size among those at which it ended. Broken once, by a factor of 10^6 in kFar.
TEST(Costs, ASpinBetweenShapesThatEndedIsUnexpected) {
  Costs costs;
  EXPECT_FALSE(costs.Unexpected({77}, kLimit, 770));  // nothing to compare it with
  for (int64_t n : {1, 33, 65, 128, 257}) costs.Ended({n}, static_cast<uint64_t>(10 * n));
  EXPECT_TRUE(costs.Unexpected({77}, kLimit, 770));
  EXPECT_TRUE(costs.Unexpected({77}, kLimit, std::nullopt));
  EXPECT_TRUE(costs.Unexpected({77}, kLimit, kLimit));  // whatever the other side does
}

// All that it ended at is larger.
TEST(Costs, ASpinAtTheSmallestShape) {
  Costs costs;
  costs.Ended({2}, 30);
  costs.Ended({33}, 330);
  EXPECT_TRUE(costs.Unexpected({1}, kLimit, std::nullopt));
}

// Far from all shapes seen only the other side tells. Broken once, with no regard to `other`.
TEST(Costs, FarAwayTheOtherSideTells) {
  Costs costs;
  for (int64_t n : {1, 33, 257, 1025}) costs.Ended({n}, static_cast<uint64_t>(8 * n));
  EXPECT_FALSE(costs.Unexpected({100'002}, kLimit, std::nullopt));
  EXPECT_FALSE(costs.Unexpected({100'002}, kLimit, kLimit / 2));
  EXPECT_TRUE(costs.Unexpected({100'002}, kLimit, 800'016));
}

// A reference that goes through the whole row for each of its elements against a candidate that does not: H^2 against H. Broken once, with
// the other side as the only measure (no Growth): a large row is "endless".
TEST(Costs, AnAsymmetricPairIsNotUnexpected) {
  Costs costs;
  for (int64_t h : {1, 33, 129, 257, 1025}) {
    for (int64_t n : {1, 2, 3}) costs.Ended({n, h}, static_cast<uint64_t>(6 * n * h * h + 200));
  }
  EXPECT_FALSE(costs.Unexpected({2, 8192}, kLimit, 2 * 8192 * 6));
  EXPECT_FALSE(costs.Unexpected({2, 2048}, kLimit, 2 * 2048 * 6));
  EXPECT_FALSE(costs.Unexpected({1024, 257}, kLimit, 1024 * 257 * 3));
  EXPECT_TRUE(costs.Unexpected({2, 77}, kLimit, 2 * 77 * 6));
}

// Matrices: every dim costs, and doubling all three costs eightfold.
TEST(Costs, AProductOfMatricesIsNotUnexpected) {
  Costs costs;
  for (int64_t n : {1, 17, 33}) costs.Ended({n, n, n}, static_cast<uint64_t>(20 * n * n * n));
  EXPECT_FALSE(costs.Unexpected({512, 512, 512}, kLimit, 512 * 512 * 64));
}

// A smaller step means more passes. Broken once, with shrinking dims left out.
TEST(Costs, AShrinkingDimMayCostMore) {
  Costs costs;
  costs.Ended({8192, 33}, 640'000);
  EXPECT_FALSE(costs.Unexpected({8192, 1}, kLimit, std::nullopt));
}

}  // namespace
}  // namespace racer
