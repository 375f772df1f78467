#include "checker/kernel_literals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

KernelLiterals Of(const std::string& body) {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>(
      "k.ptx",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 "
      "%f<9>; .reg .pred %p<9>;\n" +
          body + "ret;\n}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  return LiteralsOf(*outcome.module, *outcome.module->Entries().front());
}

TEST(KernelLiterals, WhereSizesMatter) {
  KernelLiterals found = Of(
      "setp.ge.s32 %p1, %r1, 3000; setp.lt.and.u64 %p1, %rd1, 77, %p2; min.s32 %r2, %r2, 500; setp.gt.f32 %p2, %f1, 0f3f800000;\n"
      "and.b32 %r3, %r3, 1023; and.b32 %r3, %r3, -2048; shr.u32 %r4, %r4, 12; add.s32 %r5, %r5, -384; mul.hi.u32 %r6, %r6, -1431655765;\n"
      "setp.ne.s32 %p3, %r1, 0; xor.b32 %r1, %r1, 12345;\n");
  EXPECT_EQ(found.compared, (std::vector<int64_t>{77, 500, 3000}));
  for (int64_t value : {1024, 2048, 4096, 384}) {
    EXPECT_NE(std::find(found.other.begin(), found.other.end(), value), found.other.end()) << value;
  }
  EXPECT_EQ(std::find(found.other.begin(), found.other.end(), 12345), found.other.end());
}

// Broken once, with 32-bit masks as positive numbers and without fields: none of these.
TEST(KernelLiterals, MasksAndFields) {
  using List = std::vector<int64_t>;
  EXPECT_EQ(Of("and.b32 %r3, %r3, 0xfffff000;").other, (List{4096}));
  EXPECT_EQ(Of("and.b32 %r3, %r3, 0x7ffff000;").other, (List{4096, int64_t{1} << 31}));
  EXPECT_EQ(Of("and.b64 %rd3, %rd3, 0xfffff000;").other, (List{4096, int64_t{1} << 32}));
  EXPECT_EQ(Of("and.b32 %r3, %r3, 0xfffff7ff;").other, (List{2048, 4096}));
  EXPECT_EQ(Of("lop3.b32 %r3, %r3, 0xffffff80, %r4, 0xea;").other, (List{128}));
  EXPECT_EQ(Of("bfe.u32 %r3, %r3, 11, 8;").other, (List{256, 2048, 524288}));
  EXPECT_EQ(Of("bfi.b32 %r3, %r3, %r4, 0, 6;").other, (List{64}));
  EXPECT_EQ(Of("shf.r.wrap.b32 %r3, %r3, %r4, 13;").other, (List{8192}));
}

// Of integers only: where data is compared with a number, no size matters.
TEST(KernelLiterals, InComparisonsOfConvertedIntegers) {
  using List = std::vector<int64_t>;
  EXPECT_EQ(Of("cvt.rn.f32.u32 %f1, %r1; setp.gt.f32 %p1, %f1, 0f459C4000;").compared, (List{5000}));
  EXPECT_EQ(Of("cvt.rn.f32.s32 %f1, %r1; mov.f32 %f2, %f1; setp.lt.f32 %p1, 0fC2C90000, %f2;").compared, (List{100}));  // -100.5
  EXPECT_EQ(Of("cvt.rzi.u32.f32 %r1, %f1; setp.gt.f32 %p1, %f1, 0f459C4000;").compared, List{});
  EXPECT_EQ(Of("ld.param.f32 %f1, [p]; cvt.rn.f32.u32 %f2, %r1; setp.gt.f32 %p1, %f1, 0f459C4000;").compared, List{});
}

// Of the CTA's index alone; that of a thread passes every such integer in the first CTA.
TEST(KernelLiterals, OfCtas) {
  const auto of = [](const std::string& body) { return Of("mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;\n" + body).of_ctas; };
  using List = std::vector<int64_t>;
  EXPECT_EQ(of("shr.u32 %r2, %r0, 3;"), (List{8, 64}));
  EXPECT_EQ(of("shr.u32 %r2, %r1, 3;"), List{});
  EXPECT_EQ(of("mad.lo.u32 %r2, %r0, 64, %r1; shr.u32 %r2, %r2, 3;"), List{});
  EXPECT_EQ(of("mul.lo.u32 %r2, %r0, 3; and.b32 %r3, %r2, 7; and.b32 %r3, %r2, -4; and.b32 %r4, %r1, 31;"), (List{4, 8, 64}));
  EXPECT_EQ(of("and.b32 %r2, %r0, 0xffffff80;"), (List{128}));
  EXPECT_EQ(of("and.b32 %r2, %r0, 0x7fffff80;"), (List{128}));
  EXPECT_EQ(of("lop3.b32 %r2, %r0, 0xffffff80, 0, 0xea;"), (List{128}));
  EXPECT_EQ(of("bfi.b32 %r2, %r0, 0, 0, 6;"), (List{64}));
  EXPECT_EQ(of("bfe.u32 %r2, %r0, 2, 3;"), (List{4, 8, 32, 256}));
  EXPECT_EQ(of("shf.r.wrap.b32 %r2, %r0, %r0, 27;"), (List{32}));
  EXPECT_EQ(of("div.u32 %r2, %r0, 5; rem.u32 %r3, %r0, 6; div.u32 %r4, %r1, 7;"), (List{5, 6, 36}));
  EXPECT_EQ(of("mul.hi.u32 %r2, %r0, -858993459;"), List{160});  // by 5 * 2^s
  EXPECT_EQ(of("setp.gt.u32 %p1, %r0, 69; setp.eq.u32 %p2, %r0, 5000; min.u32 %r2, %r1, 7;"), (List{69, 5000}));
  EXPECT_EQ(of("mov.u32 %r5, 1000; setp.gt.u32 %p1, %r0, %r5;"), (List{1000}));
  EXPECT_EQ(of("mov.u32 %r5, 1000; @%p1 mov.u32 %r5, 7; setp.gt.u32 %p1, %r0, %r5;"), List{});
  EXPECT_EQ(of("cvt.rn.f32.u32 %f1, %r0; setp.gt.f32 %p1, %f1, 0f447A0000;"), (List{1000}));
  EXPECT_EQ(of("prmt.b32 %r2, %r0, 0, 0x4442;"), List{256});
  EXPECT_EQ(of("mov.u32 %r0, %tid.y; shr.u32 %r2, %r0, 3;"), List{});  // the register is another value by then
  EXPECT_EQ(of("ld.param.u32 %r5, [p]; add.u32 %r2, %r0, %r5; shr.u32 %r2, %r2, 4;"), (List{16, 256}));
  EXPECT_EQ(of("shfl.sync.idx.b32 %r2, %r0, 0, 31, -1; shr.u32 %r2, %r2, 4;"), List{});
}

}  // namespace
}  // namespace racer
