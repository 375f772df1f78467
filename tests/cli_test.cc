// The binary from end to end: what it prints where, its exit statuses, and that it prints the same twice.
#include "tests/cli.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace racer {
namespace {

TEST(Check, Equivalent) {
  Outcome outcome = Racer("check " + kPair + " --dims N=2,H=129");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(Racer("check " + kPair + " --dims N=2,H=129 --quiet").out, "EQUIVALENT\n");
  EXPECT_EQ(FirstLine(Racer("check " + kPair + " --dims N=2,H=129 --color=always").out), "\x1b[1;32mEQUIVALENT\x1b[0m");
  EXPECT_FALSE(Has(Racer("check " + kPair + " --dims N=2,H=129 --color=never").out, "\x1b"));
}

TEST(Check, AgainstAModelWithoutDims) {
  Outcome outcome = Racer("check " + kModel + " --quiet");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "EQUIVALENT\n");
}

// Breaks if the headline follows the verdict alone: nothing was proved equal here.
TEST(Check, WithoutTheEquivalenceGateNothingIsEquivalent) {
  for (const char* gates : {"race", "parse,launch,bounds,init,race,sync,preserve,determinism"}) {
    Outcome outcome = Racer("check " + kPair + " --dims N=2,H=129 --gates " + gates);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(FirstLine(outcome.out), "PASS");
    EXPECT_FALSE(Has(outcome.out, "EQUIVALENT"));
    EXPECT_FALSE(Has(outcome.out, "equality is over the reals"));
    EXPECT_TRUE(Has(outcome.out, "equivalence was not asked for"));
  }
  nlohmann::json json = Json(Racer("check " + kPair + " --dims N=2,H=129 --gates race --json -"));
  EXPECT_EQ(json["verdict"], "equivalent");
  EXPECT_EQ(json["grade"], "none");
}

// A sum by atomics is a right kernel to most users, and not one whose bits are the same from run to run.
TEST(Check, OrderThatIsUpToTheHardwareIsNotDeterministic) {
  const std::string file = "tests/golden/eq_split_sum_by_atomics.ptx";
  const std::string sums = "check " + file + " --ref " + file + " --entry candidate --ref-entry reference";
  Outcome outcome = Racer(sums);
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT");
  EXPECT_TRUE(Has(outcome.out, "  not applicable determinism: does not pass, and counts only where --gates names it: ")) << outcome.out;
  nlohmann::json report = Json(Racer(sums + " --json -"));
  ASSERT_FALSE(report["gates"].empty());
  for (const nlohmann::json& gate : report["gates"]) {
    EXPECT_EQ(gate["status"] == "not_applicable" && gate["message"] != "not asked for", gate["name"] == "determinism") << gate;
  }
  outcome = Racer(sums + " --gates parse,launch,bounds,init,race,sync,preserve,equivalence,determinism");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(FirstLine(outcome.out), "UNDECIDED candidate: how a value is rounded is up to the order of lanes or atomics (n=64)");
  EXPECT_TRUE(Has(outcome.out, "next step\n  leave determinism out of --gates ")) << outcome.out;
  // Broken once, with every --gates list a demand: the first is UNDECIDED.
  EXPECT_EQ(Racer(sums + " --quiet --gates race,equivalence").out, "EQUIVALENT\n");
  // Nor where the comparison is not reached. Broken once, with the order noted behind that.
  const std::string bits = "tests/golden/unk_integer_of_an_atomic_sum.ptx";
  report = Json(Racer("check " + bits + " --ref " + bits + " --entry candidate --ref-entry reference --json -"));
  ASSERT_FALSE(report["gates"].empty());
  for (const nlohmann::json& gate : report["gates"]) {
    if (gate["name"] == "determinism") {
      EXPECT_EQ(gate["status"], "not_applicable");
    }
  }
  // The reference's sum is by a loop.
  EXPECT_EQ(Racer("check " + file + " --ref " + file + " --entry reference --ref-entry reference --quiet --gates determinism").out,
            "PASS\n");
}

// Was an internal error: cells that no store wrote have no terms to compare.
TEST(Check, AGateThatWasNotAskedForFails) {
  const std::string twin = kKernels + "broken/triton_rows_2d_f32__last_row_skipped";
  Outcome outcome = Racer("check " + twin + ".ptx --ref " + kKernels + "reference_f32.ptx --contract " + twin +
                          ".toml --dims N=6,H=33 --gates equivalence --json -");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(Json(outcome)["reason"], "not fully written")) << outcome.out;
}

TEST(Check, Different) {
  Outcome outcome = Racer("check " + kTwin);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(FirstLine(outcome.out), "DIFFERENT");
  EXPECT_TRUE(Has(outcome.out, "not looked at ")) << outcome.out;
  // As racer was called. Broken once by printing racer, which need not be on the PATH.
  EXPECT_TRUE(Has(outcome.out, "next step\n  checker/racer explain " + kTwin + " --cell 'y[1,0]'\n")) << outcome.out;
  nlohmann::json json = Json(Racer("check " + kTwin + " --json -"));
  EXPECT_EQ(json["verdict"], "different");
  EXPECT_EQ(json["witness"]["replayed"], true);
  // Few inputs matter: x[1,0], the two weights that the sides take, eps, and the norm's own.
  EXPECT_LE(json["witness"]["inputs"].size(), 4u) << json["witness"].dump(2);
  uint64_t cells = 0;
  for (const auto& [step, count] : json["shapes"][0]["decided_by"].items()) cells += count.get<uint64_t>();
  EXPECT_EQ(cells, json["shapes"][0]["cells"].get<uint64_t>());
  EXPECT_GT(json["shapes"][0]["decided_by"]["not_looked_at"], 0);
}

// The tables that the witness ran with are in every form of the report. Broken once without them.
TEST(Check, AWitnessUnderAnIndexTensor) {
  const std::string file = "tests/golden/ne_first_index_table_computed.ptx";
  const std::string arguments = "check " + file + " --ref " + file + " --entry candidate --ref-entry reference";
  nlohmann::json json = Json(Racer(arguments + " --json -"));
  ASSERT_EQ(json["verdict"], "different");
  const std::vector<int64_t> table = json["witness"]["index_tensors"]["idx"];
  ASSERT_EQ(table.size(), json["witness"]["dims"]["n"].get<size_t>());
  std::vector<int64_t> sorted = table;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<int64_t>(i));  // the contract says a permutation
  const std::string start = "  index      idx = " + std::to_string(table[0]) + ", " + std::to_string(table[1]) + ", ";
  EXPECT_TRUE(Has(Racer(arguments).out, start)) << Racer(arguments).out;
}

// Addresses on the integers of an input: the way on is a word of the contract. Was "docs/isa.md ... list what is modelled".
TEST(Check, AddressesOnIntegersOfAnInput) {
  const std::string text = ReadFile("tests/golden/eq_gather_by_two_tables.ptx");
  const size_t role = text.find("role = \"index\""), end = text.find(" }", role);
  ASSERT_NE(end, std::string::npos);
  const std::string kernel = WriteScratch("gather.ptx", text.substr(0, role) + "role = \"in\"" + text.substr(end));
  Outcome outcome = Racer("check " + kernel + " --ref " + kernel + " --entry candidate --ref-entry reference");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(FirstLine(outcome.out), "(the integers of idx, which role = \"index\" in the contract makes concrete)")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "next step\n  give the tensor of indices role = \"index\"")) << outcome.out;
}

// Broken once by printing the pattern: 4294967295 for -1.
TEST(Check, IntegersHaveTheSignOfTheirTypeOverTheReals) {
  const std::string file = "tests/golden/ne_signed_byte_load.ptx";
  nlohmann::json json = Json(Racer("check " + file + " --ref " + file + " --entry candidate --ref-entry reference --json -"));
  ASSERT_EQ(json["verdict"], "different");
  for (const char* side : {"candidate", "reference"}) {
    const std::string value = json["witness"][side];
    EXPECT_EQ(value.substr(0, value.find(' ')), json["witness"][std::string(side) + "_real"].get<std::string>());
  }
  EXPECT_EQ(json["witness"]["reference_real"].get<std::string>()[0], '-') << json["witness"].dump(2);
}

// The command that a witness suggests runs as it is printed, whatever the file is called.
TEST(Check, TheHintRuns) {
  std::string candidate = WriteScratch("it's a kernel.ptx", ReadFile("examples/saxpy/broken.ptx"));
  std::string reference = WriteScratch("$HOME;ref.ptx", ReadFile("examples/saxpy/reference.ptx"));
  WriteScratch("it's a kernel.toml", ReadFile("examples/saxpy/contract.toml"));
  nlohmann::json json = Json(Racer("check \"" + candidate + "\" --ref '" + reference + "' --dims n=33 --json -"));
  std::string hint = json["hint"];
  ASSERT_EQ(hint.substr(0, 14), "racer explain ");
  Outcome outcome = Racer(hint.substr(6));
  EXPECT_EQ(outcome.status, 2) << hint << outcome.err;
  EXPECT_TRUE(Has(outcome.out, "y[32] at n=33\n")) << outcome.out;
}

// A difference's next step is its own. Broken once, with the first hint kept: "leave index_width, ... out of --gates" in both.
TEST(Check, TheHintIsOfWhatWasFound) {
  nlohmann::json json = Json(Racer("check " + kTwin + " --gates all --json -"));
  EXPECT_EQ(json["verdict"], "different");
  EXPECT_TRUE(json["hint"].get<std::string>().starts_with("racer explain ")) << json["hint"];
  json =
      Json(Racer("check examples/transpose/broken.ptx --ref examples/transpose/reference.ptx --dims rows=33,cols=17 --gates all --json -"));
  EXPECT_EQ(json["verdict"], "violation");
  EXPECT_EQ(json["hint"], "");
}

TEST(Check, Violation) {
  Outcome outcome = Racer("check examples/transpose/broken.ptx --ref examples/transpose/reference.ptx --dims rows=33,cols=17");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(FirstLine(outcome.out), "VIOLATION race");
}

TEST(Check, UndecidedByAGateOfALaterVersion) {
  Outcome outcome = Racer("check " + kPair + " --dims N=1,H=8 --gates all");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(outcome.out, "  undecided      index_width special_values rounding integer_exact: not in this version\n")) << outcome.out;
  EXPECT_EQ(FirstLine(outcome.out), "UNDECIDED gates index_width, special_values, rounding, integer_exact are not in this version");
  EXPECT_EQ(FirstLine(Racer("check " + kPair + " --dims N=1,H=8 --gates race,rounding").out),
            "UNDECIDED gate rounding is not in this version");
}

constexpr char kNoSizes[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 from, .param .u64 to)\n{\n.reg .b64 %rd<5>;\n"
    ".reg .f32 %f1;\nld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\nld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], "
    "%f1;\nret;\n}\n";

// One reason is said once; the way on is a contract, and one to start from is there.
TEST(Check, WithoutAContract) {
  std::string kernel = WriteScratch("k.ptx", kNoSizes);
  Outcome outcome = Racer("check " + kernel + " --ref " + kernel);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(FirstLine(outcome.out), "UNDECIDED no contract given and none inferred: no integer parameter says how large the tensors are");
  EXPECT_TRUE(Has(outcome.out, "  pass           parse\n")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "\n  candidate  " + kernel + ":k\n  reference  " + kernel + ":k\n")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "  undecided      launch bounds init race sync preserve equivalence determinism: as above\n"))
      << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "write a contract (docs/interface.md) and pass it with --contract")) << outcome.out;
  nlohmann::json json = Json(Racer("check " + kernel + " --ref " + kernel + " --json -"));
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["gates"][0]["status"], "pass");
  // With the skeleton as its contract the check gets on.
  std::string contract = WriteScratch("skeleton.toml", json["contract_skeleton"].get<std::string>());
  Outcome next = Racer("check " + kernel + " --ref " + kernel + " --contract " + contract);
  EXPECT_NE(next.status, 3) << next.err;
}

constexpr char kUnmodelled[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n)\n{\n"
    ".reg .b64 %rd<5>;\n.reg .b32 %r<5>;\n.reg .f32 %f1;\n.reg .pred %p1;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %smid;\nmov.u32 %r3, %ctaid.x;\n"
    "setp.ge.u32 %p1, %r3, %r1;\n@%p1 ret;\nmul.wide.u32 %rd3, %r3, 4;\nadd.u64 %rd1, %rd1, %rd3;\nadd.u64 %rd2, %rd2, %rd3;\n"
    "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\nret;\n}\n";

// Where an instruction is not modelled, a contract is no way on.
TEST(Check, UnmodelledWithoutAContract) {
  std::string kernel = WriteScratch("unmodelled.ptx", kUnmodelled);
  Outcome outcome = Racer("check " + kernel + " --ref " + kernel);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(Has(FirstLine(outcome.out), "%smid")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "docs/isa.md and docs/known_limits.md list what is modelled")) << outcome.out;
  EXPECT_FALSE(Has(outcome.out, "write a contract") || Has(outcome.out, "[dims]")) << outcome.out;
}

// Triton's kernel holds a row of at most 1024; the inferred contract lets rows be longer. Its scratch pointers are never read.
// Broken once: without a second look at the sizes this is a violation, which only the guessed domain makes.
TEST(Check, InferredSizesDoNotMakeAViolation) {
  for (const char* name : {"triton_row_f16.ptx", "triton_loop_bf16.ptx"}) {
    std::string kernel = WriteScratch(name, ReadFile(kKernels + name));
    Outcome outcome = Racer("check " + kernel + " --ref " + kKernels + "reference_f16.ptx");
    EXPECT_EQ(outcome.status, 2) << outcome.out;
  }
  std::string kernel = Scratch("triton_row_f16.ptx");
  Outcome outcome = Racer("check " + kernel + " --ref " + kKernels + "reference_f16.ptx --verbose");
  EXPECT_TRUE(Has(FirstLine(outcome.out), "the sizes were inferred, and whether they go so far changes the verdict")) << outcome.out;
  EXPECT_EQ(FirstLine(Racer("check " + kernel + " --ref " + kKernels + "reference_f16.ptx --dims N=2,H=384").out), "EQUIVALENT");
}

// A thread a row adds the first `most` values of its row.
std::string RowSum(const std::string& name, int most) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name +
         R"((.param .u64 x, .param .u64 y, .param .u32 n, .param .u32 h)
{
  .reg .b64 %rd<6>; .reg .b32 %r<10>; .reg .f32 %f<3>; .reg .pred %p<3>;
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [h];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p0, %r5, %r0;
  @%p0 ret;
  mul.lo.u32 %r6, %r5, %r1;
  mul.wide.u32 %rd2, %r6, 4;
  add.u64 %rd2, %rd2, %rd0;
  min.u32 %r7, %r1, )" +
         std::to_string(most) + R"(;
  mov.u32 %r8, 0;
  mov.f32 %f0, 0f00000000;
$loop:
  ld.global.f32 %f1, [%rd2];
  add.f32 %f0, %f0, %f1;
  add.u64 %rd2, %rd2, 4;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p1, %r8, %r7;
  @%p1 bra $loop;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd3, %rd3, %rd1;
  st.global.f32 [%rd3], %f0;
  ret;
}
)";
}

// A difference that only guessed sizes show is none; one within the smaller sizes is. Broken once: without the second look at the smaller
// domain both are UNDECIDED, without any both are DIFFERENT.
TEST(Check, InferredSizesDoNotMakeADifference) {
  const std::string reference = " --ref " + WriteScratch("sum.ptx", RowSum("sum", 1 << 30)) + " ";
  Outcome longer = Racer("check " + WriteScratch("sum100.ptx", RowSum("sum100", 100)) + reference);
  EXPECT_EQ(longer.status, 2) << longer.out;
  EXPECT_TRUE(Has(FirstLine(longer.out), "the sizes were inferred")) << longer.out;
  Outcome pinned = Racer("check " + Scratch("sum100.ptx") + reference + "--dims n=3,h=101 --quiet");
  EXPECT_EQ(pinned.out, "DIFFERENT\n") << pinned.err;
}

TEST(Check, InputErrorsAreSaidOnce) {
  Outcome outcome = Racer("check nowhere.ptx --ref " + kKernels + "reference_f16.ptx");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(Has(outcome.err, "nowhere.ptx"));
  Outcome json_outcome = Racer("check nowhere.ptx --ref " + kKernels + "reference_f16.ptx --json -");
  nlohmann::json json = Json(json_outcome);
  EXPECT_EQ(json["verdict"], "input_error");
  EXPECT_EQ(json["diagnostics"].size(), 1u);
  Outcome model = Racer("check " + kKernels + "reference_f16.ptx --ref model:nothing");
  EXPECT_EQ(model.status, 3);
  EXPECT_TRUE(Has(model.err, "weighted_rmsnorm")) << model.err;
  // Both kernels of one file.
  const std::string path = WriteScratch("open.ptx", ".version 8.0\n.target sm_80\n.entry k() {\nret\n}\n");
  Outcome twice = Racer("check " + path + " --ref " + path);
  EXPECT_EQ(twice.status, 3);
  const size_t at = twice.err.find("expected `;`");
  ASSERT_NE(at, std::string::npos) << twice.err;
  EXPECT_EQ(twice.err.find("expected `;`", at + 1), std::string::npos) << twice.err;
}

// Which option picks which side's entry. Broken once by naming both options for either side.
TEST(Check, WhichSideHasSeveralEntries) {
  const std::string file = "tests/golden/ne_missing_clamp.ptx";
  const std::string entries = " with one of: candidate, reference\n";
  Outcome both = Racer("check " + file + " --ref " + file);
  EXPECT_EQ(both.err, file + ": error: 2 entries in this module; expected --entry NAME and --ref-entry NAME" + entries);
  Outcome reference = Racer("check " + file + " --ref " + file + " --entry candidate");
  EXPECT_EQ(reference.err, file + ": error: 2 entries in this module; expected --ref-entry NAME" + entries);
  Outcome wrong = Racer("check " + file + " --ref " + file + " --entry kandidat --ref-entry reference");
  EXPECT_EQ(wrong.err, file + ": error: no entry named 'kandidat' in this module; expected --entry NAME" + entries);
}

TEST(Check, AContractWithABareWord) {
  std::string contract =
      WriteScratch("bare.toml", "id = \"x\"\nversion = 1\n[dims]\nN = 4\n[tensors]\nx = { dtype = \"f32\", shape = [\"N\"], role = in }\n");
  Outcome outcome = Racer("check " + kPair + " --contract " + contract);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(Has(outcome.err, "bare.toml:6:")) << outcome.err;
  EXPECT_TRUE(Has(outcome.err, "strings need quotes")) << outcome.err;
  EXPECT_TRUE(Has(outcome.err, "\"in\"")) << outcome.err;
}

TEST(Inspect, WithAndWithoutDims) {
  for (const char* dims : {"", " --dims N=2,H=129"}) {
    Outcome outcome = Racer("inspect " + kKernels + "half2_tail_f16.ptx" + dims);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(FirstLine(outcome.out), "PASS");
    EXPECT_FALSE(Has(outcome.out, "EQUIVALENT"));
    EXPECT_TRUE(Has(outcome.out, "\nresources\n  registers "));
  }
  nlohmann::json json = Json(Racer("inspect " + kKernels + "half2_tail_f16.ptx --dims N=2,H=129 --json -"));
  EXPECT_EQ(json["verdict"], "equivalent");
  EXPECT_EQ(json["grade"], "none");
  EXPECT_TRUE(json["idioms"].empty());
  EXPECT_GT(json["resources"]["loops"], 0);
  EXPECT_GT(json["resources"]["registers"]["pred"], 0);
  EXPECT_GT(json["resources"]["instructions"]["ret"], 0);
  Outcome broken = Racer("inspect examples/transpose/broken.ptx --dims rows=33,cols=17 --quiet");
  EXPECT_EQ(broken.status, 1);
  EXPECT_EQ(broken.out, "VIOLATION race\n");
}

// Two tables at one shape are two runs of it: told apart, and one shape. Broken once, with no variants.
TEST(Inspect, IndexTablesAreNamed) {
  const std::string file = "tests/golden/eq_gather_by_two_tables.ptx";
  Outcome outcome = Racer("inspect " + file + " --entry candidate");
  EXPECT_TRUE(Has(outcome.out, "every gate asked for holds at 1 shape\n")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "\n  n=64  term\n  n=64  term  index table 2\n")) << outcome.out;
  outcome = Racer("check " + file + " --ref " + file + " --entry candidate --ref-entry reference");
  EXPECT_TRUE(Has(outcome.out, "  64 output cells at 1 shape are the same")) << outcome.out;
  EXPECT_TRUE(Has(outcome.out, "proved for the shape listed")) << outcome.out;
  nlohmann::json json = Json(Racer("inspect " + file + " --entry candidate --json -"));
  ASSERT_EQ(json["shapes"].size(), 2u);
  EXPECT_EQ(json["shapes"][0]["variant"], "");
  EXPECT_EQ(json["shapes"][1]["variant"], "index table 2");
}

TEST(Inspect, HelpNamesNoEquivalence) {
  EXPECT_FALSE(Has(Racer("help inspect").out.substr(Racer("help inspect").out.find("\ngates:")), "equivalence"));
  EXPECT_TRUE(Has(Racer("help check").out.substr(Racer("help check").out.find("\ngates:")), "equivalence"));
}

// A sum into an output that nothing zeroed: the way on is a word of the contract.
TEST(Check, AnOutputThatAtomicsReadUninitialised) {
  const std::string file = "tests/golden/eq_split_sum_by_atomics.ptx";
  const std::string text = ReadFile(file);
  const size_t init = text.find(", init = 0");
  ASSERT_NE(init, std::string::npos);
  const std::string kernel = WriteScratch("sum.ptx", text.substr(0, init) + text.substr(init + 10));
  Outcome outcome = Racer("check " + kernel + " --ref " + kernel + " --entry candidate --ref-entry reference");
  EXPECT_EQ(FirstLine(outcome.out), "VIOLATION init");
  EXPECT_TRUE(Has(outcome.out, "next step\n  if y is filled before the launch, say so in the contract: init = 0")) << outcome.out;
  EXPECT_FALSE(Has(Racer("inspect tests/golden/vio_init_shared_never_written.ptx --entry candidate").out, "filled before the launch"));
}

// Where only definedness differs, the values are no clue.
TEST(Explain, SaysThatDefinednessDiffers) {
  const std::string file = "tests/golden/ne_definedness_differs.ptx";
  const std::string arguments = "explain " + file + " --ref " + file + " --entry candidate --ref-entry reference --cell 'y[1]'";
  Outcome outcome = Racer(arguments);
  EXPECT_EQ(outcome.status, 2);
  const std::string sentence =
      "The values are equal where both sides are defined; what differs is where they are: the candidate needs z[1] != 0; the reference "
      "needs nothing.";
  EXPECT_TRUE(Has(outcome.out, "\n" + sentence + "\nThey part here")) << outcome.out;
  EXPECT_EQ(Json(Racer(arguments + " --json -"))["summary"], sentence);
  EXPECT_FALSE(Has(Racer("explain " + kTwin + " --cell 'y[1,0]'").out, "where both sides are defined"));
}

TEST(Explain, ExitStatuses) {
  Outcome same = Racer("explain " + kPair + " --dims N=2,H=129 --cell 'y[1,3]'");
  EXPECT_EQ(same.status, 0);
  EXPECT_TRUE(Has(same.out, "y[1,3] at N=2,H=129\n")) << same.out;
  EXPECT_TRUE(Has(same.out, "The terms are equal over the reals")) << same.out;
  Outcome parted = Racer("explain " + kTwin + " --cell 'y[1,0]'");
  EXPECT_EQ(parted.status, 2);
  EXPECT_TRUE(Has(parted.out, "They part here")) << parted.out;
  Outcome unknown = Racer("explain " + kTwin + " --cell 'z[0]'");
  EXPECT_EQ(unknown.status, 3);
  EXPECT_TRUE(Has(unknown.err, "'z' is no output of the contract; expected a cell of y\n")) << unknown.err;
  // Broken once: "does not exist at any planned shape; expected --dims with larger sizes".
  Outcome rank = Racer("explain " + kTwin + " --cell 'y[0]'");
  EXPECT_EQ(rank.status, 3);
  EXPECT_TRUE(Has(rank.err, "y[0] has 1 index, and y has 2 dims; expected a cell such as y[0,0]\n")) << rank.err;
  EXPECT_EQ(Racer("explain " + kTwin + " --cell 'y[99,0]'").status, 3);
}

TEST(Explain, AgainstAModelWithoutDims) {
  Outcome outcome = Racer("explain " + kModel + " --cell 'y[0,0]'");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(Has(outcome.out, "The terms are equal over the reals")) << outcome.out;
  EXPECT_EQ(Racer("explain " + kModel + " --cell 'y[0,0]' --quiet").out.find('\n') + 1,
            Racer("explain " + kModel + " --cell 'y[0,0]' --quiet").out.size());
}

// Same inputs, same options, same bytes; only stats may change.
TEST(Json, IsDeterministicApartFromStats) {
  for (const std::string& arguments :
       {"check " + kPair + " --dims N=2,H=129", "check " + kTwin, "inspect " + kKernels + "half2_tail_f16.ptx",
        "explain " + kTwin + " --cell 'y[1,0]'", std::string("check a.ptx")}) {
    nlohmann::json first = Json(Racer(arguments + " --json -"));
    nlohmann::json second = Json(Racer(arguments + " --json -"));
    EXPECT_EQ(first["schema"], 1);
    first.erase("stats");
    second.erase("stats");
    EXPECT_EQ(first.dump(), second.dump()) << arguments;
  }
  std::string file = Scratch("report.json");
  Outcome outcome = Racer("check " + kPair + " --dims N=2,H=129 --json " + file);
  EXPECT_EQ(FirstLine(outcome.out), "EQUIVALENT");
  EXPECT_TRUE(nlohmann::json::accept(ReadFile(file)));
  EXPECT_EQ(Racer("check " + kPair + " --dims N=2,H=129 --json /nowhere/report.json").status, 3);
}

TEST(CommandLine, Bad) {
  for (const char* arguments :
       {"", "chekc", "check", "check a.ptx", "inspect", "explain a.ptx --ref b.ptx", "check a.ptx --ref b.ptx --frobnicate",
        "check a.ptx --ref b.ptx --gates races", "check a.ptx --ref b.ptx --dims N", "emit rmsnorm", "corpus run .",
        "check a.ptx --ref b.ptx --html x.html", "completion tcsh"}) {
    Outcome outcome = Racer(arguments);
    EXPECT_EQ(outcome.status, 3) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.substr(0, 7), "racer: ") << arguments;
  }
  EXPECT_EQ(Racer("check").err, "racer: check needs a PTX file (racer help check)\n");
  nlohmann::json json = Json(Racer("check --json -"));
  EXPECT_EQ(json["verdict"], "input_error");
  EXPECT_EQ(json["summary"], "racer: check needs a PTX file (racer help check)");
}

TEST(CommandLine, Texts) {
  for (const char* arguments : {"--version", "--help", "help check", "help --help", "explain --help", "emit --help", "completion bash",
                                "completion zsh", "completion fish"}) {
    Outcome outcome = Racer(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_NE(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err, "") << arguments;
  }
}

}  // namespace
}  // namespace racer
