#include "idioms/real_function.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace racer {
namespace {

std::string Built(const std::string& text) {
  const std::optional<RealFunction> function = RealFunction::Parse(text);
  if (!function) return "none";
  TermStore store;
  std::vector<TermId> values;
  for (const char* name : {"x", "y"}) values.push_back(store.FpInput(store.AddSymbol({name, ScalarType::kF32, {}}), 0));
  return store.ToString(function->Build(store, FpFormat::kF32, /*ftz=*/false, values));
}

TEST(RealFunctionTest, Formulas) {
  EXPECT_EQ(Built("x"), "x");
  EXPECT_EQ(Built("1 - erf(x)"), "(1 - erf(x))");
  EXPECT_EQ(Built("log(1 + x)"), "log((x + 1))");
  EXPECT_EQ(Built("(exp(x) - exp(-x)) / 2"), "((exp(x) - exp(-x)) / 2)");
  EXPECT_EQ(Built("pow(x, y) * 3 - 2 - x"), "(((pow(x, y) * 3) - 2) - x)");
  for (const char* text : {"", "x +", "exp x", "exp(x", "pow(x)", "x y", "sinh(x)", "1.5", "w", "(x))", "1e5"})
    EXPECT_EQ(Built(text), "none") << text;
}

TEST(RealFunctionTest, FunctionsOfAnArgumentAreApproximations) {
  TermStore store;
  const TermId x = store.FpInput(store.AddSymbol({"x", ScalarType::kF32, {}}), 0);
  const TermId quotient = RealFunction::Parse("log(x) / log(10)")->Build(store, FpFormat::kF32, /*ftz=*/true, {x});
  EXPECT_FALSE(store.fp_attr(quotient).approx);
  EXPECT_TRUE(store.fp_attr(store.operand(quotient, 0)).approx);
  EXPECT_TRUE(store.fp_attr(store.operand(quotient, 0)).ftz);
  EXPECT_FALSE(store.fp_attr(store.operand(quotient, 1)).approx);
}

// A shorter argument is widened, a longer one rounded.
TEST(RealFunctionTest, ArgumentsOfOtherFormats) {
  TermStore store;
  const TermId h = store.FpInput(store.AddSymbol({"h", ScalarType::kF16, {}}), 0);
  const TermId e = RealFunction::Parse("exp(x)")->Build(store, FpFormat::kF32, /*ftz=*/false, {h});
  EXPECT_EQ(store.format(e), FpFormat::kF32);
  EXPECT_EQ(store.kind(store.operand(e, 0)), TermKind::kFpConvert);
}

}  // namespace
}  // namespace racer
