#include "checker/address_use.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

// The mnemonic of the first use, or "" for none; x and y are tensors, s holds an integer and a tensor.
std::string UseIn(const std::string& body) {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>(
      "k.ptx",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n, .param .align 8 .b8 "
      "s[16])\n{\n.reg .b32 %r<9>; .reg .b64 %rd<12>; .reg .f32 %f<9>; .reg .pred %p<9>;\nld.param.u64 %rd1, [x]; ld.param.u64 %rd2, "
      "[y]; ld.param.u32 %r1, [n]; cvta.to.global.u64 %rd1, %rd1; mul.wide.s32 %rd3, %r1, 4;\n" +
          body + "ret;\n}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  CallSpec call;
  for (uint32_t i = 0; i < 2; ++i) {
    CallArgument tensor;
    tensor.kind = CallArgument::Kind::kTensor;
    tensor.index = i;
    call.args.push_back(tensor);
  }
  call.args.emplace_back();
  CallArgument structure, number, pointer;
  structure.kind = CallArgument::Kind::kFields;
  pointer.kind = CallArgument::Kind::kTensor;
  pointer.offset = 8;
  structure.fields = {number, pointer};
  call.args.push_back(structure);
  const ir::Instruction* use = FindAddressUse(*outcome.module->Entries().front(), call);
  return use == nullptr ? "" : use->mnemonic;
}

TEST(AddressUse, AccessesAndSumsAreNone) {
  EXPECT_EQ(UseIn("add.s64 %rd4, %rd1, %rd3; mad.wide.s32 %rd5, %r1, 4, %rd2; sub.s64 %rd6, %rd5, %rd3; ld.global.f32 %f1, [%rd4];\n"
                  "st.global.f32 [%rd6+8], %f1; mov.u64 %rd7, %rd4; atom.global.add.f32 %f2, [%rd7], %f1; and.b64 %rd8, %rd3, 15;"),
            "");
  EXPECT_EQ(UseIn("setp.ne.s64 %p1, %rd2, 0; @%p1 bra L; add.s64 %rd2, %rd2, 4; L:"), "");
  // A loop over one tensor: its end and the distance to it.
  EXPECT_EQ(UseIn("add.s64 %rd4, %rd1, %rd3; L: add.s64 %rd1, %rd1, 4; setp.lt.u64 %p1, %rd1, %rd4; @%p1 bra L;\n"
                  "sub.s64 %rd6, %rd4, %rd1; shr.u64 %rd6, %rd6, 2;"),
            "");
  EXPECT_EQ(UseIn("ld.param.u32 %r2, [s]; and.b32 %r2, %r2, 3; ld.param.u64 %rd4, [s+8]; ld.global.f32 %f1, [%rd4];"), "");
}

// Broken once: with `and` taken for a sum, and without kOther.
TEST(AddressUse, EverythingElseIs) {
  EXPECT_EQ(UseIn("and.b64 %rd4, %rd1, 15;"), "and");
  EXPECT_EQ(UseIn("cvt.u32.u64 %r2, %rd1;"), "cvt");
  EXPECT_EQ(UseIn("mov.b64 {%r2, %r3}, %rd1;"), "mov");
  EXPECT_EQ(UseIn("add.cc.u64 %rd4, %rd1, %rd3;"), "add");
  EXPECT_EQ(UseIn("add.u64 %rd4, %rd1, %rd2;"), "add");
  EXPECT_EQ(UseIn("sub.u64 %rd4, %rd3, %rd1;"), "sub");
  EXPECT_EQ(UseIn("sub.u64 %rd4, %rd2, %rd1;"), "sub");
  EXPECT_EQ(UseIn("setp.lt.u64 %p1, %rd1, %rd2;"), "setp");
  EXPECT_EQ(UseIn("setp.gt.u64 %p1, %rd1, 4096;"), "setp");
  EXPECT_EQ(UseIn("setp.eq.u64 %p1, %rd3, %rd1;"), "setp");
  EXPECT_EQ(UseIn("st.global.u64 [%rd2], %rd1;"), "st");
  EXPECT_EQ(UseIn("selp.b64 %rd4, %rd1, %rd2, %p1; setp.lt.u64 %p1, %rd1, %rd4;"), "setp");
  EXPECT_EQ(UseIn("ld.param.u32 %r2, [x];"), "ld");
  EXPECT_EQ(UseIn("ld.param.u64 %rd4, [s+8]; setp.lt.u64 %p1, %rd4, %rd1;"), "setp");
  EXPECT_EQ(UseIn("mov.u64 %rd4, s; ld.param.u64 %rd5, [%rd4+8];"), "mov");
  // A register that holds an address at one time and a number at another.
  EXPECT_EQ(UseIn("mov.u64 %rd4, %rd1; mov.u64 %rd4, 4096; setp.lt.u64 %p1, %rd4, %rd1;"), "setp");
}

}  // namespace
}  // namespace racer
