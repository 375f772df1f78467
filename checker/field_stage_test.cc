#include "checker/field_stage.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "checker/contract.h"

namespace racer {
namespace {

Contract Make(const std::string& dims, const std::string& dispatch = "") {
  const std::string text =
      "id = \"t\"\nversion = 1\n[scope]\n" + (dispatch.empty() ? "" : "dispatch = \"" + dispatch + "\"\n") + "[dims]\n" + dims +
      "\n[tensors]\ny = { dtype = \"f16\", shape = [1], role = \"out\" }\n[candidate]\nargs = [\"y\"]\ngrid = [1]\nblock = [32]\n";
  Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("c.toml", text));
  EXPECT_TRUE(contract.ok()) << (contract.ok() ? "" : contract.error().Render());
  return *contract;
}
using Shape = std::optional<DimAssignment>;

TEST(ShapeForField, AsLargeAsTheBudgetAllows) {
  const Contract contract = Make("N = { min = 1, max = 65536 }\nH = { min = 8, max = 16384, multiple_of = 8 }");
  // 1000 for 2 x 8: 62.5 a cell.
  EXPECT_EQ(ShapeForField(contract, {{2, 8}}, {2, 8}, 1000, 1000000), Shape(DimAssignment{64, 64}));
  EXPECT_EQ(ShapeForField(contract, {{2, 8}}, {2, 8}, 1000, uint64_t{1} << 60), Shape(DimAssignment{65536, 16384}));
  // Nothing beyond what is proved.
  EXPECT_EQ(ShapeForField(contract, {{2, 8}, {64, 64}}, {2, 8}, 1000, 1000000), std::nullopt);
  EXPECT_EQ(ShapeForField(contract, {{2, 8}}, {2, 8}, 1000, 1), std::nullopt);
}

TEST(ShapeForField, ListedValuesAtTheirLargest) {
  const Contract contract = Make("N = { min = 1, max = 65536 }\nH = { values = [127, 384, 4096] }");
  EXPECT_EQ(ShapeForField(contract, {{2, 384}}, {2, 384}, 10000, 1000000), Shape(DimAssignment{16, 4096}));
}

TEST(ShapeForField, TheDispatchPredicateHolds) {
  const Contract contract = Make("N = { min = 1, max = 65536 }", "N % 7 == 3");
  EXPECT_EQ(ShapeForField(contract, {{3}}, {3}, 300, 100000), Shape(DimAssignment{507}));  // 512 and below
}

}  // namespace
}  // namespace racer
