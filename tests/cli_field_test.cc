// The test of larger shapes in prime fields, from end to end: what it reports, and that a suspicion is never a verdict by itself.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli.h"

namespace racer {
namespace {

// y = 2 x, with one more from cell 5000 on: a number that only memory holds, so that no reduced shape is past it.
std::string Kernels(const std::string& last = "add.f32 %f0, %f0, 0f3f800000;") {
  const std::string head = R"((.param .u64 x, .param .u32 n, .param .u64 y)
{
  .reg .b64 %rd<12>; .reg .b32 %i<16>; .reg .f32 %f<8>; .reg .pred %p<4>;
  mov.u32 %i0, %ctaid.x;
  mov.u32 %i1, %tid.x;
  mad.lo.s32 %i2, %i0, 128, %i1;
  ld.param.u32 %i4, [n];
  setp.ge.u32 %p0, %i2, %i4;
  @%p0 bra done;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd7, %i2, 4;
  add.s64 %rd0, %rd0, %rd7;
  add.s64 %rd1, %rd1, %rd7;
  ld.global.f32 %f0, [%rd0];
)";
  const std::string tail = "  st.global.f32 [%rd1], %f0;\ndone:\n  ret;\n}\n";
  return R"ptx(//! id = "far"
//! version = 1
//! [dims]
//! n = { min = 1, max = 1000000 }
//! [tensors]
//! x = { dtype = "f32", shape = ["n"], role = "in" }
//! y = { dtype = "f32", shape = ["n"], role = "out" }
//! [candidate]
//! args = ["x", "n", "y"]
//! grid = ["ceildiv(n, 128)"]
//! block = [128]
//! [reference]
//! args = ["x", "n", "y"]
//! grid = ["ceildiv(n, 128)"]
//! block = [128]
.version 8.0
.target sm_90
.address_size 64
.const .align 4 .u32 far = 5000;
.visible .entry candidate)ptx" +
         head + "  ld.const.u32 %i5, [far];\n  setp.lt.u32 %p1, %i2, %i5;\n  @%p1 bra twice;\n  " + last +
         "\ntwice:\n  add.f32 %f0, %f0, %f0;\n" + tail + ".visible .entry reference" + head + "  mul.f32 %f0, %f0, 0f40000000;\n" + tail;
}
std::string Check(const std::string& file, const std::string& options) {
  return "check " + file + " --ref " + file + " --entry candidate --ref-entry reference " + options;
}

TEST(Field, WhatIsProvedIsTestedAtALargerShape) {
  const std::string options = "check " + kPair + " --dims N=2,H=129 --field N=4,H=1024";
  const Outcome outcome = Racer(options);
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT") << outcome.out;
  EXPECT_TRUE(Has(outcome.out,
                  "tested at a random point of prime fields, which proves nothing\n  N=4,H=1024  4096 cells are equal\n  wrong with "
                  "a probability of at most 2^-"))
      << outcome.out;
  const nlohmann::json json = Json(Racer(options + " --json -"));
  EXPECT_EQ(json["grade"], "proved");
  EXPECT_EQ(json["error_log2"], nullptr);  // of the verdict, which rests on proofs
  EXPECT_EQ(json["field"]["status"], "tested");
  EXPECT_LT(json["field"]["error_log2"], -40);
  ASSERT_EQ(json["shapes"].size(), 2u);
  EXPECT_EQ(json["shapes"][1]["domain"], "field");
  EXPECT_EQ(json["shapes"][1]["cells"], 4096);
  EXPECT_EQ(json["shapes"][1]["decided_by"]["field"], 4096);
  // Pinned shapes are all that is wanted, and none is none.
  EXPECT_EQ(Json(Racer("check " + kPair + " --dims N=2,H=129 --json -"))["field"], nullptr);
  EXPECT_EQ(Json(Racer("check " + kPair + " --dims N=2,H=129 --field none --json -"))["field"], nullptr);
  // The same bytes for the same seed, timings aside, and another point for another one.
  EXPECT_EQ(Racer(options).out, outcome.out);
  EXPECT_EQ(FirstLine(Racer(options + " --seed 2").out), "EQUIVALENT");
}

// Breaks if unlike cells are taken for equal: EQUIVALENT.
TEST(Field, ADifferenceThatOnlyAFarShapeHasIsFoundAndCertified) {
  const std::string file = WriteScratch("far.ptx", Kernels());
  EXPECT_EQ(FirstLine(Racer(Check(file, "--field none")).out), "EQUIVALENT");
  const Outcome outcome = Racer(Check(file, "--field n=8192"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(FirstLine(outcome.out), "DIFFERENT") << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "y[5000] differs (n=8192)")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "n=8192  3192 of 8192 cells have unlike values")) << outcome.out;
}

// Breaks if a suspicion that is not confirmed is dropped: EQUIVALENT.
TEST(Field, ASuspicionThatIsTooLargeToConfirmIsUndecided) {
  const std::string file = WriteScratch("far.ptx", Kernels());
  const Outcome outcome = Racer(Check(file, "--field n=400000"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(FirstLine(outcome.out),
            "UNDECIDED in the field, 395000 of 400000 cells, first y[5000], have unlike values at n=400000, although the shapes listed are "
            "proved equal")
      << outcome.out;
  EXPECT_EQ(Json(Racer(Check(file, "--field n=400000 --json -")))["field"]["status"], "unlike");
}

TEST(Field, ARuleThatOnlyAFarShapeBreaksIsAViolationOnceConfirmed) {
  const std::string file = WriteScratch("far.ptx", Kernels("add.s64 %rd0, %rd0, 40000; ld.global.f32 %f0, [%rd0];"));
  const Outcome outcome = Racer(Check(file, "--field n=8192"));
  EXPECT_EQ(FirstLine(outcome.out), "VIOLATION bounds") << outcome.out;
}

TEST(Field, WhatLeavesTheDomainIsNamed) {
  const std::string file =
      WriteScratch("far.ptx", Kernels("{ .reg .b32 %b; mov.b32 %b, %f0; add.u32 %b, %b, 1; sub.u32 %b, %b, 1; mov.b32 %f0, %b; }"));
  const Outcome outcome = Racer(Check(file, "--field n=8192"));
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT") << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "  not run: candidate: arithmetic on a symbolic integer or on the pattern of a computed value at line "))
      << outcome.out;
  EXPECT_TRUE(Has(Racer("check " + kModel + " --dims N=2,H=129 --field N=4,H=1024").out, "  not run: the reference is a model\n"));
}

// A law that the field does not know makes no suspicion. Breaks without the look at a proved shape: UNDECIDED.
TEST(Field, WhereTheFieldDoesNotSeeWhatIsProvedNothingIsTested) {
  std::string text = Kernels("mov.b32 %i6, %i5;");
  const std::string twice = "  add.f32 %f0, %f0, %f0;\n", product = "  mul.f32 %f0, %f0, 0f40000000;\n";
  text.replace(text.find(twice), twice.size(), "  max.f32 %f0, %f0, 0f00000000;\n  add.f32 %f0, %f0, %f0;\n");
  text.replace(text.find(product), product.size(), "  add.f32 %f0, %f0, %f0;\n  max.f32 %f0, %f0, 0f00000000;\n");
  const std::string file = WriteScratch("far.ptx", text);
  const Outcome outcome = Racer(Check(file, "--field n=8192"));
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT") << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "  not run: the field does not see that the sides are equal at n=257, where it is proved (")) << outcome.out;
}

TEST(Field, MalformedShapes) {
  EXPECT_EQ(Racer("check " + kPair + " --field N").status, 3);
  EXPECT_TRUE(Has(Racer("check " + kPair + " --dims N=2,H=129 --field Q=3").out, "not run: --field names no shape of the contract"));
}

}  // namespace
}  // namespace racer
