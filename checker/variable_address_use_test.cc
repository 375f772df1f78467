#include "checker/variable_address_use.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

// The name of the first use with the variable, or "" for none.
std::string UseIn(const std::string& body, const std::string& functions = "", const std::string& parameters = "") {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>(
      "k.ptx",
      ".version 8.3\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 dyn[];\n.global .align 4 .u32 g[4];\n"
      ".global .align 8 .u64 table[2] = {g, 0};\n.const .align 4 .u32 c[4];\n" +
          functions + ".visible .entry k(.param .u64 x, .param .u32 n" + parameters +
          ")\n{\n.reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;\n"
          ".reg .pred %p<9>; .shared .align 128 .b8 sm[2048]; .shared .align 4 .b8 sn[64]; .local .align 16 .b8 loc[64];\n"
          "ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n]; mov.u32 %r2, sm; mov.u64 %rd2, loc; mov.u64 %rd3, g; cvta.local.u64 %rd4, %rd2;\n"
          "cvt.u64.u32 %rd5, %r1;\n" +
          body + "ret;\n}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  if (outcome.module == nullptr) return "does not parse";
  const auto use = FindVariableAddressUse(*outcome.module, *outcome.module->Entries().front());
  return use.has_value() ? use->instruction->FullName() + " " + use->variable : "";
}

// Each seen to fail where every use of an address is refused.
TEST(VariableAddressUse, AccessesAndSumsAreNone) {
  EXPECT_EQ(
      UseIn("add.u32 %r3, %r2, %r1; mad.lo.u32 %r4, %r1, 4, %r3; sub.u32 %r5, %r4, 8; st.shared.f32 [%r5+4], %f1;\n"
            "ld.shared.v2.u32 {%r6, %r7}, [%r5]; atom.shared.add.u32 %r8, [sm+4], %r6; and.b32 %r6, %r6, 3; st.global.u32 [%rd1], %r6;\n"
            "ld.global.u32 %r9, [g+4]; ld.const.u32 %r9, [c]; mov.b32 %r10, %r5; red.shared.add.u32 [%r10], %r1;"),
      "");
  EXPECT_EQ(UseIn("mov.u32 %r3, dyn; cvt.u64.u32 %rd6, %r3; cvta.shared.u64 %rd7, %rd6; add.u64 %rd7, %rd7, %rd5; ld.f32 %f1, [%rd7];\n"
                  "cvta.to.shared.u64 %rd8, %rd7; cvt.u32.u64 %r4, %rd8; st.shared.f32 [%r4], %f1; selp.b32 %r5, %r2, %r3, %p1;\n"
                  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5]; mapa.shared::cluster.u32 %r7, %r2, %r1;\n"
                  "ld.shared::cluster.u32 %r8, [%r7]; getctarank.shared::cluster.u32 %r9, %r7; st.global.u32 [%rd1], %r9;"),
            "");
}

TEST(VariableAddressUse, NullAndDistancesAreNone) {
  EXPECT_EQ(UseIn("setp.ne.u64 %p1, %rd4, 0; isspacep.local %p2, %rd4; setp.eq.s64 %p3, %rd3, 0;"), "");
  EXPECT_EQ(
      UseIn("add.u64 %rd6, %rd2, 64; L: add.u64 %rd2, %rd2, %rd5; setp.ne.u64 %p1, %rd2, %rd6; @%p1 bra L; sub.u64 %rd7, %rd6, %rd2;\n"
            "st.global.u64 [%rd1], %rd7;"),
      "");
  EXPECT_EQ(UseIn("alloca.u64 %rd6, 64; stacksave.u64 %rd7; stackrestore.u64 %rd7; add.u64 %rd6, %rd6, %rd5; st.local.f32 [%rd6], %f1;"),
            "");
  EXPECT_EQ(UseIn("mov.u32 %r3, %reserved_smem_offset_1; add.u32 %r3, %r3, 16; st.shared.u32 [%r3], %r1; mov.u32 %r4, %dynamic_smem_size;\n"
                  "shr.u32 %r4, %r4, 2;"),
            "");
}

TEST(VariableAddressUse, BitsBelowTheAlignmentAreNone) {
  EXPECT_EQ(UseIn("add.u32 %r3, %r2, %r1; or.b32 %r4, %r3, 12; xor.b32 %r5, %r3, 64; and.b32 %r6, %r3, 127; and.b32 %r7, %r3, -128;\n"
                  "st.shared.u32 [%r4], %r6; st.shared.u32 [%r5], %r6; st.shared.u32 [%r7], %r6; st.global.u32 [%rd1], %r6;"),
            "");
}

// Broken once in each part: nothing split, guards ignored, blocks not joined.
TEST(VariableAddressUse, RegistersServeSeveralValues) {
  EXPECT_EQ(UseIn("add.u32 %r3, %r2, %r1; st.shared.f32 [%r3], %f1; mov.u32 %r3, %r1; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r2;\n"
                  "ld.shared.f32 %f1, [%r3]; @%p1 bra L; and.b32 %r3, %r1, 7; shr.u32 %r4, %r3, 1; L:"),
            "");
  // Either of two values; a write that may not happen.
  EXPECT_EQ(UseIn("mov.u32 %r3, %r1; @%p1 bra L; mov.u32 %r3, %r2; L: shl.b32 %r4, %r3, 2;"), "shl.b32 `sm`");
  EXPECT_EQ(UseIn("mov.u32 %r3, %r2; @%p1 mov.u32 %r3, %r1; shl.b32 %r4, %r3, 2;"), "shl.b32 `sm`");
  EXPECT_EQ(UseIn("mov.u32 %r3, %r1; L: shl.b32 %r4, %r3, 2; mov.u32 %r3, %r2; @%p1 bra L;"), "shl.b32 `sm`");
}

// Each, also of those below, seen to fail with Run() giving nothing.
TEST(VariableAddressUse, EverythingElseIs) {
  EXPECT_EQ(UseIn("or.b32 %r3, %r2, %r1;"), "or.b32 `sm`");
  EXPECT_EQ(UseIn("or.b32 %r3, %r2, 128;"), "or.b32 `sm`");
  EXPECT_EQ(UseIn("xor.b32 %r3, %r2, 1024;"), "xor.b32 `sm`");
  EXPECT_EQ(UseIn("and.b32 %r3, %r2, 0x3ffff;"), "and.b32 `sm`");
  EXPECT_EQ(UseIn("and.b32 %r3, %r2, -256;"), "and.b32 `sm`");
  EXPECT_EQ(UseIn("mov.u32 %r3, dyn; and.b32 %r4, %r3, 31;"), "and.b32 `dyn`");
  EXPECT_EQ(UseIn("or.b64 %rd6, %rd2, %rd5;"), "or.b64 `loc`");
  EXPECT_EQ(UseIn("and.b64 %rd6, %rd3, 255;"), "and.b64 `g`");
  EXPECT_EQ(UseIn("shr.u32 %r3, %r2, 4;"), "shr.u32 `sm`");
  EXPECT_EQ(UseIn("mul.lo.u32 %r3, %r2, %r1;"), "mul.lo.u32 `sm`");
  EXPECT_EQ(UseIn("mad.lo.u32 %r3, %r2, %r1, 4;"), "mad.lo.u32 `sm`");
  EXPECT_EQ(UseIn("add.u32 %r3, %r2, %r2;"), "add.u32 `sm`");
  EXPECT_EQ(UseIn("add.cc.u32 %r3, %r2, %r1;"), "add.cc.u32 `sm`");
  EXPECT_EQ(UseIn("add.sat.s32 %r3, %r2, %r1;"), "add.sat.s32 `sm`");
  EXPECT_EQ(UseIn("sub.u32 %r3, %r1, %r2;"), "sub.u32 `sm`");
  EXPECT_EQ(UseIn("mov.u32 %r3, sn; sub.u32 %r3, %r3, %r2;"), "sub.u32 `sm`");
  EXPECT_EQ(UseIn("sub.u64 %rd6, %rd4, %rd2;"), "sub.u64 `loc`");  // the window's own place
  EXPECT_EQ(UseIn("mapa.shared::cluster.u32 %r3, %r2, %r1; sub.u32 %r3, %r3, %r2;"), "sub.u32 `sm`");
  EXPECT_EQ(UseIn("cvt.u16.u32 %h1, %r2;"), "cvt.u16.u32 `sm`");
  EXPECT_EQ(UseIn("cvt.rn.f32.u32 %f1, %r2;"), "cvt.rn.f32.u32 `sm`");
  EXPECT_EQ(UseIn("cvt.u32.u64 %r3, %rd4;"), "cvt.u32.u64 `loc`");
  EXPECT_EQ(UseIn("cvt.u32.u64 %r3, %rd3;"), "cvt.u32.u64 `g`");
  EXPECT_EQ(UseIn("sub.u32 %r3, %r2, 64; cvt.u64.u32 %rd6, %r3; add.u64 %rd6, %rd6, 64;"), "add.u64 `sm`");
  EXPECT_EQ(UseIn("mov.b64 {%r3, %r4}, %rd4;"), "mov.b64 `loc`");
  EXPECT_EQ(UseIn("mov.b64 %rd6, {%r2, %r1};"), "mov.b64 `sm`");
  EXPECT_EQ(UseIn("shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;"), "shfl.sync.idx.b32 `sm`");
}

// Broken once each: without IsWhole, without NoteExtent in NoteOther, without kOther in PassOut, without the windows' rule.
TEST(VariableAddressUse, PartsAndWindowsAre) {
  EXPECT_EQ(UseIn("cvt.u64.u32 %rd6, %r2; st.local.u64 [loc], %rd6; ld.local.u64 %rd7, [loc]; add.u64 %rd7, %rd7, 4;"), "");
  EXPECT_EQ(UseIn("cvt.u64.u32 %rd6, %r2; st.local.u64 [loc], %rd6; ld.local.u32 %r3, [loc]; sub.u32 %r3, %r3, %r2;"), "ld.local.u32 `sm`");
  EXPECT_EQ(UseIn("st.local.u32 [loc], %r2; st.local.u32 [loc+4], %r2; ld.local.u64 %rd6, [loc];"), "ld.local.u64 `sm`");
  EXPECT_EQ(UseIn("st.local.u32 [loc], %r2; st.local.u8 [loc+1], %r1; ld.local.u32 %r3, [loc]; ld.shared.f32 %f1, [%r3];"),
            "ld.local.u32 `sm`");
  EXPECT_EQ(UseIn("st.local.u32 [loc], %r2; st.local.u8 [loc+4], %r1; ld.local.u32 %r3, [loc]; ld.shared.f32 %f1, [%r3];"), "");
  const std::string number = ".func (.reg .b32 d) number() { mov.u32 d, 1024; ret; }\n";
  EXPECT_EQ(UseIn("mov.u32 %r3, %r2; @%p1 call (%r3), number; setp.eq.u32 %p2, %r3, %r2;", number), "setp.eq.u32 `sm`");
  EXPECT_EQ(UseIn("cvta.shared.u64 %rd6, %rd5;"), "cvta.shared.u64 ");
  EXPECT_EQ(UseIn("cvta.to.local.u64 %rd6, %rd1;"), "cvta.to.local.u64 ");
  EXPECT_EQ(UseIn("isspacep.shared %p1, 4096;"), "isspacep.shared ");
  EXPECT_EQ(UseIn("isspacep.shared %p1, %rd1; cvta.to.global.u64 %rd6, %rd1;"), "");
}

// Each, also of the two tests below, seen to fail without the guard that it asks for.
TEST(VariableAddressUse, NumbersForAddressesAre) {
  const std::string number =
      "mov.u64 %rd6, 0xe10001000040; cvt.u64.u32 %rd7, %r1; mov.u32 %r3, %tid.x; cvt.u64.u32 %rd8, %r3; add.u64 %rd8, %rd6, %rd8;";
  const std::string either = number + "cvt.u64.u32 %rd9, %r2; cvta.shared.u64 %rd9, %rd9; selp.u64 %rd10, %rd9, %rd6, %p1;";
  for (const std::string space : {"shared", "local", "const", "param::entry", "global", "shared::cluster"}) {
    EXPECT_EQ(UseIn(number + "isspacep." + space + " %p1, %rd8;"), "isspacep." + space + " ");
    EXPECT_EQ(UseIn(either + "isspacep." + space + " %p1, %rd10;"), "isspacep." + space + " `sm`");
    EXPECT_EQ(UseIn(either + "isspacep." + space + " %p1, %rd9; isspacep." + space + " %p1, 0; isspacep." + space + " %p1, %rd1;"), "");
  }
  for (const std::string space : {"shared", "local", "const", "param"}) {
    EXPECT_EQ(UseIn("mov.u64 %rd6, 0; cvta." + space + ".u64 %rd7, %rd6;"), "cvta." + space + ".u64 ");
    EXPECT_EQ(UseIn("cvta.to." + space + ".u64 %rd7, %rd1;"), "cvta.to." + space + ".u64 ");
    EXPECT_EQ(UseIn("mov.u32 %r3, 0x1000000; ld." + space + ".u32 %r3, [%r3];"), "ld." + space + ".u32 ");
  }
  EXPECT_EQ(UseIn("mov.u64 %rd6, k_y; cvta.param.u64 %rd6, %rd6; ld.u32 %r3, [%rd6];", "", ", .param .align 8 .b8 k_y[16]"), "");
  EXPECT_EQ(UseIn("cvta.to.global.u64 %rd6, %rd1; cvta.global.u64 %rd6, %rd6; mov.u64 %rd7, 0; cvta.global.u64 %rd7, %rd7;"), "");
  EXPECT_EQ(UseIn("mov.u64 %rd6, 0; cvt.u64.u32 %rd7, %r2; selp.u64 %rd7, %rd6, %rd7, %p1; cvta.shared.u64 %rd7, %rd7;"),
            "cvta.shared.u64 `sm`");
  EXPECT_EQ(UseIn(number + "ld.u32 %r3, [%rd8];"), "ld.u32 ");
  EXPECT_EQ(UseIn(number + "st.global.u32 [%rd6], %r3;"), "st.global.u32 ");
  EXPECT_EQ(UseIn(number + "cp.async.ca.shared.global [%r2], [%rd6], 8;"), "cp.async.ca.shared.global ");
  EXPECT_EQ(UseIn("cp.async.ca.shared.global [%r1], [%rd1], 8;"), "cp.async.ca.shared.global ");
  EXPECT_EQ(UseIn("cp.async.ca.shared.global [%r2], [%rd1], 8;"), "");
  EXPECT_EQ(UseIn("ld.local.u32 %r3, [0x1000000];"), "ld.local.u32 ");
  EXPECT_EQ(UseIn("shl.b32 %r3, %r1, 18; ld.shared.u32 %r3, [%r3];"), "ld.shared.u32 ");
  EXPECT_EQ(UseIn("ld.shared.u32 %r3, [sm]; ld.shared.u32 %r3, [%r3];"), "");  // VIOLATION init, if it is undefined
  EXPECT_EQ(UseIn(either + "ld.u32 %r3, [%rd10];"), "ld.u32 `sm`");
  EXPECT_EQ(UseIn("selp.b32 %r3, %r2, 0, %p1; ld.shared.u32 %r4, [%r3];"), "");
  EXPECT_EQ(UseIn("selp.b32 %r3, %r2, 0, %p1; ld.shared.u32 %r4, [%r3+0x1000000];"), "ld.shared.u32 `sm`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, 0; selp.b64 %rd6, %rd6, %rd1, %p1; add.u64 %rd6, %rd6, %rd5; ld.u32 %r4, [%rd6];"), "");
  EXPECT_EQ(UseIn(number + "mapa.u64 %rd7, %rd6, 0;"), "mapa.u64 ");
  EXPECT_EQ(UseIn("mapa.shared::cluster.u32 %r3, 64, 0;"), "mapa.shared::cluster.u32 ");
  EXPECT_EQ(UseIn(either + "mapa.u64 %rd7, %rd10, 0;"), "mapa.u64 `sm`");
  EXPECT_EQ(UseIn("mapa.u64 %rd7, %rd4, 0;"), "mapa.u64 `loc`");
  EXPECT_EQ(UseIn("cvt.u64.u32 %rd6, %r2; mapa.u64 %rd7, %rd6, 0;"), "mapa.u64 `sm`");
  EXPECT_EQ(UseIn("getctarank.shared::cluster.u32 %r3, %r1;"), "getctarank.shared::cluster.u32 ");
  EXPECT_EQ(UseIn(either + "getctarank.u64 %r3, %rd10;"), "getctarank.u64 `sm`");
}

TEST(VariableAddressUse, OtherSpacesAndFormsAre) {
  const std::string generic = "cvt.u64.u32 %rd6, %r2; cvta.shared.u64 %rd7, %rd6;";
  EXPECT_EQ(UseIn(generic + "cvta.shared.u64 %rd8, %rd7;"), "cvta.shared.u64 `sm`");
  EXPECT_EQ(UseIn(generic + "cvta.to.shared.u64 %rd8, %rd6;"), "cvta.to.shared.u64 `sm`");
  EXPECT_EQ(UseIn(generic + "cvta.local.u64 %rd8, %rd6;"), "cvta.local.u64 `sm`");
  EXPECT_EQ(UseIn(generic + "cvta.global.u64 %rd8, %rd6;"), "cvta.global.u64 `sm`");
  EXPECT_EQ(UseIn(generic + "cvta.to.local.u64 %rd8, %rd7;"), "cvta.to.local.u64 `sm`");
  EXPECT_EQ(UseIn(generic + "cvta.to.global.u64 %rd8, %rd7;"), "cvta.to.global.u64 `sm`");
  EXPECT_EQ(UseIn("cvta.shared.u64 %rd8, %rd3;"), "cvta.shared.u64 `g`");
  EXPECT_EQ(UseIn("cvta.to.global.u64 %rd8, %rd3; cvta.global.u64 %rd8, %rd3; mov.u64 %rd9, c; cvta.const.u64 %rd9, %rd9;"), "");
  EXPECT_EQ(UseIn("ld.local.u32 %r3, [%r2];"), "ld.local.u32 `sm`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, 0xe10001000000; add.u64 %rd6, %rd2, %rd6; ld.u32 %r3, [%rd6];"), "ld.u32 `loc`");
  // As it is, it leads nowhere.
  EXPECT_EQ(UseIn("ld.u32 %r3, [%rd2];"), "");
}

TEST(VariableAddressUse, NumbersAreFollowed) {
  const std::string spill = "mov.u64 %rd6, 0xe10002000000; st.local.u64 [loc+8], %rd6; ";
  EXPECT_EQ(UseIn(spill + "ld.local.u64 %rd7, [loc+8]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
  EXPECT_EQ(UseIn(spill + "ld.local.u64 %rd7, [loc+16]; ld.u32 %r3, [%rd7];"), "");
  EXPECT_EQ(UseIn(spill + "add.u64 %rd8, %rd2, %rd5; ld.local.u64 %rd7, [%rd8]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
  EXPECT_EQ(UseIn("st.local.v2.u32 [loc], {0x2000000, 0xe100}; ld.local.u64 %rd7, [loc]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
  EXPECT_EQ(UseIn("st.local.u16 [loc+6], 1; ld.local.u64 %rd7, [loc]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
  EXPECT_EQ(UseIn("st.shared.u64 [sm], 0xe10002000000; ld.shared.u64 %rd7, [sm]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
  EXPECT_EQ(UseIn("ld.global.u64 %rd7, [numbers]; ld.u32 %r3, [%rd7];", ".global .u64 numbers[2] = {0, 0xe10002000000};\n"), "ld.u32 ");
  EXPECT_EQ(UseIn("st.local.u8 [loc+7], 1; st.local.u64 [loc+8], %rd1; ld.local.u64 %rd7, [loc+8]; ld.u32 %r3, [%rd7];"), "");
  // Words written anywhere are no pointers.
  EXPECT_EQ(
      UseIn(
          "st.local.u64 [loc+8], %rd1; add.u64 %rd8, %rd2, %rd5; st.local.u32 [%rd8], 1; ld.local.u64 %rd7, [loc+8]; ld.u32 %r3, [%rd7];"),
      "");
  EXPECT_EQ(UseIn("st.local.u32 [loc+8], %r2; add.u64 %rd8, %rd2, %rd5; st.local.u32 [%rd8], 1; ld.local.u32 %r3, [loc+8]; ld.shared.u32 "
                  "%r3, [%r3];"),
            "ld.shared.u32 `sm`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, sm; sub.u64 %rd6, %rd6, %rd6; add.u64 %rd6, %rd6, 0xe10002000000; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  EXPECT_EQ(UseIn("and.b64 %rd6, %rd3, 3; add.u64 %rd6, %rd6, 0xe10002000000; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  EXPECT_EQ(UseIn("mov.u64 %rd6, big; and.b64 %rd6, %rd6, 8191; add.u64 %rd6, %rd6, 0xe10002000000; ld.u32 %r3, [%rd6];",
                  ".global .align 8192 .b8 big[8192];\n"),
            "ld.u32 ");
  EXPECT_EQ(UseIn("mul.lo.u64 %rd6, %rd5, 0; add.u64 %rd6, %rd6, 0xe10002000000; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  EXPECT_EQ(UseIn("and.b64 %rd6, %rd5, 0; add.u64 %rd6, %rd6, 0xe10002000000; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  EXPECT_EQ(UseIn("mad.lo.u64 %rd6, %rd5, 0, 0xe10002000000; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  EXPECT_EQ(UseIn("mad.lo.u64 %rd6, %rd5, 4, %rd1; shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; ld.u32 %r3, [%rd6];"), "");
  EXPECT_EQ(
      UseIn("mov.b64 %rd6, {%r1, 57600}; ld.u32 %r3, [%rd6]; mov.b64 {%r3, %r4}, %rd1; mov.b64 %rd7, {%r3, %r4}; ld.u32 %r3, [%rd7];"), "");
  EXPECT_EQ(UseIn("mov.b64 %rd6, {0, 57600}; ld.u32 %r3, [%rd6];"), "ld.u32 ");
  const std::string functions =
      ".func (.reg .b64 out) f(.reg .b64 p)\n{\nadd.u64 out, p, 4;\nret;\n}\n"
      ".func h(.param .b64 p)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; ld.u32 %r1, [%rd1];\nret;\n}\n";
  EXPECT_EQ(UseIn(spill + "call (%rd7), f, (%rd6); ld.u32 %r3, [%rd7];", functions), "ld.u32 ");
  EXPECT_EQ(UseIn(spill + "call (%rd7), f, (%rd1); ld.u32 %r3, [%rd7];", functions), "");
  EXPECT_EQ(UseIn(spill + "{ .param .b64 a; st.param.b64 [a], %rd6; call h, (a); }", functions), "ld.u32 ");
  // A null in the place of a pointer, written over at once or not.
  const std::string bump =
      "ld.local.u64 %rd7, [loc]; and.b32 %r3, %r1, 7; cvt.u64.u32 %rd8, %r3; add.u64 %rd7, %rd7, %rd8; st.u32 [%rd7], %r1;";
  EXPECT_EQ(UseIn("st.local.u64 [loc], 0; st.local.u64 [loc], %rd3;" + bump), "");
  EXPECT_EQ(UseIn("st.local.u64 [loc], 0; @%p1 st.local.u64 [loc], %rd3;" + bump), "st.u32 `g`");
  EXPECT_EQ(UseIn("st.local.u64 [loc], 0; @%p1 bra L; st.local.u64 [loc], %rd3; L:" + bump), "st.u32 `g`");
  EXPECT_EQ(UseIn("st.local.u64 [loc], 0; ld.local.u64 %rd9, [loc]; st.local.u64 [loc], %rd3; add.u64 %rd9, %rd9, 8; st.u32 [%rd9], %r1;"),
            "st.u32 `g`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, loc; st.local.u64 [%rd6], 0; @%p1 add.u64 %rd6, %rd6, 8; st.local.u64 [%rd6], %rd3;" + bump),
            "st.u32 `g`");
  EXPECT_EQ(UseIn("st.local.u64 [loc], %rd3; @%p1 bra L; st.local.u64 [loc], 0; st.local.u64 [loc+8], %rd3; L:" + bump), "st.u32 `g`");
  EXPECT_EQ(UseIn(spill + "st.local.u8 [loc+8], 0; ld.local.u64 %rd7, [loc+8]; ld.u32 %r3, [%rd7];"), "ld.u32 ");
}

// Broken once each: constants forgotten, no bound on their number or their size.
TEST(VariableAddressUse, ConstantsTellPlacesApart) {
  const std::string spill = "st.u64 [%rd4+8], %rd3; add.u64 %rd6, %rd4, 32; sub.u64 %rd7, %rd6, 16; ";
  const std::string use = "ld.u64 %rd9, [%rd4+8]; ld.u32 %r3, [%rd9]; setp.eq.u64 %p1, %rd9, %rd3;";
  EXPECT_EQ(UseIn(spill + "st.u32 [%rd6], %r1; st.u16 [%rd7+2], %h1;" + use), "");
  EXPECT_EQ(UseIn(spill + "st.u32 [%rd7+-8], %r1;" + use), "ld.u64 `g`");
  EXPECT_EQ(UseIn(spill + "st.u32 [%rd7+-4], %r1;" + use), "ld.u64 `g`");
  EXPECT_EQ(UseIn(spill + "selp.b64 %rd8, %rd6, %rd7, %p1; st.u32 [%rd8+-24], %r1;" + use), "ld.u64 `g`");
  EXPECT_EQ(UseIn(spill + "add.u64 %rd8, %rd6, %rd5; st.u32 [%rd8], %r1;" + use), "ld.u64 `g`");
  EXPECT_EQ(UseIn(spill + "L: st.u32 [%rd6], %r1; add.u64 %rd6, %rd6, 4; @%p1 bra L;" + use), "ld.u64 `g`");
  EXPECT_EQ(UseIn("cvt.u32.u64 %r3, %rd2; st.local.u64 [loc+8], %rd3; add.u32 %r3, %r3, 0x40000008; add.u32 %r3, %r3, 0x40000000;\n"
                  "add.u32 %r3, %r3, 0x40000000; add.u32 %r3, %r3, 0x40000000; st.local.u32 [%r3], %r1;" +
                  use),
            "ld.u64 `g`");
  std::string around =
      "cvt.u32.u64 %r3, %rd2; st.local.u64 [loc+8], %rd3; add.u32 %r3, %r3, 24; add.u32 %r3, %r3, 0xfffffff8; st.local.u32 [%r3], %r1;";
  EXPECT_EQ(UseIn(around + use), "");
  for (int i = 0; i < 4096; ++i) around += "add.u32 %r3, %r3, 0x100000;";
  EXPECT_EQ(UseIn(around + "st.local.u32 [%r3+-8], %r1;" + use), "ld.u64 `g`");
  // Where a function writes.
  const std::string function =
      ".func f(.param .b64 p, .param .b32 m)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>;\nld.param.u64 %rd1, [p]; ld.param.u32 %r1, [m]; st.u32 "
      "[%rd1], %r1;\nret;\n}\n";
  auto call = [](const std::string& to) {
    return "{ .param .b64 a0; .param .b32 a1; st.param.b64 [a0], " + to + "; st.param.b32 [a1], %r1; call f, (a0, a1); }\n";
  };
  EXPECT_EQ(UseIn(spill + call("%rd6") + call("%rd7") + use, function), "");
  EXPECT_EQ(UseIn(spill + call("%rd6") + "sub.u64 %rd7, %rd7, 4;" + call("%rd7") + use, function), "ld.u64 `g`");
}

TEST(VariableAddressUse, ComparisonsAre) {
  EXPECT_EQ(UseIn("setp.lt.u32 %p1, %r2, 4096;"), "setp.lt.u32 `sm`");
  EXPECT_EQ(UseIn("setp.ne.u32 %p1, %r2, 0;"), "setp.ne.u32 `sm`");
  EXPECT_EQ(UseIn("setp.ne.u64 %p1, %rd2, 0;"), "setp.ne.u64 `loc`");
  EXPECT_EQ(UseIn("add.u64 %rd6, %rd4, %rd5; setp.ne.u64 %p1, %rd6, 0;"), "setp.ne.u64 `loc`");
  EXPECT_EQ(UseIn("mov.u32 %r3, sn; setp.lt.u32 %p1, %r3, %r2;"), "setp.lt.u32 `sm`");
  EXPECT_EQ(UseIn("mov.u32 %r3, sn; setp.eq.u32 %p1, %r3, %r2;"), "setp.eq.u32 `sm`");
  EXPECT_EQ(UseIn("add.u32 %r3, %r2, %r1; setp.lt.u32 %p1, %r3, %r2;"), "setp.lt.u32 `sm`");  // the sum may wrap
  EXPECT_EQ(UseIn("selp.u32 %r3, %r2, %r1, %p1; setp.eq.u32 %p1, %r3, %r2;"), "setp.eq.u32 `sm`");
  EXPECT_EQ(UseIn("isspacep.local %p1, %rd2;"), "isspacep.local `loc`");
  EXPECT_EQ(UseIn("alloca.u64 %rd6, 64; alloca.u64 %rd7, 64; sub.u64 %rd6, %rd6, %rd7;"), "sub.u64 what alloca gives");
  EXPECT_EQ(UseIn("alloca.u64 %rd6, 64; and.b64 %rd7, %rd6, 3;"), "and.b64 what alloca gives");
  EXPECT_EQ(UseIn("stacksave.u64 %rd6; st.global.u64 [%rd1], %rd6;"), "st.global.u64 the stack");
  EXPECT_EQ(UseIn("mov.u32 %r3, %reserved_smem_offset_1; setp.eq.u32 %p1, %r3, 0;"), "setp.eq.u32 the reserved shared memory");
}

TEST(VariableAddressUse, StoresAreButIntoLocal) {
  EXPECT_EQ(UseIn("st.global.u32 [%rd1], %r2;"), "st.global.u32 `sm`");
  EXPECT_EQ(UseIn("st.shared.u32 [sn], %r2;"), "st.shared.u32 `sm`");
  EXPECT_EQ(UseIn("st.global.v2.u32 [%rd1], {%r1, %r2};"), "st.global.v2.u32 `sm`");
  EXPECT_EQ(UseIn("atom.global.exch.b32 %r3, [%rd1], %r2;"), "atom.global.exch.b32 `sm`");
  EXPECT_EQ(UseIn("red.global.add.u32 [%rd1], %r2;"), "red.global.add.u32 `sm`");
  EXPECT_EQ(UseIn("selp.b64 %rd6, %rd4, %rd1, %p1; st.u64 [%rd6], %rd3;"), "st.u64 `g`");
  const std::string spill = "st.u64 [%rd4+8], %rd3; st.u32 [%rd4+16], %r1; ld.local.u64 %rd6, [%rd2+8]; ld.local.u32 %r3, [%rd2+16];";
  EXPECT_EQ(UseIn(spill + "ld.global.u32 %r4, [%rd6]; shl.b32 %r3, %r3, 2; setp.eq.u64 %p1, %rd6, %rd3;"), "");
  EXPECT_EQ(UseIn(spill + "shr.u64 %rd6, %rd6, 4;"), "shr.u64 `g`");
  EXPECT_EQ(UseIn(spill + "st.local.u64 [loc+4], %rd1; setp.eq.u64 %p1, %rd6, %rd3;"), "ld.local.u64 `g`");
  EXPECT_EQ(UseIn(spill + "add.u64 %rd7, %rd2, %rd5; ld.local.u64 %rd8, [%rd7]; shl.b64 %rd8, %rd8, 1;"), "shl.b64 `g`");
  EXPECT_EQ(UseIn(spill + "ld.local.u8 %h1, [loc+9];"), "ld.local.u8 `g`");
  EXPECT_EQ(UseIn("ld.global.u64 %rd6, [table]; ld.u32 %r3, [%rd6]; add.u32 %r3, %r3, 1;"), "");
  EXPECT_EQ(UseIn(spill + "ld.local.u32 %r4, [loc+12];"), "ld.local.u32 `g`");
  EXPECT_EQ(UseIn("atom.global.or.b64 %rd6, [table], 0;"), "atom.global.or.b64 `g`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, table; ld.global.u64 %rd7, [%rd6]; cp.async.ca.shared.global [%r2], [%rd6], 8;"),
            "cp.async.ca.shared.global `g`");
  EXPECT_EQ(UseIn("ld.global.u64 %rd6, [table]; and.b64 %rd6, %rd6, 15;"), "and.b64 `g`");
}

TEST(VariableAddressUse, FunctionsAreFollowed) {
  auto function = [](const std::string& body) {
    return ".func (.param .b64 out) f(.param .b64 p, .param .b32 m)\n{\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<2>;\n"
           "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [m];\n" +
           body + "st.param.b64 [out], %rd1; ret;\n}\n";
  };
  const std::string call =
      "{ .param .b64 a0; .param .b32 a1; .param .b64 r0; st.param.b64 [a0], %rd4; st.param.b32 [a1], %r1;\n"
      "call (r0), f, (a0, a1); ld.param.b64 %rd6, [r0]; }\n";
  EXPECT_EQ(UseIn(call + "ld.f32 %f1, [%rd6];", function("ld.f32 %f1, [%rd1]; shl.b32 %r1, %r1, 2;")), "");
  EXPECT_EQ(UseIn(call, function("shr.u64 %rd2, %rd1, 4;")), "shr.u64 `loc`");
  EXPECT_EQ(UseIn(call + "and.b64 %rd6, %rd6, 32;", function("")), "and.b64 `loc`");
  EXPECT_EQ(UseIn("", function("mov.u64 %rd2, table; shr.u64 %rd2, %rd2, 4;")), "");  // not called
  const std::string by_register =
      ".func (.reg .b32 out) f(.reg .b32 p)\n{\n.reg .b32 %r<9>;\nadd.u32 out, p, 4;\nret;\n}\n"
      ".func (.reg .b32 out) h(.reg .b32 p)\n{\nshl.b32 out, p, 4;\nret;\n}\n";
  EXPECT_EQ(UseIn("call (%r3), f, (%r2); ld.shared.f32 %f1, [%r3];", by_register), "");
  EXPECT_EQ(UseIn("call (%r3), f, (%r2); shr.u32 %r3, %r3, 1;", by_register), "shr.u32 `sm`");
  EXPECT_EQ(UseIn("call (%r3), h, (%r2);", by_register), "shl.b32 `sm`");
  EXPECT_EQ(UseIn("mov.u64 %rd6, h; P: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r3), %rd6, (%r2), P;", by_register),
            "shl.b32 `sm`");
}

}  // namespace
}  // namespace racer
