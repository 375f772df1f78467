#include "checker/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "checker/kernel_literals.h"

namespace racer {
namespace {

Contract Make(const std::string& dims, const std::string& grid, const std::string& block, const std::string& dispatch = "") {
  std::string text =
      "id = \"t\"\nversion = 1\n[scope]\n" + (dispatch.empty() ? "" : "dispatch = \"" + dispatch + "\"\n") + "[dims]\n" + dims +
      "\n[tensors]\ny = { dtype = \"f16\", shape = [1], role = \"out\", align = 8 }\n[candidate]\nargs = [\"y\"]\ngrid = " + grid +
      "\nblock = " + block + "\n";
  Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("c.toml", text));
  EXPECT_TRUE(contract.ok()) << (contract.ok() ? "" : contract.error().Render());
  return *contract;
}
const char* const kDims = "N = { min = 1, max = 65536 }\nH = { min = 1, max = 16384 }";

bool Has(const ShapeCandidates& candidates, const DimAssignment& dims) {
  return std::find(candidates.shapes.begin(), candidates.shapes.end(), dims) != candidates.shapes.end();
}

TEST(Shapes, PlacesWhereControlFlowChanges) {
  Contract contract = Make(kDims, "[\"ceildiv(N, 4)\"]", "[64, 2]");
  ShapeCandidates all = CandidateShapes(contract, {}, 100).value();
  EXPECT_FALSE(all.fully_pinned);
  EXPECT_LE(all.shapes.size(), 100u);
  std::set<DimAssignment> distinct(all.shapes.begin(), all.shapes.end());
  EXPECT_EQ(distinct.size(), all.shapes.size());
  for (const DimAssignment& dims : all.shapes) EXPECT_TRUE(contract.InDomain(dims));
  EXPECT_EQ(all.shapes[0], (DimAssignment{2, 33}));
  EXPECT_EQ(all.shapes[1], (DimAssignment{3, 129}));  // two tiles of 64 and a tail
  for (int64_t h : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257}) EXPECT_TRUE(Has(all, {2, h})) << h;
  for (int64_t h : {255, 256, 257}) EXPECT_TRUE(Has(all, {2, h})) << h;  // vectors of four halves
  for (int64_t n : {1, 3, 5, 9}) EXPECT_TRUE(Has(all, {n, 5})) << n;     // rows a CTA + 1, two CTAs + 1
}

TEST(Shapes, FewStillTellMost) {
  ShapeCandidates few = CandidateShapes(Make(kDims, "[\"N\"]", "[256]"), {}, 4).value();
  EXPECT_EQ(few.shapes.size(), 4u);
  EXPECT_TRUE(Has(few, {3, 513}));
}

TEST(Shapes, RespectDomain) {
  Contract contract = Make("N = { values = [7, 9] }\nH = { min = 8, max = 64, multiple_of = 8 }", "[\"N\"]", "[64]", "H % 16 == 0");
  ShapeCandidates all = CandidateShapes(contract, {}, 100).value();
  EXPECT_FALSE(all.shapes.empty());
  for (const DimAssignment& dims : all.shapes) EXPECT_TRUE(contract.InDomain(dims)) << contract.Describe(dims);
  EXPECT_TRUE(Has(all, {7, 16}));
  Contract impossible = Make("N = { min = 1, max = 4 }", "[\"N\"]", "[64]", "N > 4");
  Result<ShapeCandidates> none = CandidateShapes(impossible, {}, 10);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, DiagnosticKind::kContractDims);
}

TEST(Shapes, Pins) {
  Contract contract = Make(std::string(kDims) + "\nF = 3", "[\"N\"]", "[64]", "H % 2 == 0");
  ShapeCandidates pinned = CandidateShapes(contract, {{{"N", 9}, {"H", 384}}, {{"H", 2}, {"N", 1}}}, 1).value();
  EXPECT_TRUE(pinned.fully_pinned);
  EXPECT_EQ(pinned.shapes, (std::vector<DimAssignment>{{9, 384, 3}, {1, 2, 3}}));  // in the order given, never cut
  ShapeCandidates partly = CandidateShapes(contract, {{{"H", 384}}}, 10).value();
  EXPECT_FALSE(partly.fully_pinned);
  EXPECT_GT(partly.shapes.size(), 1u);
  for (const DimAssignment& dims : partly.shapes) EXPECT_EQ(dims[1], 384);

  auto error = [&](const DimPins& pins) { return CandidateShapes(contract, {pins}, 10).error(); };
  EXPECT_EQ(error({{"K", 1}}).message, "--dims: the contract has no dim 'K'");
  EXPECT_EQ(error({{"K", 1}}).kind, DiagnosticKind::kCommandLine);
  EXPECT_EQ(error({{"H", 16386}}).message, "--dims: H=16386 is outside the contract");
  EXPECT_EQ(error({{"F", 4}}).message, "--dims: F=4 is outside the contract");
  EXPECT_EQ(error({{"H", 3}, {"N", 1}}).message, "N=1,H=3,F=3 is outside the dispatch predicate");
}

TEST(Shapes, BehindLiterals) {
  KernelLiterals literals{{3000}, {4096}};
  auto has = [](const ShapeCandidates& candidates, const DimAssignment& dims, bool beyond) {
    return std::any_of(candidates.behind.begin(), candidates.behind.end(),
                       [&](const ShapeBehind& shape) { return shape.dims == dims && shape.beyond == beyond; });
  };
  ShapeCandidates all = CandidateShapes(Make(kDims, "[\"N\"]", "[64]"), {}, 48, literals).value();
  for (int64_t h : {2999, 3000, 3001}) EXPECT_TRUE(has(all, {2, h}, false)) << h;
  EXPECT_TRUE(has(all, {2, 3002}, true));
  EXPECT_TRUE(has(all, {3002, 5}, true));  // rows are compared too
  EXPECT_TRUE(has(all, {2, 4098}, true));
  EXPECT_TRUE(has(all, {4098, 5}, true));
  EXPECT_FALSE(has(all, {4096, 5}, false));  // at what is masked only where that is cheap
  EXPECT_TRUE(has(CandidateShapes(Make(kDims, "[\"N\"]", "[64]"), {}, 48, {{}, {256}}).value(), {258, 5}, true));
  // More CTAs than what an index of theirs is shifted by, alone and beside two along the other axis.
  ShapeCandidates tiles = CandidateShapes(Make(kDims, "[\"ceildiv(N, 16)\", \"ceildiv(H, 32)\"]", "[64]"), {}, 48, {{}, {}, {8}}).value();
  EXPECT_TRUE(has(tiles, {145, 5}, true));
  EXPECT_TRUE(has(tiles, {145, 33}, true));
  EXPECT_TRUE(has(tiles, {5, 289}, true));
  EXPECT_TRUE(has(tiles, {17, 289}, true));
  // Both sizes at a literal, and the smallest sizes of all.
  EXPECT_TRUE(has(CandidateShapes(Make(kDims, "[\"N\"]", "[64]"), {}, 48, {{100}, {}}).value(), {100, 100}, false));
  EXPECT_NE(std::find(all.shapes.begin(), all.shapes.end(), DimAssignment{1, 1}), all.shapes.end());
  for (size_t i = 0; i + 1 < all.behind.size(); ++i) {
    EXPECT_LE(all.behind[i].dims[0] * all.behind[i].dims[1], all.behind[i + 1].dims[0] * all.behind[i + 1].dims[1]);
  }
  // Where no dim reaches the literal, all together do.
  Contract small = Make("N = { min = 1, max = 64 }\nH = { min = 1, max = 100 }", "[\"N\"]", "[64]");
  EXPECT_TRUE(has(CandidateShapes(small, {}, 48, literals).value(), {31, 100}, true));
  EXPECT_TRUE(CandidateShapes(small, {{{"N", 1}, {"H", 7}}}, 48, literals).value().behind.empty());
  // An illegal launch inside the domain is an error, outside the pins it is none.
  Contract wide = Make("N = { min = 1, max = 100000 }\nH = 4", "[1, \"N\"]", "[64]");
  EXPECT_EQ(CandidateShapes(wide, {}, 48).error().message, "grid.y is 65536 at N=65536,H=4");
  EXPECT_TRUE(CandidateShapes(wide, {{{"N", 2}}}, 48).ok());
}

// Tiles that the sizes fill leave no other mark on the control flow than how many there are.
TEST(Shapes, SeveralCtasAlongEveryAxis) {
  Contract tiles = Make("N = { min = 256, max = 65536, multiple_of = 256 }\nH = { min = 64, max = 4096, multiple_of = 64 }",
                        "[\"N/256\", \"H/64\"]", "[64]");
  const std::vector<DimAssignment> shapes = CandidateShapes(tiles, {}, 48)->shapes;
  EXPECT_NE(std::find(shapes.begin(), shapes.begin() + 4, DimAssignment{768, 256}), shapes.begin() + 4);
}

TEST(Shapes, NothingOpen) {
  ShapeCandidates fixed = CandidateShapes(Make("N = 4", "[\"N\"]", "[64]"), {}, 10).value();
  EXPECT_TRUE(fixed.fully_pinned);
  EXPECT_EQ(fixed.shapes, (std::vector<DimAssignment>{{4}}));
  ShapeCandidates none = CandidateShapes(Make("", "[1]", "[64]"), {}, 10).value();
  EXPECT_EQ(none.shapes, (std::vector<DimAssignment>{{}}));
}

// Sizes that no single number of the launch gives, where the grid counts every dim, smallest first. A row's length is none of them.
TEST(Shapes, LargerOnlyWhereTheGridCoversAll) {
  Contract elementwise = Make("N = { min = 1, max = 6000 }", "[\"min(ceildiv(N, 128), 4)\"]", "[32]");
  ShapeCandidates all = CandidateShapes(elementwise, {}, 48).value();
  ASSERT_FALSE(all.larger.empty());
  int64_t most = 0;
  for (const DimAssignment& dims : all.shapes) most = std::max(most, dims[0]);
  for (const DimAssignment& dims : all.larger) {
    EXPECT_GT(dims[0], most);
    EXPECT_TRUE(elementwise.InDomain(dims));
    most = dims[0];
  }
  EXPECT_TRUE(CandidateShapes(Make(kDims, "[\"N\"]", "[32]"), {}, 48)->larger.empty());
  EXPECT_TRUE(CandidateShapes(elementwise, {{{"N", 40}}}, 48)->larger.empty());
}

}  // namespace
}  // namespace racer
