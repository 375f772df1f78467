// What is wrong with bad PTX, and where: its text, modules, names, limits. The verdict of every case, good or bad, is that of
// ptxas 13.0 unless the case says otherwise.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/bad_ptx_testing.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

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

// Broken once by hand: with ParseExpression in ParseUnsigned the sums pass.
TEST(ParseErrorsTest, NumbersOfDirectivesAreLiterals) {
  ExpectModule({
      {".global .b32 x[2+2];", "PtxSyntax 4:16"},
      {".global .b32 x[(4)];", "PtxSyntax 4:16"},
      {".global .b32 x[2][1?2:3];", "PtxSyntax 4:19"},
      {".shared .b32 x[WARP_SZ*2];", "PtxSyntax 4:16"},
      {".global .b32 x[-1];", "PtxSyntax 4:16"},
      {".global .align 4+4 .b32 x[4];", "PtxSyntax 4:16"},
      {".entry k() .maxntid 64+64 { ret; }", "PtxSyntax 4:21"},
      {".entry k() .maxntid 64 .minnctapersm (1) { ret; }", "PtxSyntax 4:38"},
      {".func f(.param .b8 q[2*2]) { ret; }", "PtxSyntax 4:22"},
      {".global .align WARP_SZ .b32 x[WARP_SZ][4U]; .entry k() .maxntid WARP_SZ, 2 { .reg .b32 r<WARP_SZ>; mov.b32 r31, 0; }", ""},
      {".global .b32 x[0x10] = {1+1, (2), WARP_SZ};", ""},
  });
  const ParseOutcome outcome = Parse(InModule(".global .b32 x[2+2];"));
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].message, "an expression");
  EXPECT_EQ(outcome.diagnostics[0].expected, "a size as one literal");
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
