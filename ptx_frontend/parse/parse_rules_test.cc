// What is wrong with single instructions, and what is said of it. The verdict of every case, good or bad, is that of ptxas 13.0 unless
// the case says otherwise.
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

// The message names the rule; judge_test has the verdicts. With all of these checks taken out at once every case was seen to fail.
TEST(ParseRulesTest, RulesAreNamed) {
  ExpectNamed({
      {"ld.global.f32 f0, [rd0], rd1;", "`ld.global.f32` takes 2 operands, found 3; one more, policy, with `.L2::cache_hint`", ""},
      {"ld.shared.L2::cache_hint.f32 f0, [rd0], rd1;", "hints for the caches are for global and generic addresses", ""},
      {"cp.async.wait_group r0;", "no literal in `cp.async.wait_group`", "an integer literal"},
      {"cp.async.ca.shared.global [r0], [rd0], 5;", "5 in `cp.async.ca.shared.global`", "4 or 8 or 16"},
      {"cp.async.cg.shared.global [r0], [rd0], 16, 17;", "17 in `cp.async.cg.shared.global`", "0 to 16"},
      {"cp.async.cg.shared.global [r0], [rd0], 16, h0;", "register `h0` of type .b16", "a register that holds .u32"},
      {"st.shared.b32 [16], r0;", "a literal address in `st.shared.b32`",
       "a register or a variable; literals are addresses of .local memory alone"},
      {"pmevent 16;", "16 in `pmevent`", "0 to 15"},
      {"elect.sync r0, r1;", "`elect.sync` without its second result", "two results: d|p"},
      {"elect.sync r0|_, r1;", "`elect.sync` cannot drop this result", "a predicate"},
      {"shfl.sync.idx.b32 _|p0, r0, 0, 31, -1;", "`shfl` cannot drop its result", "a register"},
      {"add.u32 _, r0, r1;", "`add.u32` cannot drop its result", "a register"},
      {"add.u32 r0, _, r1;", "`_` where `add.u32` reads a value", ""},
      {"add.u32 r0, %tid.x, r1;", "special register `%tid` in `add.u32`",
       "a register; `mov` and `cvt` between integers read special registers"},
      {"mov.u32 r0, %tid;", "all of `%tid` in `mov.u32`", "one of its components, such as `%tid.x`"},
      {"cvt.u64.u64 rd0, %laneid;", "special register `%laneid` in `cvt.u64.u64`, which is wider", ""},
      {"ld.global.v2.b32 {f0, u0}, [rd0];", "elements of types .f32 and .u32 in one vector of `ld.global.v2.b32`", "elements of one type"},
      {"ld.global.v2.b16 {h0, r0}, [rd0];", "elements of 16 and of 32 bits in one vector of `ld.global.v2.b16`", "elements of one width"},
      {"ld.global.v2.b32 {_, _}, [rd0];", "`ld.global.v2.b32` cannot drop all of its results", ""},
      {"mov.b64 rd0, {h0, h1, h2, h3, h0, h1, h2, h3};", "a vector of 8 elements in `mov.b64`", "2 or 4 elements"},
      {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {r0, r1}, {f0, f1}, {r2}, {r0, r1};", "register `f0` of type .f32",
       "a register that holds .f16x2"},
  });
}

// Broken once by hand: without the length check of CheckVector the second and third cases pass.
TEST(ParseRulesTest, VectorsOfFixedLength) {
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

TEST(ParseRulesTest, InstructionsNewerThanTheModule) {
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

TEST(ParseRulesTest, ModifiersThatDoNotGoTogether) {
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
TEST(ParseRulesTest, AsynchronousFamily) {
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

TEST(ParseRulesTest, SpecialRegisters) {
  ExpectBody({
      {"mov.u32 r0, %tid.x; mov.u16 uh0, %ctaid.y; mov.u64 rd0, %gridid; mov.pred p0, %is_explicit_cluster; mov.u64 rd0, %pm3_64;", ""},
      {"mov.u64 rd0, %tid.x;", "PtxType 6:14"},
      {"mov.u32 r0, %clock64;", "PtxType 6:13"},
      {"mov.u32 r0, %is_explicit_cluster;", "PtxType 6:13"},
  });
  EXPECT_EQ(First(".version 7.7\n.target sm_80\n.entry k() { .reg .b32 r;\nmov.u32 r, %cluster_ctarank; }\n"), "PtxVersion 4:12");
}

TEST(ParseRulesTest, RegisterTypes) {
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

TEST(ParseRulesTest, LoadsStoresAndConversionsTakeWiderRegisters) {
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

TEST(ParseRulesTest, Literals) {
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

TEST(ParseRulesTest, OperandForms) {
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

// Each of these was seen to fail with its check taken out: the ranges of the literals in the grammar lines, CheckLength,
// CheckAddressWidth, CheckPlace and CheckWhatIsConverted. The edges on both sides are ptxas's.
TEST(ParseRulesTest, BarriersOfLiterals) {
  ExpectNamed({
      {"bar.sync 16;", "16 in `bar.sync`", "0 to 15"},
      {"bar.sync -1;", "-1 in `bar.sync`", "0 to 15"},
      {"bar.cta.sync WARP_SZ;", "32 in `bar.cta.sync`", "0 to 15"},
      {"bar.sync r0, 33;", "33 in `bar.sync`", "a multiple of 32 from 0 to 4294967264"},
      {"bar.arrive 0, 0;", "0 in `bar.arrive`", "a multiple of 32 from 32 to 4294967264"},
      {"bar.arrive 0, 33;", "33 in `bar.arrive`", "a multiple of 32 from 32 to 4294967264"},
      {"bar.red.popc.u32 r0, 16, p0;", "16 in `bar.red.popc.u32`", "0 to 15"},
      {"bar.red.and.pred p1, 1, 31, p0;", "31 in `bar.red.and.pred`", "a multiple of 32 from 0 to 4294967264"},
      {"barrier.sync 16;", "16 in `barrier.sync`", "0 to 15"},
      {"barrier.sync.aligned 0, 33;", "33 in `barrier.sync.aligned`", "a multiple of 32 from 0 to 4294967264"},
      {"barrier.arrive 16, 32;", "16 in `barrier.arrive`", "0 to 15"},
      {"barrier.red.or.pred p1, 1, 33, p0;", "33 in `barrier.red.or.pred`", "a multiple of 32 from 0 to 4294967264"},
  });
  // Of a literal the low 32 bits are looked at.
  ExpectBody({
      {"bar.sync 15; bar.sync 0, 0; bar.sync 0, 1056; bar.sync 0, -32; barrier.sync 15, 64; bar.arrive 0, 32; bar.arrive r0, r1;", ""},
      {"bar.sync 4294967311; bar.sync 0, 4294967296; bar.red.popc.u32 r0, 15, 0, p0;", ""},
      {"bar.sync 4294967312;", "PtxType 6:10"},
      {"bar.sync 0, 4294967297;", "PtxType 6:13"},
  });
}

TEST(ParseRulesTest, FieldsOfLiterals) {
  ExpectNamed({
      {"bfe.u32 r0, r1, 256, 1;", "256 in `bfe.u32`", "0 to 255"},
      {"bfe.s64 rd0, rd1, 1, 256;", "256 in `bfe.s64`", "0 to 255"},
      {"bfe.u32 r0, r1, -1, 1;", "-1 in `bfe.u32`", "0 to 255"},
      {"bfe.u32 r0, r1, 4294967296, 1;", "4294967296 in `bfe.u32`", "0 to 255"},
      {"bfi.b32 r0, r1, r2, 256, 1;", "256 in `bfi.b32`", "0 to 255"},
      {"bfi.b64 rd0, rd1, rd2, r0, 256;", "256 in `bfi.b64`", "0 to 255"},
  });
  ExpectBody({
      {"bfe.u32 r0, r1, 255, 255; bfi.b64 rd0, rd1, rd2, 255, 255; shf.l.wrap.b32 r0, r1, r2, 300; prmt.b32 r0, r1, r2, 65536;", ""},
      {"lop3.b32 r0, r1, r2, r3, 255; szext.wrap.u32 r0, r1, 300; shfl.sync.idx.b32 r0, r1, 32, 8192, -1;", ""},
  });
}

constexpr std::string_view kVariables = ".global .align 16 .b32 g[4]; .const .b32 c[4]; .shared .align 16 .b32 s[4]; ";

TEST(ParseRulesTest, PlacesOfVariables) {
  ExpectNamed(
      {
          {"ld.u64 rd0, [a];", "`a` lies in .param, the instruction accesses generic addresses, which reach .global, .shared and .local",
           ""},
          {"ld.volatile.u32 r0, [a+4];", "`a` lies in .param, the instruction accesses generic addresses", ""},
          {"ld.u32 r0, [c];", "`c` lies in .const, the instruction accesses generic addresses", ""},
          {"{ .param .b32 out; st.b32 [out], r0; }", "`out` lies in .param, the instruction accesses generic addresses", ""},
          {"ld.global.u32 r0, [s];", "`s` lies in .shared, the instruction accesses .global", ""},
          {"atom.global.add.u32 r0, [s], 1;", "`s` lies in .shared, the instruction accesses .global", ""},
          {"red.shared.add.u32 [g], 1;", "`g` lies in .global, the instruction accesses .shared", ""},
          {"prefetch.global.L1 [s];", "`s` lies in .shared, the instruction accesses .global", ""},
          {"prefetchu.L1 [s];", "`s` lies in .shared, the instruction accesses .global", ""},
          {"discard.global.L2 [s], 128;", "`s` lies in .shared, the instruction accesses .global", ""},
          {"mbarrier.init.b64 [g], 1;", "`g` lies in .global, the instruction accesses .shared", ""},
          {"cp.async.ca.shared.global [g], [g], 4;", "`g` lies in .global, the instruction accesses .shared", ""},
          {"cp.async.ca.shared.global [s], [s], 4;", "`s` lies in .shared, the instruction accesses .global", ""},
          {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [g];", "`g` lies in .global, the instruction accesses .shared", ""},
          {"cvta.global.u64 rd0, s;", "`s` lies in .shared, the instruction accesses .global", ""},
          {"cvta.to.global.u64 rd0, g;", "variable `g` in `cvta.to.global.u64`", "a register"},
          {"isspacep.global p0, g;", "variable `g` in `isspacep.global`", "a register"},
      },
      kVariables);
  ExpectBody(
      {
          {"ld.u32 r0, [g]; st.u32 [s], r0; ldu.u32 r0, [s]; ld.const.u32 r0, [c]; ld.param.u64 rd0, [a]; atom.add.u32 r0, [s], 1;", ""},
          {"ld.shared::cluster.u32 r0, [s]; mbarrier.init.shared.b64 [s], 1; cp.async.ca.shared.global [s], [g], 4; prefetch.L1 [s];", ""},
          {"cvta.shared::cluster.u64 rd0, s; cvta.const.u64 rd0, c; cvta.param.u64 rd0, a; mov.u64 rd0, g;", ""},
      },
      kVariables);
}

TEST(ParseRulesTest, WidthsOfAddresses) {
  ExpectNamed({
      {"ld.global.u32 r0, [r1];", "register `r1` of type .b32 as a global address in `ld.global.u32`", "a register of 64 bits"},
      {"ld.u32 r0, [u1+4];", "register `u1` of type .u32 as a generic address in `ld.u32`", "a register of 64 bits"},
      {"st.global.u32 [r1], r0;", "register `r1` of type .b32 as a global address in `st.global.u32`", "a register of 64 bits"},
      {"ldu.global.u32 r0, [r1];", "register `r1` of type .b32 as a global address in `ldu.global.u32`", "a register of 64 bits"},
      {"atom.add.u32 r0, [r1], 1;", "register `r1` of type .b32 as a generic address in `atom.add.u32`", "a register of 64 bits"},
      {"red.global.add.u32 [r1], 1;", "register `r1` of type .b32 as a global address in `red.global.add.u32`", "a register of 64 bits"},
      {"prefetch.L1 [r1];", "register `r1` of type .b32 as a generic address in `prefetch.L1`", "a register of 64 bits"},
      {"prefetchu.L1 [r1];", "register `r1` of type .b32 as a generic address in `prefetchu.L1`", "a register of 64 bits"},
      {"discard.global.L2 [r1], 128;", "as a global address in `discard.global.L2`", "a register of 64 bits"},
      {"mbarrier.init.b64 [r1], 1;", "as a generic address in `mbarrier.init.b64`", "a register of 64 bits"},
      {"multimem.red.global.add.u32 [r1], r0;", "as a global address in `multimem.red.global.add.u32`", "a register of 64 bits"},
      {"{ .reg .b128 q; ld.shared.u32 r0, [q]; }", "register `q` of type .b128 as an address", "an integer register"},
  });
  ExpectBody({
      {"ld.shared.u32 r0, [r1]; ld.local.u32 r0, [r1]; ld.const.u32 r0, [r1]; ld.param.u32 r0, [r1]; ld.global.u32 r0, [h1];", ""},
      {"mbarrier.init.shared.b64 [r1], 1; cp.async.ca.shared.global [r2], [r1], 4; ldmatrix.sync.aligned.m8n8.x1.b16 {r0}, [r1];", ""},
      {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [r1], {f0, f1, f2, f3, f4, f5, f6, f7}, r0;", ""},
  });
}

TEST(ParseRulesTest, LengthsOfOperands) {
  constexpr std::string_view kVectorWanted = "such a vector, in braces or as a vector register";
  ExpectNamed({
      {"st.v2.shared.b32 [r1], r0;", "no vector of 2 elements in `st.v2.shared.b32`", kVectorWanted},
      {"st.global.v4.b32 [rd1], 1;", "no vector of 4 elements in `st.global.v4.b32`", kVectorWanted},
      {"ld.global.v2.b32 r0, [rd1];", "no vector of 2 elements in `ld.global.v2.b32`", kVectorWanted},
      {"ldu.global.v2.b32 r0, [rd1];", "no vector of 2 elements in `ldu.global.v2.b32`", kVectorWanted},
      {"atom.global.add.v2.f32 f0, [rd1], {f1, f2};", "no vector of 2 elements in `atom.global.add.v2.f32`", kVectorWanted},
      {"red.global.add.v2.f32 [rd1], f1;", "no vector of 2 elements in `red.global.add.v2.f32`", kVectorWanted},
      {"mov.v2.b32 r0, r1;", "no vector of 2 elements in `mov.v2.b32`", kVectorWanted},
      {"{ .reg .v2 .b32 w; st.global.v4.b32 [rd1], w; }", "no vector of 4 elements in `st.global.v4.b32`", kVectorWanted},
      {"{ .reg .v2 .b32 w; st.global.v2.b32 [rd1], w.x; }", "no vector of 2 elements in `st.global.v2.b32`", kVectorWanted},
      {"{ .reg .v2 .b32 w; st.global.b32 [rd1], w; }", "vector register `w` in `st.global.b32`", "a single register"},
      {"{ .reg .v2 .b32 w; add.u32 r0, w, r1; }", "vector register `w` in `add.u32`", "a single register"},
  });
  ExpectBody({
      {"{ .reg .v2 .b32 w; ld.global.v2.b32 w, [rd1]; st.global.v2.b32 [rd1], w; add.u32 r0, w.x, w.y; mov.v2.b32 w, {r0, r1}; }", ""},
      {"st.global.b32 [rd1], {r0}; mov.v2.b32 {r0, r1}, r1; mov.v2.b32 {r0, r1}, {r2, r3};", ""},
  });
}

// A parser with one grammar line for sums, minima and maxima of 8-bit numbers was seen to take the first of the bad ones.
TEST(ParseRulesTest, SumsAloneAreAccumulatedInAnotherPrecision) {
  const auto outcome = [](std::string_view text) {
    return Parse(".version 8.8\n.target sm_100a\n.address_size 64\n.entry k() { .reg .b32 r; .reg .b64 rd;\n" + std::string(text) +
                 "\nret; }\n");
  };
  for (const std::string_view good :
       {"multimem.ld_reduce.global.add.acc::f16.e4m3x4 r, [rd];", "multimem.ld_reduce.global.min.e4m3x4 r, [rd];",
        "multimem.ld_reduce.relaxed.gpu.global.add.acc::f16.e4m3x4 r, [rd];", "multimem.ld_reduce.global.add.acc::f32.f16x2 r, [rd];"})
    EXPECT_TRUE(outcome(good).diagnostics.empty()) << good;
  for (const std::string_view bad :
       {"multimem.ld_reduce.global.min.acc::f16.e4m3x4 r, [rd];", "multimem.ld_reduce.relaxed.gpu.global.max.acc::f16.e4m3x4 r, [rd];",
        "multimem.ld_reduce.global.max.acc::f32.f16x2 r, [rd];"}) {
    const ParseOutcome refused = outcome(bad);
    ASSERT_EQ(refused.diagnostics.size(), 1u) << bad;
    EXPECT_NE(refused.diagnostics[0].message.find(".acc::f"), std::string::npos) << refused.diagnostics[0].message;
    EXPECT_EQ(refused.diagnostics[0].location.line, 5);
  }
}

}  // namespace
}  // namespace racer
