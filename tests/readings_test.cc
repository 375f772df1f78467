// Kernels without a contract whose verdict hangs on the launch that was inferred: end to end.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "checker/check.h"
#include "checker/load.h"
#include "checker/options.h"
#include "checker/report.h"

namespace racer {
namespace {

// y[i] = x[i] * factor, an element a thread; `factor` computes %f1, from %r1 = ntid.x and %f0 = x[i] if it likes.
std::string Kernel(const std::string& name, const std::string& factor) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry " + name + R"((.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .pred %p<2>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p0, %r3, %r4;
  @%p0 ret;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd0, %rd0, %rd2;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.f32 %f0, [%rd0];
  )" + factor +
         R"(
  mul.f32 %f0, %f0, %f1;
  st.global.f32 [%rd1], %f0;
  ret;
}
)";
}

constexpr char kBlockSize[] = "cvt.rn.f32.u32 %f1, %r1;";
constexpr char k256[] = "mov.f32 %f1, 0f43800000;";
constexpr char k128[] = "mov.f32 %f1, 0f43000000;";
// min(x, 2^15 * ntid) and min(x, 2^22): the same for the small numbers that inference tries.
constexpr char kBoundedByBlock[] = "cvt.rn.f32.u32 %f1, %r1;\n  mul.f32 %f1, %f1, 0f47000000;\n  min.f32 %f1, %f1, %f0;";
constexpr char kBounded[] = "mov.f32 %f1, 0f4A800000;\n  min.f32 %f1, %f1, %f0;";

Report CheckWithoutContract(const std::string& candidate, const std::string& reference) {
  const char* argv[] = {"racer", "check", "readings_candidate.ptx", "--ref", "readings_reference.ptx"};
  ParsedCommandLine command_line = ParseCommandLine(5, argv);
  EXPECT_TRUE(command_line.options.has_value());
  Inputs inputs;
  inputs.candidate =
      LoadKernel(std::make_shared<const SourceFile>("readings_candidate.ptx", Kernel("candidate", candidate)), "candidate").kernel;
  inputs.reference =
      LoadKernel(std::make_shared<const SourceFile>("readings_reference.ptx", Kernel("reference", reference)), "reference").kernel;
  EXPECT_TRUE(inputs.candidate != nullptr && inputs.reference != nullptr);
  InputsOutcome complete = CompleteInputs(*command_line.options, std::move(inputs));
  EXPECT_TRUE(complete.errors.empty());
  EXPECT_TRUE(complete.inputs.has_value()) << complete.undecided;
  if (!complete.inputs.has_value()) return UndecidedReport(complete.undecided, *command_line.options, true);
  return Check(*command_line.options, *complete.inputs);
}

void ExpectAnotherReading(const Report& report, const std::string& what) {
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_NE(report.reason.find("another reading changes the verdict: the " + what), std::string::npos) << report.reason;
  EXPECT_FALSE(report.inferred_contract.empty());
}

// The inferred block has 256 threads, so ntid.x is 256 there, and nothing says that the caller's has. Broken once by leaving
// ConsiderOtherLaunches out: equivalent.
TEST(ReadingsEndToEnd, EqualUnderTheInferredBlockOnly) {
  ExpectAnotherReading(CheckWithoutContract(kBlockSize, k256), "candidate with block = [32] differs");
}

TEST(ReadingsEndToEnd, TheReferenceHasReadingsToo) {
  ExpectAnotherReading(CheckWithoutContract(k256, kBlockSize), "reference with block = [32] differs");
}

// Broken once by leaving ConsiderOtherLaunches out: different, with a witness that a caller with blocks of 128 would never see.
TEST(ReadingsEndToEnd, DifferentUnderTheInferredBlockOnly) {
  ExpectAnotherReading(CheckWithoutContract(kBoundedByBlock, kBounded), "candidate with block = [128] is equivalent");
}

// Near misses: what does not hang on the launch keeps its verdict.
TEST(ReadingsEndToEnd, EveryReadingAgrees) {
  EXPECT_EQ(CheckWithoutContract(k256, k256).verdict, Verdict::kEquivalent);
  EXPECT_EQ(CheckWithoutContract(kBounded, kBounded).verdict, Verdict::kEquivalent);
  EXPECT_EQ(CheckWithoutContract(k256, k128).verdict, Verdict::kDifferent);
}

}  // namespace
}  // namespace racer
