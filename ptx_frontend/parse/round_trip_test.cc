// Parse, print, parse: the same structure; print again: the same text. Over every PTX file that is committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "base/source_file.h"
#include "ptx_frontend/ir/compare.h"
#include "ptx_frontend/ir/print.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const char* root : {"ptx_frontend/parse/testdata", "kernels"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() == ".ptx") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string Rendered(const ParseOutcome& outcome) {
  std::string text;
  for (const Diagnostic& diagnostic : outcome.diagnostics) text += diagnostic.Render();
  return text;
}

TEST(RoundTripTest, AllFiles) {
  const std::vector<std::string> files = Files();
  ASSERT_GE(files.size(), 120u);
  for (const std::string& path : files) {
    SCOPED_TRACE(path);
    const auto file = LoadSourceFile(path, 1 << 20);
    ASSERT_TRUE(file.ok()) << file.error().Render();
    const ParseOutcome first = ParsePtx(*file);
    ASSERT_NE(first.module, nullptr) << Rendered(first);
    EXPECT_EQ(Rendered(first), "");
    const std::string text = ir::Print(*first.module);
    const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>("printed.ptx", text));
    ASSERT_NE(second.module, nullptr) << Rendered(second);
    EXPECT_EQ(ir::FirstDifference(*first.module, *second.module), "");
    EXPECT_EQ(ir::Print(*second.module), text);
  }
}

// The comparison of this test is no sham: one change of each sort is seen.
TEST(RoundTripTest, ChangesAreSeen) {
  const std::string base =
      ".version 8.3\n.target sm_90\n.address_size 64\n.global .u32 x[2] = {1, 2};\n.entry k(.param .u32 a) {\n.reg .b32 r<4>; .reg .pred "
      "p;\n"
      "ld.param.u32 r0, [a];\nL: @p add.s32 r1, r0, 1;\n{ .reg .b32 t; mov.b32 t, r1; }\nbra L; }\n";
  const auto parse = [](const std::string& text) { return ParsePtx(std::make_shared<const SourceFile>("t.ptx", text)).module; };
  const auto original = parse(base);
  ASSERT_NE(original, nullptr);
  EXPECT_EQ(ir::FirstDifference(*original, *parse(base)), "");
  const std::pair<std::string, std::string> changes[] = {
      {"8.3", "8.4"},       {"{1, 2}", "{1, 3}"},   {".u32 a", ".s32 a"},   {"r0, 1;", "r0, 2;"},
      {"r0, 1;", "r2, 1;"}, {"@p", "@!p"},          {"bra L", "bra.uni L"}, {"mov.b32 t, r1; }", "} mov.b32 r2, r1;"},
      {"L: @p", "@p"},      {"add.s32", "add.u32"}, {"x[2]", "x[3]"},
  };
  for (const auto& [from, to] : changes) {
    std::string text = base;
    text.replace(text.find(from), from.size(), to);
    if (from == "L: @p") text.replace(text.find("bra L"), 5, "L: bra L");
    const auto changed = parse(text);
    ASSERT_NE(changed, nullptr) << from;
    EXPECT_NE(ir::FirstDifference(*original, *changed), "") << from;
  }
}

// Declarations stay where they were: a name may mean an outer register before an inner one is declared.
TEST(RoundTripTest, DeclarationsKeepTheirPlaces) {
  const std::string base =
      ".version 8.3\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .b32 a;\n{ mov.b32 a, 1; .reg .b16 a; { } L: mov.b16 a, 2; { .reg "
      ".f32 a; mov.f32 a, 1.0; } }\n"
      ".reg .b32 c; { mov.b32 c, a; } .shared .b32 s; { { } mov.b32 c, s; bra E; } E: }\n";
  const auto first = ParsePtx(std::make_shared<const SourceFile>("t.ptx", base));
  ASSERT_NE(first.module, nullptr) << Rendered(first);
  const ParseOutcome second = ParsePtx(std::make_shared<const SourceFile>("printed.ptx", ir::Print(*first.module)));
  ASSERT_NE(second.module, nullptr) << Rendered(second);
  EXPECT_EQ(ir::FirstDifference(*first.module, *second.module), "");
}

}  // namespace
}  // namespace racer
