#include "ptx_frontend/isa/isa_doc.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace racer {
namespace {

TEST(IsaDocTest, TheCommittedPageIsUpToDate) {
  std::ifstream file("docs/isa.md");
  ASSERT_TRUE(file);
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_TRUE(committed.str() == IsaDoc()) << "run: bazel run //ptx_frontend/isa:isa_doc_main > docs/isa.md";
}

TEST(IsaDocTest, RowsShowFormsVersionsAndWitnesses) {
  const std::string page = IsaDoc();
  EXPECT_NE(page.find("| `brev` | Brev | `brev.type d, a` | 2.0 | sm_20 | exact | Bits, Term | 3 + 0 | 78 vectors, every form |\n"),
            page.npos);
  EXPECT_NE(page.find("| `bar` | BarWarpSync | `bar.warp.sync mask:u32` | 6.0 | sm_30 |  |\n"), page.npos);
  EXPECT_NE(page.find("p:pred{\\|q:pred}"), page.npos);  // bars inside a cell are escaped
}

}  // namespace
}  // namespace racer
