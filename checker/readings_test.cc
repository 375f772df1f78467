#include "checker/readings.h"

#include <gtest/gtest.h>

#include <memory>

namespace racer {
namespace {

Contract Parse(const std::string& candidate_grid, const std::string& candidate_block) {
  std::string text = R"toml(id = "t"
version = 1
[dims]
N = { min = 1, max = 4096 }
[tensors]
x = { dtype = "f32", shape = ["N"], role = "in" }
y = { dtype = "f32", shape = ["N"], role = "out" }
[candidate]
args = ["x", "y", "N"]
grid = [")toml" + candidate_grid +
                     R"toml("]
block = )toml" + candidate_block +
                     R"toml(
[reference]
args = ["x", "y", "N"]
grid = ["ceildiv(N, 32)"]
block = [32]
)toml";
  Result<Contract> contract = ParseContract(std::make_shared<const SourceFile>("t.toml", text));
  EXPECT_TRUE(contract.ok());
  return std::move(contract).value();
}

TEST(ReadingsTest, AnElementAThread) {
  std::vector<OtherLaunch> launches = OtherLaunches(Parse("ceildiv(N, 256)", "[256]"));
  ASSERT_EQ(launches.size(), 10U);  // five other blocks a side
  EXPECT_EQ(launches[1].what, "candidate with block = [64]");
  EXPECT_EQ(launches[1].contract.candidate->grid[0].text(), "ceildiv(N, 64)");
  EXPECT_EQ(launches[1].contract.candidate->block[0].AsLiteral(), 64);
  EXPECT_EQ(launches[1].contract.reference->block[0].AsLiteral(), 32);
  EXPECT_EQ(launches[5].what, "reference with block = [64]");
  EXPECT_EQ(launches[5].contract.reference->grid[0].text(), "ceildiv(N, 64)");
}

TEST(ReadingsTest, ARowAWarpFollowsTheNumberOfWarps) {
  std::vector<OtherLaunch> launches = OtherLaunches(Parse("ceildiv(N, 8)", "[256]"));
  EXPECT_EQ(launches[2].what, "candidate with block = [128]");
  EXPECT_EQ(launches[2].contract.candidate->grid[0].text(), "ceildiv(N, 4)");
}

TEST(ReadingsTest, ARowACtaKeepsItsGrid) {
  std::vector<OtherLaunch> launches = OtherLaunches(Parse("N", "[128]"));
  EXPECT_EQ(launches[0].contract.candidate->grid[0].text(), "N");
}

// Near miss: two-dimensional blocks are left as they are (the five launches are the reference's).
TEST(ReadingsTest, TwoDimensionalBlocksHaveNoOtherReading) { EXPECT_EQ(OtherLaunches(Parse("N", "[32, 4]")).size(), 5U); }

TEST(ReadingsTest, GridStrideMustHoldForOtherNumbersOfCtas) {
  std::vector<OtherLaunch> launches = OtherLaunches(Parse("min(N, 2)", "[256]"));
  ASSERT_GT(launches.size(), 3U);
  EXPECT_EQ(launches[1].what, "candidate with grid = [\"min(N, 3)\"]");
  EXPECT_EQ(launches[1].contract.candidate->grid[0].text(), "min(N, 3)");
  EXPECT_TRUE(launches[1].must_hold);
  EXPECT_FALSE(launches[3].must_hold);  // another block
  EXPECT_FALSE(OtherLaunches(Parse("min(N, 20)", "[256]"))[0].must_hold);
}

}  // namespace
}  // namespace racer
