// What is wrong with bad PTX, and where. The verdict of every case, good or bad, is that of ptxas 13.0 unless the case
// says otherwise.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

constexpr std::string_view kHead = ".version 8.3\n.target sm_90\n.address_size 64\n";

ParseOutcome Parse(std::string text, const ParseLimits& limits = {}) {
  return ParsePtx(std::make_shared<const SourceFile>("t.ptx", std::move(text)), limits);
}

std::string InModule(std::string_view text) { return std::string(kHead) + std::string(text); }

// `text` is on line 6 of the file, in a function with registers of every sort.
std::string InBody(std::string_view text, std::string_view before = "") {
  return std::string(kHead) + std::string(before) +
         ".entry k(.param .u64 a) {\n.reg .b32 r<10>; .reg .u32 u<4>; .reg .f32 f<10>; .reg .b64 rd<10>; .reg .f64 d<4>; .reg .pred p<5>; "
         ".reg .b16 h<5>; "
         ".reg .u16 uh<5>; .reg .f16 fh<4>; .reg .f16x2 hh<3>;\n" +
         std::string(text) + "\nret; }\n";
}

// "PtxType 6:9" for each error, in order.
std::vector<std::string> Errors(const ParseOutcome& outcome) {
  std::vector<std::string> list;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    list.push_back(std::string(DiagnosticKindName(diagnostic.kind)) + " " + std::to_string(diagnostic.location.line) + ":" +
                   std::to_string(diagnostic.location.column));
  }
  return list;
}

std::string First(const std::string& text) {
  const ParseOutcome outcome = Parse(text);
  const std::vector<std::string> errors = Errors(outcome);
  EXPECT_EQ(outcome.module == nullptr, !errors.empty());
  return errors.empty() ? "" : errors[0];
}

struct Case {
  std::string_view text;
  std::string_view error;  // "" for text that is right
};

void ExpectBody(std::initializer_list<Case> cases, std::string_view before = "") {
  for (const Case& c : cases) EXPECT_EQ(First(InBody(c.text, before)), c.error) << c.text;
}
void ExpectModule(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(First(InModule(c.text)), c.error) << c.text;
}

TEST(ParseErrorsTest, NoPtx) {
  EXPECT_EQ(First("hello, world\n"), "PtxVersion 1:1");
  EXPECT_EQ(First(""), "PtxVersion 1:1");
  EXPECT_EQ(First("   \n\n"), "PtxVersion 3:1");
  EXPECT_EQ(First("\x7f"
                  "ELF\x02\x01\x01"),
            "PtxLexical 1:1");
  EXPECT_EQ(First(std::string("\0\0\0\0", 4)), "PtxLexical 1:1");
  EXPECT_EQ(First("{\"json\": [1, 2]}"), "PtxVersion 1:1");
}

// The message names the rule; judge_test has the verdicts. With all of these checks taken out at once every case was seen to fail.
TEST(ParseErrorsTest, RulesAreNamed) {
  struct Named {
    std::string_view text;
    std::string_view message;
    std::string_view expected;
  };
  for (const Named& named : {
           Named{"ld.global.f32 f0, [rd0], rd1;", "`ld.global.f32` takes 2 operands, found 3; one more, policy, with `.L2::cache_hint`",
                 ""},
           Named{"ld.shared.L2::cache_hint.f32 f0, [rd0], rd1;", "hints for the caches are for global and generic addresses", ""},
           Named{"cp.async.wait_group r0;", "no literal in `cp.async.wait_group`", "an integer literal"},
           Named{"cp.async.ca.shared.global [r0], [rd0], 5;", "5 in `cp.async.ca.shared.global`", "4 or 8 or 16"},
           Named{"cp.async.cg.shared.global [r0], [rd0], 16, 17;", "17 in `cp.async.cg.shared.global`", "0 to 16"},
           Named{"cp.async.cg.shared.global [r0], [rd0], 16, h0;", "register `h0` of type .b16", "a register that holds .u32"},
           Named{"st.shared.b32 [16], r0;", "a literal address in `st.shared.b32`",
                 "a register or a variable; literals are addresses of .local memory alone"},
           Named{"pmevent 16;", "16 in `pmevent`", "0 to 15"},
           Named{"elect.sync r0, r1;", "`elect.sync` without its second result", "two results: d|p"},
           Named{"elect.sync r0|_, r1;", "`elect.sync` cannot drop this result", "a predicate"},
           Named{"shfl.sync.idx.b32 _|p0, r0, 0, 31, -1;", "`shfl` cannot drop its result", "a register"},
           Named{"add.u32 _, r0, r1;", "`add.u32` cannot drop its result", "a register"},
           Named{"add.u32 r0, _, r1;", "`_` where `add.u32` reads a value", ""},
           Named{"add.u32 r0, %tid.x, r1;", "special register `%tid` in `add.u32`",
                 "a register; `mov` and `cvt` between integers read special registers"},
           Named{"mov.u32 r0, %tid;", "all of `%tid` in `mov.u32`", "one of its components, such as `%tid.x`"},
           Named{"cvt.u64.u64 rd0, %laneid;", "special register `%laneid` in `cvt.u64.u64`, which is wider", ""},
           Named{"ld.global.v2.b32 {f0, u0}, [rd0];", "elements of types .f32 and .u32 in one vector of `ld.global.v2.b32`",
                 "elements of one type"},
           Named{"ld.global.v2.b16 {h0, r0}, [rd0];", "elements of 16 and of 32 bits in one vector of `ld.global.v2.b16`",
                 "elements of one width"},
           Named{"ld.global.v2.b32 {_, _}, [rd0];", "`ld.global.v2.b32` cannot drop all of its results", ""},
           Named{"mov.b64 rd0, {h0, h1, h2, h3, h0, h1, h2, h3};", "a vector of 8 elements in `mov.b64`", "2 or 4 elements"},
           Named{"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {r0, r1}, {f0, f1}, {r2}, {r0, r1};", "register `f0` of type .f32",
                 "a register that holds .f16x2"},
       }) {
    const ParseOutcome outcome = Parse(InBody(named.text));
    EXPECT_EQ(outcome.diagnostics.size(), 1u) << named.text;
    if (outcome.diagnostics.empty()) continue;
    EXPECT_NE(outcome.diagnostics[0].message.find(named.message), std::string::npos) << outcome.diagnostics[0].message;
    EXPECT_EQ(outcome.diagnostics[0].expected, named.expected) << named.text;
    EXPECT_EQ(outcome.diagnostics[0].location.line, 6);
  }
}

// Broken once by hand: without the length check of CheckVector the second and third cases pass.
TEST(ParseErrorsTest, VectorsOfFixedLength) {
  ExpectBody({
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0, _}, [r1];", ""},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0}, [r1];", "PtxType 6:42"},
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0, r2}, [r1];", "PtxType 6:42"},
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 r0, [r1];", "PtxType 6:42"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0, rd0}, [r1];", "PtxType 6:47"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0, 1}, [r1];", "PtxType 6:47"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {f0, hh1}, [r1];", ""},
      {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [r1], {r0, 5};", ""},
      {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [r1], {r0, _};", "PtxType 6:53"},
      {"movmatrix.sync.aligned.m8n8.trans.b16 {r0}, r1;", "PtxType 6:39"},
  });
  const ParseOutcome outcome = Parse(InBody("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0, r1}, [r2];"));
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_NE(outcome.diagnostics[0].Render().find("a vector of 2 elements in `ldmatrix.sync.aligned.m8n8.x4.shared.b16`"),
            std::string::npos);
  EXPECT_NE(outcome.diagnostics[0].Render().find("4 elements"), std::string::npos);
}

TEST(ParseErrorsTest, VersionAndTarget) {
  EXPECT_EQ(First(".version 8.3\n.target sm_90\n"), "");
  EXPECT_EQ(First(".target sm_90\n.version 8.3\n"), "PtxVersion 1:1");
  EXPECT_EQ(First(".version 8\n.target sm_90\n"), "PtxVersion 1:10");
  EXPECT_EQ(First(".version 0.9\n.target sm_90\n"), "PtxVersion 1:10");
  EXPECT_EQ(First(".version 8.3\n.entry k() { }\n"), "PtxVersion 2:1");
  EXPECT_EQ(First(".version 8.3\n.target sm_ninety\n"), "PtxVersion 2:9");
  EXPECT_EQ(First(".version 8.3\n.target debug\n"), "PtxVersion 2:1");
  EXPECT_EQ(First(".version 8.3\n.target sm_90a, debug, texmode_independent\n.address_size 48\n"), "PtxVersion 3:15");
  // Versions that never were: ptxas 13.0 refuses them too.
  for (std::string_view version : {"8.9", "7.9", "6.6", "5.2", "1.6"})
    EXPECT_EQ(First(".version " + std::string(version) + "\n.target sm_20\n"), "PtxVersion 1:10") << version;
  EXPECT_EQ(Parse(".version 9.4\n.target sm_90\n").diagnostics.size(), 0u);
  // Not so in ptxas, which stops: a newer version is read with a warning.
  const ParseOutcome newer = Parse(".version 10.2\n.target sm_130\n");
  ASSERT_NE(newer.module, nullptr);
  ASSERT_EQ(newer.diagnostics.size(), 1u);
  EXPECT_EQ(newer.diagnostics[0].severity, Severity::kWarning);
  EXPECT_EQ(newer.diagnostics[0].kind, DiagnosticKind::kPtxVersion);
}

TEST(ParseErrorsTest, TargetsOfAVersion) {
  EXPECT_EQ(First(".version 8.5\n.target sm_100\n"), "PtxVersion 2:9");
  EXPECT_EQ(First(".version 8.7\n.target sm_100a\n"), "");
  EXPECT_EQ(First(".version 8.6\n.target sm_100f\n"), "PtxVersion 2:9");
  EXPECT_EQ(First(".version 9.0\n.target sm_91\n"), "PtxVersion 2:9");
  EXPECT_EQ(First(".version 9.0\n.target sm_90b\n"), "PtxVersion 2:9");
}

TEST(ParseErrorsTest, InstructionsNewerThanTheModule) {
  const auto first = [](std::string_view version, std::string_view target, std::string_view text) {
    return First(".version " + std::string(version) + "\n.target " + std::string(target) + "\n.entry k() { .reg .b32 r<4>;\n" +
                 std::string(text) + "\n}\n");
  };
  EXPECT_EQ(first("6.5", "sm_80", "redux.sync.add.s32 r0, r1, r2;"), "PtxVersion 2:9");
  EXPECT_EQ(first("7.0", "sm_80", "redux.sync.add.s32 r0, r1, r2;"), "");
  EXPECT_EQ(first("7.0", "sm_75", "redux.sync.add.s32 r0, r1, r2;"), "PtxVersion 4:1");
  const ParseOutcome outcome =
      Parse(".version 6.5\n.target sm_70\n.entry k() { .reg .b32 r<4>;\nredux.sync.add.s32 r0, r1, r2;\nelect.sync r0, r1;\n}\n");
  ASSERT_EQ(outcome.diagnostics.size(), 2u);  // each of them
  EXPECT_EQ(
      outcome.diagnostics[0].Render(),
      "t.ptx:4:1: error: `redux.sync.add.s32` needs .version 7.0 or later and .target sm_80 or later; the module has .version 6.5 and "
      ".target sm_70\n"
      "  redux.sync.add.s32 r0, r1, r2;\n"
      "  ^~~~~~~~~~~~~~~~~~\n");
}

TEST(ParseErrorsTest, ModifiersThatDoNotGoTogether) {
  ExpectBody({
      {"frob.u32 r0, 1;", "PtxSyntax 6:1"},
      {"fma.f32 f0, f1, f2, f3;", "PtxSyntax 6:1"},    // the rounding is missing
      {"add.rn.rz.f32 f0, f1, f2;", "PtxSyntax 6:1"},  // two of them
      {"add.f33 f0, f1, f2;", "PtxSyntax 6:1"},
      {"mul.u32 r0, r1, r2;", "PtxSyntax 6:1"},
      {"setp.lt.b32 p0, r1, r2;", "PtxSyntax 6:1"},
      {"vote.all.pred p0, p1;", "PtxVersion 6:1"},
      {"shfl.up.b32 r0, r1, r2, r3;", "PtxVersion 6:1"},
      {"mbarrier.init.global.b64 [rd0], 1;", "PtxSyntax 6:1"},
      {"mbarrier.try_wait.release.cta.shared.b64 p0, [rd0], rd1;", "PtxSyntax 6:1"},
  });
}

// Each line was judged by ptxas 13.0 alone.
TEST(ParseErrorsTest, AsynchronousFamily) {
  ExpectBody(
      {
          {"mbarrier.init.shared::cta.b64 [r0], 1; mbarrier.arrive.shared::cta.b64 rd0, [r0]; mbarrier.arrive.shared.b64 _, [r0], r1;", ""},
          {"mbarrier.arrive.shared::cluster.b64 rd0, [r0];", "PtxType 6:37"},
          {"mbarrier.try_wait.parity.shared::cta.b64 p0, [r0], rd0;", "PtxType 6:52"},
          {"mbarrier.test_wait.shared.b64 r0, [r0], rd0;", "PtxType 6:31"},
          {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [r0], [rd0, {r1, r2}], [r3];", ""},
          {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [r0], [rd0, {r1, r2, r3, r4}], [r3];",
           "PtxType 6:89"},
          {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [r0], [rd0], [r3];", "PtxType 6:83"},
          {"wgmma.fence.sync.aligned;", "PtxVersion 6:1"},  // of sm_90a alone
          {"tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [t, {f4, f5}]; tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [t, r0];", ""},
          {"tex.2d.v4.f32.f32 {f0, f1, f2, f3}|p0, [rd0, {f4, f5}];", ""},
          {"tex.2d.v4.f32.f32 {f0, f1, f2}, [t, {f4, f5}];", "PtxType 6:19"},
          {"tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [t, f4];", "PtxType 6:41"},
          {"vadd.s32.u32.s32.sat r0, r1.b0, r2.h1; vset4.u32.s32.lt r0, r1, r2, r3;", ""},
          {"vadd.s32.u32.s32 r0, r1, rd2;", "PtxType 6:26"},
      },
      ".global .texref t; ");
}

TEST(ParseErrorsTest, SpecialRegisters) {
  ExpectBody({
      {"mov.u32 r0, %tid.x; mov.u16 uh0, %ctaid.y; mov.u64 rd0, %gridid; mov.pred p0, %is_explicit_cluster; mov.u64 rd0, %pm3_64;", ""},
      {"mov.u64 rd0, %tid.x;", "PtxType 6:14"},
      {"mov.u32 r0, %clock64;", "PtxType 6:13"},
      {"mov.u32 r0, %is_explicit_cluster;", "PtxType 6:13"},
  });
  EXPECT_EQ(First(".version 7.7\n.target sm_80\n.entry k() { .reg .b32 r;\nmov.u32 r, %cluster_ctarank; }\n"), "PtxVersion 4:12");
}

TEST(ParseErrorsTest, DirectivesNewerThanTheModule) {
  EXPECT_EQ(First(".version 7.7\n.target sm_80\n.entry k() .maxclusterrank 4 { ret; }\n"), "PtxVersion 3:12");
  EXPECT_EQ(First(".version 7.8\n.target sm_90\n.entry k() .maxclusterrank 4 { ret; }\n"), "");
  EXPECT_EQ(First(".version 6.3\n.target sm_70\n.func f() .noreturn { trap; }\n"), "PtxVersion 3:11");
  EXPECT_EQ(First(".version 8.0\n.target sm_80\n.global .attribute(.unified(1, 2)) .u32 x;\n"), "PtxVersion 3:20");
  EXPECT_EQ(First(".version 8.8\n.target sm_100\n.entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }\n"),
            "PtxVersion 3:45");
}

TEST(ParseErrorsTest, Lexical) {
  ExpectBody({
      {"mov.u32 r0, 08;", "PtxLexical 6:13"},
      {"mov.u32 r0, 0b102;", "PtxLexical 6:13"},
      {"mov.f32 f0, 0f3f8;", "PtxLexical 6:13"},
      {"mov.u32 r0, 12L;", "PtxLexical 6:13"},
      {"mov.u64 rd0, 99999999999999999999;", "PtxLexical 6:14"},
      {"mov.u32 r0, `1`;", "PtxLexical 6:13"},
      {".pragma \"nounroll;", "PtxLexical 6:9"},
      {"/* mov.u32 r0, 1;", "PtxLexical 6:1"},
      {"mov.u32 r0, 0XfFU;", ""},
      {"mov.f32 f0, .5;", ""},
  });
}

TEST(ParseErrorsTest, Syntax) {
  ExpectBody({
      {"mov.u32 r0, 7%3;", "PtxSyntax 6:14"},
      {"ld . global .u32 r0, [rd1];", "PtxLexical 6:4"},
      {"add .s32 r0, r1, r2;", ""},
      {"mov.u32 r0 r1;", "PtxSyntax 6:12"},
      {"mov.u32 r0, ;", "PtxSyntax 6:13"},
      {"add.s32 r0, r1, r2", "PtxSyntax 6:19"},
      {"ld.global.u32 r0, [rd1;", "PtxSyntax 6:23"},
      {"ld.global.u32 r0, [rd1+rd2];", "PtxSyntax 6:24"},
      {"ld.global.u32 r0, [4+rd1];", "PtxSyntax 6:22"},
      {"mov.b64 {r0, r1, rd0;", "PtxSyntax 6:21"},
      {";;", "PtxSyntax 6:1"},
      {"{};", "PtxSyntax 6:3"},
      {"@p0 L: mov.u32 r0, 1;", "PtxSyntax 6:6"},
      {"@1 bra L; L:", "PtxSyntax 6:2"},
      {"mov.f32 f0, -0f3f800000;", "PtxType 6:13"},
      {".frob 5;", "PtxSyntax 6:1"},
      {".extern .shared .b8 sm[];", "PtxSyntax 6:1"},
      {".loc 1 5\n", "PtxSyntax 8:1"},
      {"add.s32 r0, r1;", "PtxSyntax 6:1"},
      {"add.s32 r0, r1, r2, r3;", "PtxSyntax 6:1"},
  });
}

TEST(ParseErrorsTest, ModuleSyntax) {
  ExpectModule({
      {";", "PtxSyntax 4:1"},
      {".frob 5;", "PtxSyntax 4:1"},
      {".version 8.3", "PtxSyntax 4:1"},
      {".visible .weak .global .u32 x;", "PtxSyntax 4:10"},
      {".global .u33 x;", "PtxSyntax 4:9"},
      {".global .align 3 .u32 x;", "PtxSyntax 4:16"},
      {".global .u32 _;", "PtxSyntax 4:14"},
      {".entry k() .maxntid 0 { }", "PtxSyntax 4:21"},
      {".entry k() .maxntid 1, 2, 3, 4 { }", "PtxSyntax 4:30"},
      {".entry k() .frob 1 { }", "PtxSyntax 4:12"},
      {".entry k() { ret;", "PtxSyntax 4:18"},
      {".entry k(.param .u64 a", "PtxSyntax 4:23"},
      {".entry k(.reg .u64 a) { }", "PtxSyntax 4:10"},
      {".param .u32 x;", "PtxSyntax 4:1"},
      {".section .debug_str { .b8 1, 2; }", "PtxSyntax 4:31"},
      {".section .debug_str { .b8 1", "PtxSyntax 4:28"},
      {".file 1 name", "PtxSyntax 4:9"},
      {".global .u32 x, y[3], z = 4;", ""},
      {".pragma \"nounroll\";", ""},
      {".entry k .maxntid 1, 2, 3 .minnctapersm 2 { }", ""},
  });
}

TEST(ParseErrorsTest, Undeclared) {
  ExpectBody({
      {"add.s32 zz, r1, r2;", "PtxUndeclared 6:9"},
      {"add.s32 r10, r1, r2;", "PtxUndeclared 6:9"},
      {"add.s32 r9, r1, r02;", ""},
      {"bra NOPE;", "PtxUndeclared 6:5"},
      {"bra L; { L: mov.u32 r1, 1; }", "PtxUndeclared 6:5"},
      {"{ bra L; } L: mov.u32 r1, 1;", ""},
      {"ts: .branchtargets L1, L9; brx.idx r0, ts; L1: mov.u32 r0, 1;", "PtxUndeclared 6:24"},
      {"brx.idx r0, ts; L1: mov.u32 r0, 1;", "PtxUndeclared 6:13"},
      {"call foo;", "PtxUndeclared 6:6"},
      {"mov.u64 rd0, late;", "PtxUndeclared 6:14"},
      {"ld.global.u32 r0, [nope];", "PtxUndeclared 6:20"},
      {"@q bra L; L:", "PtxUndeclared 6:2"},
      {"mov.u32 r0, %foo;", "PtxUndeclared 6:13"},
      {"frob.u32 r0, zz;", "PtxSyntax 6:1"},
      {"{ .reg .b32 inner; } mov.u32 inner, 1;", "PtxUndeclared 6:30"},
      {"call rd0, P;", "PtxUndeclared 6:11"},
  });
  ExpectModule({
      {".global .u64 p = q; .global .u32 q;", "PtxUndeclared 4:18"},
      {".global .u32 q; .global .u64 p = q+4;", ""},
      {".func f(); .alias f, g;", "PtxUndeclared 4:22"},
  });
}

TEST(ParseErrorsTest, Redeclared) {
  ExpectBody({
      {".reg .b32 r1;", "PtxRedeclared 6:11"},
      {".reg .b32 r<3>;", "PtxRedeclared 6:11"},
      {".reg .b32 q1; .reg .b32 q<4>;", "PtxRedeclared 6:25"},
      {".reg .b32 q4; .reg .b32 q<4>;", ""},
      {"{ .reg .f32 r0; mov.f32 r0, 0f00000000; }", ""},
      {"{ mov.u32 r0, 1; .reg .f32 r0; mov.f32 r0, 0f00000000; }", ""},
      {".reg .b32 a;", "PtxRedeclared 6:11"},
      {"r1: mov.u32 r1, 1;", ""},
      {"L: mov.u32 r1, 1; L: mov.u32 r1, 1;", "PtxRedeclared 6:19"},
      {"L: mov.u32 r1, 1; { L: mov.u32 r1, 1; }", ""},
      {".shared .u32 s; .shared .u32 s;", "PtxRedeclared 6:30"},
      // ptxas accepts this; which register is meant, nobody says.
      {".reg .b32 q1<5>; .reg .b32 q<20>; mov.u32 q12, 1;", "PtxRedeclared 6:43"},
      {".reg .b32 q1<5>; .reg .b32 q<20>; mov.u32 q3, 1;", ""},
  });
  ExpectModule({
      {".global .u32 x; .global .u32 x;", "PtxRedeclared 4:30"},
      {".extern .global .u32 x; .visible .global .u32 x;", ""},
      {".visible .global .u32 x; .extern .global .u32 x;", ""},
      {".func f() { ret; } .func f() { ret; }", "PtxRedeclared 4:26"},
      {".func f(); .func f() { ret; }", ""},
      {".global .u32 f; .func f() { ret; }", "PtxRedeclared 4:23"},
      {".func f() { ret; } .global .u32 f;", "PtxRedeclared 4:33"},
      {".entry k(.param .u32 a, .param .u32 a) { }", "PtxRedeclared 4:37"},
  });
}

TEST(ParseErrorsTest, RegisterTypes) {
  ExpectBody({
      {"add.f32 u0, u1, u2;", "PtxType 6:9"},
      {"add.f32 r0, r1, r2;", ""},
      {"add.s32 f0, r1, r2;", "PtxType 6:9"},
      {"and.b32 f0, f1, f2;", ""},
      {"add.s32 u0, r1, u2;", ""},
      {"mov.u32 r0, f1;", "PtxType 6:13"},
      {"add.s32 rd0, r1, r2;", "PtxType 6:9"},
      {"add.s64 rd0, r1, rd2;", "PtxType 6:14"},
      {"add.s32 r0, h1, r2;", "PtxType 6:13"},
      {"mul.wide.u32 r0, r1, r1;", "PtxType 6:14"},
      {"mul.wide.u32 rd0, r1, 4;", ""},
      {"shl.b32 r0, r1, h0;", "PtxType 6:17"},
      {"shl.b64 rd0, rd1, rd2;", "PtxType 6:19"},
      {"setp.lt.f32 p0, u0, f1;", "PtxType 6:17"},
      {"setp.lt.s32 r0, r1, r2;", "PtxType 6:13"},
      {"selp.b32 r0, f1, r1, p0;", ""},
      {"selp.u32 r0, f1, r1, p0;", "PtxType 6:14"},
      {"add.s32 r0, p0, r1;", "PtxType 6:13"},
      {"mov.b32 r0, p0;", "PtxType 6:13"},
      {"@r0 mov.u32 r0, 1;", "PtxType 6:2"},
      {"add.f16x2 r0, r1, hh1;", ""},
      {"add.f16x2 u0, u1, u1;", "PtxType 6:11"},
      {"add.f16 h0, fh1, h1;", ""},
      {"fma.rn.bf16 h0, h1, h1, h1;", ""},
      {"fma.rn.bf16 fh0, h1, h1, h1;", "PtxType 6:13"},
      {"fma.rn.bf16 uh0, h1, h1, h1;", "PtxType 6:13"},
      {"ex2.approx.f32 u0, r1;", "PtxType 6:16"},
  });
}

TEST(ParseErrorsTest, LoadsStoresAndConversionsTakeWiderRegisters) {
  ExpectBody({
      {"ld.global.u8 r0, [rd1]; ld.global.s16 rd0, [rd1]; ld.global.u32 rd0, [rd1];", ""},
      {"ld.global.u32 h0, [rd1];", "PtxType 6:15"},
      {"ld.global.u32 f0, [rd1];", "PtxType 6:15"},
      {"ld.global.b32 f0, [rd1]; ld.global.b32 d0, [rd1]; ld.global.b16 f0, [rd1];", ""},
      {"ld.global.f32 rd0, [rd1]; ld.global.f32 r0, [rd1];", ""},
      {"ld.global.f32 u0, [rd1];", "PtxType 6:15"},
      {"ld.global.f32 d0, [rd1];", "PtxType 6:15"},
      {"st.global.u8 [rd1], r0; st.global.u16 [rd1], rd0; st.global.b32 [rd1], d0;", ""},
      {"st.global.u32 [rd1], f0;", "PtxType 6:22"},
      {"st.global.f32 [rd1], d0;", "PtxType 6:22"},
      {"cvt.u32.u8 r0, r1; cvt.u8.u32 r0, r1; cvt.s64.s32 rd0, rd1;", ""},
      {"cvt.u32.u64 r0, r1;", "PtxType 6:17"},
      {"cvt.f32.f16 f0, r1; cvt.f32.f16 f0, fh1;", ""},
      {"cvt.f32.f16 f0, uh1;", "PtxType 6:17"},
      {"cvt.rn.f32.s32 f0, f1;", "PtxType 6:20"},
      {"cvt.rn.f32.s32 u0, r1;", "PtxType 6:16"},
      {"ld.global.v2.u8 {r0, r1}, [rd1];", ""},
  });
}

TEST(ParseErrorsTest, Literals) {
  ExpectBody({
      {"mov.f32 f0, 1;", "PtxType 6:13"},
      {"add.f32 f0, f1, 1;", "PtxType 6:17"},
      {"add.s32 r0, r1, 1.5;", "PtxType 6:17"},
      {"mov.b32 r0, 0f3f800000;", ""},
      {"mov.u32 r0, 0f3f800000;", "PtxType 6:13"},
      {"mov.b32 r0, 1.5;", "PtxType 6:13"},
      {"mov.b64 rd0, 1.5; mov.b64 rd0, 0d3ff0000000000000;", ""},
      {"mov.b64 rd0, 0f3f800000;", "PtxType 6:14"},
      {"mov.b32 r0, 0d3ff0000000000000;", "PtxType 6:13"},
      {"mov.f64 d0, 0f3f800000; mov.f32 f0, 0d3ff0000000000000;", ""},
      {"add.f16 h0, h1, 1.0;", "PtxType 6:17"},
      {"st.global.f32 [rd1], 5;", "PtxType 6:22"},
      {"st.global.f32 [rd1], 0f00000000; st.global.b32 [rd1], 5;", ""},
      {"setp.lt.f32 p0, f1, 0;", "PtxType 6:21"},
      {"mov.pred p0, 1; and.pred p0, p1, 1;", ""},
      {"mov.u32 r0, 1/0;", "PtxType 6:14"},
      {"mov.f32 f0, 0f3f800000+0f3f800000;", "PtxType 6:23"},
      {"mov.f64 d0, 1.5+2.0*3.0;", ""},
  });
}

TEST(ParseErrorsTest, OperandForms) {
  ExpectBody(
      {
          {"add.s32 4, r0, r1;", "PtxType 6:9"},
          {"add.s32 r0|p0, r0, r1;", "PtxType 6:9"},
          {"setp.eq.u32 p0 | p1, r0, 1; setp.eq.u32 _|p1, r0, 1|2;", ""},
          {"mov.u32 %tid.x, 1;", "PtxType 6:9"},
          {"mov.u32 r0, %laneid.x;", "PtxSyntax 6:20"},
          {"add.s64 rd0, [rd1], 1;", "PtxType 6:14"},
          {"ld.global.u32 r0, rd1;", "PtxType 6:19"},
          {"ld.global.u32 r0, [f1];", "PtxType 6:20"},
          {"ld.shared.u32 r0, [%tid.x];", "PtxType 6:20"},
          {"ld.global.u32 r0, [rd1, rd2];", "PtxType 6:19"},
          {"ld.shared.u32 r0, [x];", "PtxType 6:19"},
          {"ld.u32 r0, [x]; ld.global.u32 r0, [x+-4]; ld.global.u32 r0, x[1]; mov.u64 rd0, x[1];", ""},
          // ptxas 13.0 takes a minus behind a plus only, and a chain behind it.
          {"ld.global.u32 r0, [rd1+-4]; ld.global.u32 r0, [rd1+8-4]; mov.u64 rd0, x+-4;", ""},
          {"ld.global.u32 r0, [rd1-4];", "PtxSyntax 6:23"},
          {"ld.global.u32 r0, [x-4];", "PtxSyntax 6:21"},
          {"mov.u64 rd0, x-4;", "PtxSyntax 6:15"},
          {"ld.global.u32 r0, [f];", "PtxType 6:20"},
          {"mov.u64 rd0, s[1];", "PtxType 6:16"},
          {"ld.global.v4.f32 {f0, f1, f2}, [rd1];", "PtxType 6:18"},
          {"ld.global.v4.f32 {f0, _, f2, _}, [rd1];", ""},
          {"mov.b64 {r0, r1}, rd0; mov.b32 {h0, h1}, r0; mov.b64 {h0, h1, h2, h3}, rd1; mov.b64 {f0, f1}, d0; mov.b64 rd0, {r0, 0};", ""},
          {"mov.b64 {h0, h1}, rd0;", "PtxType 6:10"},
          {"mov.u64 {r0, r1}, rd0;", "PtxType 6:9"},
          {".reg .v4 .f32 q; mov.f32 f0, q.a; mov.f32 f0, q.w;", ""},
          {".reg .v2 .f32 q; mov.f32 f0, q.z;", "PtxType 6:31"},
          {"mov.f32 f0, f1.x;", "PtxType 6:15"},
          {"@ ! p0 mov.u32 r0, 1; and.pred p0, !p1, p2; mov.pred p0, !p1; selp.b32 r0, r1, r2, !p0;", ""},
          {"add.s32 r0, !r1, r2;", "PtxType 6:13"},
          {"bra ts; ts: .branchtargets L; L:", "PtxType 6:5"},
          {"bra r0;", "PtxUndeclared 6:5"},
          {".shared .pred s;", "PtxType 6:15"},
          {".shared .u32 s[];", "PtxType 6:14"},
          {".local .u32 l = 1;", "PtxType 6:17"},
      },
      ".global .u32 x[4]; .global .u32 s; .func f() { ret; } ");
}

TEST(ParseErrorsTest, Calls) {
  ExpectBody(
      {
          {"call (r0), f, (1, 2.0); call (_), f, (r0, f0);", ""},
          {"call (r0), f, (1);", "PtxType 6:12"},
          {"call f, (1, 2.0);", "PtxType 6:6"},
          {"call g; call g, ();", ""},
          {"call g, (r0);", "PtxType 6:6"},
          {"call e;", "PtxType 6:6"},
          {"call x;", "PtxType 6:6"},
          {"call (r0) f;", "PtxSyntax 6:11"},
      },
      ".func (.reg .b32 o) f(.reg .b32 i, .reg .f32 j) { ret; } .func g() { ret; } .entry e() { ret; } .global .u32 x; ");
  ExpectModule({
      {".func f(.param .u32 a); .func f(.param .u64 a) { ret; }", "PtxType 4:31"},
      {".func f(.param .u32 a); .func f(.param .u32 b) { ret; }", ""},
  });
}

TEST(ParseErrorsTest, Initializers) {
  ExpectModule({
      {".global .f32 x = 1;", "PtxType 4:18"},
      {".global .u32 x = 1.5;", "PtxType 4:18"},
      {".global .u32 x[2] = {1, 2, 3};", "PtxType 4:28"},
      {".global .u32 x[2][2] = {1, 2, 3, 4};", "PtxSyntax 4:25"},
      {".global .u32 x[2][2] = {{1}, {3}};", ""},
      {".global .u32 x = {1};", "PtxSyntax 4:18"},
      {".global .v4 .f32 x = {1.0, 2.0, 3.0, 4.0};", ""},
      {".global .v2 .u32 x[2] = {{1, 2}, {3}};", "PtxType 4:36"},
      {".shared .u32 x = 1;", "PtxType 4:18"},
      {".global .f16 x = 1.0;", "PtxType 4:18"},
      {".global .b16 x = 0x3c00; .global .u8 y = -1; .global .b32 z = 1.5;", ""},
      {".global .u32 x[0];", "PtxType 4:16"},
      {".global .u32 x[] = {};", "PtxType 4:21"},
      {".global .u32 x[][2] = {{1, 2}, {3}};", ""},
      {".global .u32 x[1099511627776][1099511627776];", "PtxType 4:14"},
      {".global .u32 x[2][1000000000] = {{1}, {2}};", "PtxType 4:39"},
      {".global .u32 q; .global .f32 p = q;", "PtxType 4:34"},
  });
}

TEST(ParseErrorsTest, SeveralErrorsInOneGo) {
  const ParseOutcome outcome =
      Parse(InBody("add.s32 zz, r1, r2;\nmov.b64 {r0, r1, rd0;\nadd.s32 r0, r1, 1.5;\n{ bra NOPE; }\nadd.f32 f0, f1, f2") +
            ".global .u32 x = 1.5;\n.entry second() { mov.u32 r0, 1; }\n");
  EXPECT_EQ(Errors(outcome), (std::vector<std::string>{"PtxUndeclared 6:9", "PtxSyntax 7:21", "PtxType 8:17", "PtxUndeclared 9:7",
                                                       "PtxSyntax 10:19", "PtxType 12:18", "PtxUndeclared 13:27"}));
}

TEST(ParseErrorsTest, TheNumberOfErrorsIsLimited) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "mov.u32 zz, 1;\n";
  EXPECT_EQ(Errors(Parse(InBody(body))).size(), 20u);
  EXPECT_EQ(Errors(Parse(InBody(body), {.max_errors = 3})).size(), 3u);
}

TEST(ParseErrorsTest, RenderedWithCaretAndExpectation) {
  const ParseOutcome outcome = Parse(InBody("add.s32 r0, r1, r2"));
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].Render(),
            "t.ptx:6:19: error: the instruction does not end here; expected `;` or `,`\n"
            "  add.s32 r0, r1, r2\n"
            "                    ^\n");
  const ParseOutcome type = Parse(InBody("add.s32 r0, f1, r2;"));
  ASSERT_EQ(type.diagnostics.size(), 1u);
  EXPECT_EQ(type.diagnostics[0].Render(),
            "t.ptx:6:13: error: register `f1` of type .f32 in `add.s32`; expected a register that holds .s32\n"
            "  add.s32 r0, f1, r2;\n"
            "              ^~\n");
}

// Broken once by reading operands up to the brace: "found `}`; expected a constant".
TEST(ParseErrorsTest, ASemicolonIsMissing) {
  const auto says = [](std::string_view body, std::string_view text) {
    const ParseOutcome outcome = Parse(std::string(kHead) + ".entry k() {\n" + std::string(body) + "\n");
    ASSERT_FALSE(outcome.diagnostics.empty());
    EXPECT_NE(outcome.diagnostics[0].Render().find(text), std::string::npos) << outcome.diagnostics[0].Render();
  };
  says("ret\n}", "t.ptx:5:4: error: the instruction does not end here; expected `;`\n");
  says("ret }", "t.ptx:5:5: error: found `}`; expected `;`\n");
  says("ret", "expected `;`\n");
  says("bar.sync 0\n}", "does not end here; expected `;` or `,`\n");
}

TEST(ParseErrorsTest, Nesting) {
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(First(InBody(nested(255, "{", "}"))), "");
  EXPECT_EQ(First(InBody(nested(256, "{", "}"))), "PtxNesting 6:256");
  const std::string many = nested(1'000'000, "{", "");
  EXPECT_EQ(First(InBody(many)), "PtxNesting 6:256");
  EXPECT_EQ(First(InBody("mov.b64 " + many)), "PtxNesting 6:265");
  EXPECT_EQ(First(InBody("mov.u32 r0, " + nested(1'000'000, "(", ""))), "PtxNesting 6:269");
  EXPECT_EQ(First(InBody("mov.u32 r0, " + nested(1'000'000, "-", ""))), "PtxNesting 6:268");
  EXPECT_EQ(First(InBody("mov.u32 r0, " + nested(1'000'000, "1?", ""))), "PtxNesting 6:525");
  EXPECT_EQ(First(InBody("ld.u32 r0, " + nested(1'000'000, "[rd0, ", ""))), "PtxNesting 6:1548");
  EXPECT_EQ(First(InBody("mov.u64 rd0, " + nested(1'000'000, "x[", ""), ".global .u32 x[4]; ")), "PtxNesting 6:527");
  EXPECT_EQ(First(InModule(".global .u32 x[2] = " + many)), "PtxSyntax 4:22");
  EXPECT_EQ(First(InBody("mov.u32 r0, " + nested(200, "(", "") + "1" + nested(200, "", ")") + ";")), "");
}

TEST(ParseErrorsTest, TooLarge) {
  const std::string text = InModule("");
  EXPECT_EQ(Errors(Parse(text, {.max_bytes = text.size() - 1})), std::vector<std::string>{"FileTooLarge 0:0"});
  EXPECT_NE(Parse(text, {.max_bytes = text.size()}).module, nullptr);
}

// Every prefix of a file is a clean error or a module; a million of its bytes changed would be the fuzzer's job.
TEST(ParseErrorsTest, Truncated) {
  const std::string text =
      InBody("{ .reg .b32 t; mov.b64 {r0, t}, rd0; @!p0 ld.global.v2.u32 {r0, r1}, [rd1+4]; } L: bra L; call (r0), f, (1);",
             ".global .u32 x[2][2] = {{1}, {WARP_SZ}}; .func (.reg .b32 o) f(.reg .b32 i) { ret; } ");
  ASSERT_EQ(First(text), "");
  for (size_t size = 0; size < text.size(); ++size) First(text.substr(0, size));
}

TEST(ParseErrorsTest, HugeInputsOfNoWorth) {
  constexpr size_t kMany = 2'000'000;
  for (const char c : {'\0', '.', ';', '{', '}', '(', '"', 'a', '0', '/', '@', ' ', '\n', '\xff'}) {
    First(std::string(kMany, c));
    First(InBody(std::string(kMany, c)));
  }
}

}  // namespace
}  // namespace racer
