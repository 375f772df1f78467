#include "symexec/term/term.h"

#include <gtest/gtest.h>

#include "symexec/term/fold.h"
#include "symexec/term/term_domain.h"

namespace racer {
namespace {

TEST(TermStore, EqualNodesHaveEqualIds) {
  TermStore store;
  SymbolId x = store.AddSymbol({"x", ScalarType::kF32, {2, 4}});
  EXPECT_EQ(store.FpInput(x, 5), store.FpInput(x, 5));
  EXPECT_NE(store.FpInput(x, 5), store.FpInput(x, 6));
  EXPECT_EQ(store.ToString(store.FpInput(x, 5)), "x[1,1]");
}

}  // namespace
}  // namespace racer
