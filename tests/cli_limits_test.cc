// What the binary says where it ran into a limit, where a kernel does not end, and where it did not go.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/cli.h"

namespace racer {
namespace {

TEST(Check, UndecidedByATimeLimit) {
  Outcome outcome = Racer("check " + kPair + " --dims N=64,H=16384 --timeout 0.05");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(FirstLine(outcome.out).substr(0, 9), "UNDECIDED");
  EXPECT_TRUE(Has(outcome.out, "--timeout")) << outcome.out;
}

// The way on is of the limit that was reached. Was "raise --timeout or --memory".
TEST(Check, TheNextStepNamesTheLimit) {
  const std::string saxpy = "check examples/saxpy/candidate.ptx --ref examples/saxpy/reference.ptx --dims n=1000000 --memory 8M --json -";
  EXPECT_EQ(Json(Racer(saxpy))["hint"], "pin dims smaller than n=1000000 with --dims, or raise --memory");
}

// The front end alone takes more than that. Broken once by granting the 768 MiB of address space that the program was once thought to need.
TEST(Check, TheMemoryLimitHoldsWhileParsing) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's own memory is many times the limit";
#endif
  std::string ptx = ReadFile(kKernels + "reference_f16.ptx");
  std::string lines;
  for (int i = 0; i < 200000; ++i) lines += "add.u32 %r1, %r1, 1;\n";
  ptx.insert(ptx.rfind("ret;"), lines);
  const std::string path = WriteScratch("long.ptx", ptx);
  Outcome outcome = Racer("check " + path + " --ref " + path + " --memory 64M --json -");
  nlohmann::json json = Json(outcome);
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_TRUE(Has(outcome.out, "memory limit of 64 MiB")) << outcome.out;
  EXPECT_LT(json["stats"]["peak_bytes"], uint64_t{128} << 20);
}

// What a check established before it ran out of memory in the midst of a step is not lost. Broken once, with nothing kept: no shapes, no
// names, and parse undecided.
TEST(Check, WhatWasProvedBeforeALimitIsReported) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's own memory is many times the limit";
#endif
  const std::string file = "tests/golden/eq_gather_by_two_tables.ptx";
  const std::string contract = WriteScratch(
      "gather.toml",
      "id = \"gather\"\nversion = 1\n[dims]\nn = 64\nm = { min = 64, max = 30000000 }\n[tensors]\nx = { dtype = \"f32\", shape = [\"n\"], "
      "role = \"in\" }\nidx = { dtype = \"s32\", shape = [\"m\"], role = \"index\", values = \"range(0,64)\" }\ny = { dtype = \"f32\", "
      "shape "
      "= [\"n\"], role = \"out\" }\n[candidate]\nargs = [\"x\", \"idx\", \"y\"]\ngrid = [2]\nblock = [32]\n[reference]\nargs = [\"x\", "
      "\"idx\", \"y\"]\ngrid = [2]\nblock = [32]\n");
  const std::string arguments = "check " + file + " --ref " + file + " --entry candidate --ref-entry reference --contract " + contract +
                                " --dims m=64 --dims m=30000000 --memory 64M";
  nlohmann::json json = Json(Racer(arguments + " --json -"));
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["grade"], "none");
  EXPECT_EQ(json["reason"], "memory limit of 64 MiB reached (--memory)");
  EXPECT_EQ(json["candidate"], file + ":candidate");
  EXPECT_EQ(json["reference"], file + ":reference");
  ASSERT_EQ(json["shapes"].size(), 2u) << json.dump(1);  // by two tables
  EXPECT_EQ(json["shapes"][0]["dims"]["m"], 64);
  EXPECT_EQ(json["shapes"][0]["cells"], 64);
  EXPECT_TRUE(Has(json["unreached"].dump(), "n=64,m=30000000: not finished")) << json["unreached"];
  EXPECT_TRUE(Has(json["assumptions"].dump(), "not reached: n=64,m=30000000: not finished")) << json["assumptions"];
  for (const nlohmann::json& gate : json["gates"]) {
    EXPECT_EQ(gate["status"] == "pass", gate["name"] == "parse") << gate;
  }
  EXPECT_GT(json["stats"]["seconds"], 0);
  Outcome outcome = Racer(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(outcome.out, "\n  n=64,m=64  term  64 cells: ")) << outcome.out;
}

// Four vectors a thread and a bounded grid: only a size past all numbers of the launch enters the unrolled loop.
TEST(Check, AnUnrolledLoopOfAGridStrideIsEntered) {
  Outcome outcome = Racer("check examples/saxpy/candidate.ptx --ref examples/saxpy/reference.ptx --json -");
  nlohmann::json json = Json(outcome);
  EXPECT_EQ(json["verdict"], "equivalent");
  for (const nlohmann::json& part : json["unreached"]) EXPECT_FALSE(Has(part, "was never")) << part;
  // A fault in that loop shows without --dims. Broken once, with no larger shapes: both are EQUIVALENT and "was never false".
  std::string broken = ReadFile("examples/saxpy/candidate.ptx");
  const std::string good = "fma.rn.f32 \t%f101, %f82, %f1, %f90;";
  ASSERT_NE(broken.find(good), std::string::npos);
  broken.replace(broken.find(good), good.size(), "fma.rn.f32 \t%f101, %f83, %f1, %f90;");
  EXPECT_EQ(Racer("check " + WriteScratch("loop.ptx", broken) +
                  " --ref examples/saxpy/reference.ptx --contract examples/saxpy/contract.toml --quiet")
                .out,
            "DIFFERENT\n");
}

// y = x, an element a thread, behind `extra` with the size in %r0; and its contract.
std::string Copy(const std::string& name, const std::string& extra) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + R"((.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .b64 %rd<6>; .reg .b32 %r<10>; .reg .f32 %f<3>; .reg .pred %p<4>;
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y]; ld.param.u32 %r0, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p0, %r5, %r0;
  @%p0 ret;
)" + extra +
         R"(
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f0, [%rd3];
  st.global.f32 [%rd4], %f0;
  ret;
}
)";
}
constexpr char kCopyContract[] =
    "id = \"copy\"\nversion = 1\n[dims]\nn = { min = 1, max = 200000 }\n[tensors]\nx = { dtype = \"f32\", shape = [\"n\"], role = \"in\" "
    "}\ny = { dtype = \"f32\", shape = [\"n\"], role = \"out\" }\n[candidate]\nargs = [\"x\", \"y\", \"n\"]\ngrid = "
    "[\"ceildiv(n,128)\"]\nblock = [128]\n[reference]\nargs = [\"x\", \"y\", \"n\"]\ngrid = [\"ceildiv(n,128)\"]\nblock = [128]\n";

// Broken once, with such shapes as too large: EQUIVALENT and PASS, and nothing named n=77.
TEST(Check, AKernelThatDoesNotEndAtOneSize) {
  const std::string contract = " --contract " + WriteScratch("copy.toml", kCopyContract);
  const std::string copy = WriteScratch("copy.ptx", Copy("copy", ""));
  const std::string spin = WriteScratch("spin.ptx", Copy("spin", "$wait: setp.eq.u32 %p1, %r0, 77;\n@%p1 bra $wait;"));
  const std::string text = "did not end within 20971520 thread instructions at n=77, where ";
  Outcome outcome = Racer("check " + spin + " --ref " + copy + contract);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(FirstLine(outcome.out).starts_with("UNDECIDED the candidate " + text + "the reference takes ")) << outcome.out;
  outcome = Racer("check " + copy + " --ref " + spin + contract);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(FirstLine(outcome.out).starts_with("UNDECIDED the reference " + text + "the candidate takes ")) << outcome.out;
  EXPECT_EQ(Racer("check " + spin + " --ref " + spin + contract).status, 2);
  outcome = Racer("inspect " + spin + contract);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(FirstLine(outcome.out).starts_with("UNDECIDED the candidate " + text + "about ")) << outcome.out;
  // What is found at other shapes counts all the same.
  const std::string wrong = WriteScratch("wrong.ptx", Copy("wrong",
                                                           "setp.eq.u32 %p2, %r0, 128;\n@%p2 ret;\n$wait: setp.eq.u32 %p1, %r0, 77;\n"
                                                           "@%p1 bra $wait;"));
  EXPECT_EQ(Racer("check " + wrong + " --ref " + copy + contract).status, 1);
}

// Far from all sizes at which it ended, only the other side tells. Broken once, as above.
TEST(Check, AKernelThatDoesNotEndAtLargeSizes) {
  const std::string contract = " --contract " + WriteScratch("copy.toml", kCopyContract);
  const std::string copy = WriteScratch("copy.ptx", Copy("copy", ""));
  const std::string spin = WriteScratch("spin.ptx", Copy("spin", "$wait: setp.gt.u32 %p1, %r0, 50000;\n@%p1 bra $wait;"));
  Outcome outcome = Racer("check " + spin + " --ref " + copy + contract);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(FirstLine(outcome.out), "at n=50001, where the reference takes ")) << outcome.out;
}

// A side that takes n^2 where the other takes n is no endless one. Every shape that was dropped is named, also under the literal.
TEST(Check, ASlowSideIsNotEndless) {
  const std::string contract = " --contract " + WriteScratch("copy.toml", kCopyContract);
  const std::string copy = WriteScratch("copy.ptx", Copy("copy", "setp.eq.u32 %p3, %r0, 60000;"));
  const std::string slow =
      WriteScratch("slow.ptx", Copy("slow", "mov.u32 %r6, 0;\n$next: add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r0;\n@%p1 bra $next;"));
  nlohmann::json json = Json(Racer("check " + copy + " --ref " + slow + contract + " --json -"));
  EXPECT_EQ(json["verdict"], "equivalent") << json["reason"];
  for (const char* dropped : {"n=59999, around the 60000 in the kernels' text", "n=60000, around the 60000 in the kernels' text",
                              "n=60001, around the 60000 in the kernels' text", "n=60002, past the 60000 in the kernels' text"}) {
    const std::string line = std::string(dropped) + ": too large to run without --dims";
    // Broken once, with only the last one named.
    EXPECT_NE(std::find(json["unreached"].begin(), json["unreached"].end(), line), json["unreached"].end()) << json["unreached"].dump(1);
    EXPECT_NE(std::find(json["assumptions"].begin(), json["assumptions"].end(), "not reached: " + line), json["assumptions"].end());
  }
}

// Neither JSON nor --verbose cuts a list. Broken once, with six of a kind named and a line "... more comparisons".
TEST(Check, NothingIsCutUnderVerbose) {
  const std::string contract = " --contract " + WriteScratch("copy.toml", kCopyContract);
  const std::string copy = WriteScratch("copy.ptx", Copy("copy", ""));
  std::string never;
  for (int i = 0; i < 9; ++i) never += "setp.gt.u32 %p1, %r0, " + std::to_string(3000000 + i) + ";\n";
  const std::string arguments = "check " + WriteScratch("never.ptx", Copy("never", never)) + " --ref " + copy + contract;
  nlohmann::json json = Json(Racer(arguments + " --json -"));
  const std::string verbose = Racer(arguments + " --verbose").out;
  EXPECT_TRUE(Has(Racer(arguments).out, " more (--verbose)"));
  EXPECT_FALSE(Has(verbose, " more ")) << verbose;
  for (int i = 0; i < 9; ++i) {
    const std::string literal = std::to_string(3000000 + i);
    EXPECT_TRUE(Has(json["unreached"].dump(), literal + ";` was never true")) << literal;
    EXPECT_TRUE(Has(verbose, literal + ";` was never true")) << literal;
  }
}

}  // namespace
}  // namespace racer
