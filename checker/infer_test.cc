#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "checker/contract.h"
#include "checker/infer_search.h"
#include "checker/infer_trial.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"
#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/run.h"

namespace racer {
namespace {

struct TestKernel {
  std::unique_ptr<ir::Module> module;
  const ir::Function* entry = nullptr;
  InferenceSubject subject() const { return {module.get(), entry}; }
};

TestKernel Parse(const std::string& parameters, const std::string& body, const std::string& directives = "",
                 const std::string& module_scope = "") {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>(
      "k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n" + module_scope + ".visible .entry k(" + parameters + ")\n" + directives +
                   "{\n.reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .b16 %h<40>; .reg .pred %p<20>;\n" + body + "}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  TestKernel kernel;
  kernel.module = std::move(outcome.module);
  if (kernel.module != nullptr) kernel.entry = kernel.module->Entries().front();
  return kernel;
}

Inference Infer(const TestKernel& candidate, const TestKernel& reference) {
  return InferWith(candidate.subject(), reference.subject(), MachineTrialRunner());
}
Inference InferAlone(const TestKernel& candidate) { return InferWith(candidate.subject(), {}, MachineTrialRunner()); }

// y[i] = x[i] + s for one thread an element.
const char* const kElementParameters = ".param .u64 x, .param .u64 y, .param .u32 n, .param .f32 s";
const char* const kElementBody = R"ptx(
  ld.param.u64 %rd0, [x]; cvta.to.global.u64 %rd0, %rd0;
  ld.param.u64 %rd1, [y]; cvta.to.global.u64 %rd1, %rd1;
  ld.param.u32 %r0, [n];  ld.param.f32 %f0, [s];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  setp.ge.s32 %p0, %r1, %r0;
  @%p0 bra done;
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd3, %rd0, %rd2;
  ld.global.f32 %f1, [%rd3];
  add.f32 %f1, %f1, %f0;
  add.s64 %rd4, %rd1, %rd2;
  st.global.f32 [%rd4], %f1;
done:
  ret;
)ptx";

std::string With(std::string body, const std::string& from, const std::string& to);

TEST(Infer, Elementwise) {
  TestKernel kernel = Parse(kElementParameters, kElementBody);
  Inference inference = Infer(kernel, kernel);
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(ToToml(*inference.contract),
            "id = \"inferred.k\"\n"
            "version = 1\n"
            "\n"
            "[dims]\n"
            "n = { min = 1, max = 1048576 }\n"
            "\n"
            "[tensors]\n"
            "x = { dtype = \"f32\", shape = [\"n\"], role = \"in\" }\n"
            "y = { dtype = \"f32\", shape = [\"n\"], role = \"out\" }\n"
            "\n"
            "[scalars]\n"
            "s = { dtype = \"f32\" }\n"
            "\n"
            "[candidate]\n"
            "args = [\"x\", \"y\", \"n\", \"s\"]\n"
            "grid = [\"ceildiv(n, 256)\"]\n"
            "block = [256]\n"
            "\n"
            "[reference]\n"
            "args = [\"x\", \"y\", \"n\", \"s\"]\n"
            "grid = [\"ceildiv(n, 256)\"]\n"
            "block = [256]\n");
  EXPECT_TRUE(InferAlone(kernel).contract.has_value());
}

// The same of integers, as nvcc 13 writes them, and of elements that are only copied.
TEST(Infer, IntegerElements) {
  std::string body =
      With(With(kElementBody, "ld.global.f32 %f1", "ld.global.b32 %r4"), "st.global.f32 [%rd4], %f1", "st.global.b32 [%rd4], %r4");
  body = With(body, "ld.param.f32 %f0, [s];", "");
  const std::string parameters = ".param .u64 x, .param .u64 y, .param .u32 n";
  const auto dtypes = [&](const std::string& instruction) {
    Inference inference = InferAlone(Parse(parameters, With(body, "add.f32 %f1, %f1, %f0;", instruction)));
    EXPECT_TRUE(inference.contract.has_value()) << inference.reason;
    std::vector<ScalarType> types;
    if (inference.contract.has_value()) types = {inference.contract->tensors[0].dtype, inference.contract->tensors[1].dtype};
    return types;
  };
  EXPECT_EQ(dtypes("add.s32 %r4, %r4, 3;"), (std::vector{ScalarType::kS32, ScalarType::kS32}));
  EXPECT_EQ(dtypes(""), (std::vector{ScalarType::kB32, ScalarType::kB32}));
}

TEST(Infer, RequiredBlockIsUsed) {
  Inference inference = InferAlone(Parse(kElementParameters, kElementBody, ".reqntid 64, 1, 1\n"));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->block[0].AsLiteral(), 64);
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(n, 64)");
}

// The output is read before it is written.
TEST(Infer, AccumulatingOutputIsInout) {
  std::string body = kElementBody;
  body.replace(body.find("st.global"), 0, "ld.global.f32 %f2, [%rd4]; add.f32 %f1, %f1, %f2; ");
  Inference inference = InferAlone(Parse(kElementParameters, body));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->tensors[0].role, Role::kIn);
  EXPECT_EQ(inference.contract->tensors[1].role, Role::kInout);
}

// y[row, col] = x[row, col] * w[col], a CTA a row: the element stride is the CTA's size.
const char* const kRowParameters = ".param .u64 x, .param .u64 w, .param .u64 y, .param .u32 N, .param .u32 H";
std::string RowBody(const std::string& row, const std::string& guard, const std::string& extra = "") {
  return R"ptx(
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [w]; ld.param.u64 %rd2, [y];
  cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
  ld.param.u32 %r0, [N]; ld.param.u32 %r1, [H];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %ntid.x;
)ptx" + row +
         guard + R"ptx(
loop:
  setp.ge.u32 %p0, %r3, %r1;
  @%p0 bra done;
  mad.lo.u32 %r5, %r2, %r1, %r3;
  mul.wide.u32 %rd3, %r5, 4; mul.wide.u32 %rd4, %r3, 4;
  add.s64 %rd5, %rd0, %rd3; add.s64 %rd6, %rd1, %rd4; add.s64 %rd7, %rd2, %rd3;
  ld.global.f32 %f0, [%rd5]; ld.global.f32 %f1, [%rd6];
  mul.f32 %f0, %f0, %f1;
)ptx" + extra +
         R"ptx(
  st.global.f32 [%rd7], %f0;
  add.u32 %r3, %r3, %r4;
  bra loop;
done:
  ret;
)ptx";
}

TEST(Infer, RowACta) {
  Inference inference = InferAlone(Parse(kRowParameters, RowBody("", "")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  const Contract& contract = *inference.contract;
  EXPECT_EQ(contract.candidate->grid[0].text(), "N");
  EXPECT_EQ(contract.candidate->block[0].AsLiteral(), 256);
  ASSERT_EQ(contract.tensors.size(), 3u);
  EXPECT_EQ(contract.tensors[0].shape.size(), 2u);
  EXPECT_EQ(contract.tensors[0].shape[0].text(), "N");
  EXPECT_EQ(contract.tensors[1].shape.size(), 1u);
  EXPECT_EQ(contract.tensors[1].shape[0].text(), "H");
  EXPECT_EQ(contract.tensors[2].role, Role::kOut);
}

// Four warps, a row each: only 128 threads fit, more would repeat rows and fewer leave some out.
TEST(Infer, RowAWarp) {
  Inference inference = InferAlone(Parse(
      kRowParameters, RowBody("shl.b32 %r2, %r2, 2; shr.u32 %r6, %r3, 5; add.u32 %r2, %r2, %r6; and.b32 %r3, %r3, 31; mov.u32 %r4, 32;\n",
                              "setp.ge.u32 %p1, %r2, %r0; @%p1 bra done;\n")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(N, 4)");
  EXPECT_EQ(inference.contract->candidate->block[0].AsLiteral(), 128);
}

// The last row is never written under any launch.
TEST(Infer, NothingFits) {
  Inference inference = InferAlone(Parse(kRowParameters, RowBody("", "add.u32 %r7, %r2, 1; setp.ge.u32 %p1, %r7, %r0; @%p1 bra done;\n")));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_EQ(inference.reason,
            "no launch was found under which the candidate writes every output exactly once and stays inside its tensors at all sizes");
}

// A plain fault is what every launch runs into: it is named with its lines. Broken once, with no fault noted: the reason ends at "sizes".
TEST(Infer, NothingFitsSinceABarrierDiverges) {
  Inference inference = InferAlone(Parse(kElementParameters, With(kElementBody, "setp.ge.s32 %p0, %r1, %r0;",
                                                                  "setp.ge.s32 %p0, %r1, %r0;\nand.b32 %r4, %r3, 1;\n"
                                                                  "setp.eq.s32 %p1, %r4, 0;\n@%p1 bra even;\nbar.sync 0;\nbra on;\n"
                                                                  "even: bar.sync 1;\non:\n")));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_NE(inference.reason.find("inside its tensors at all sizes; of "), std::string::npos) << inference.reason;
  EXPECT_NE(inference.reason.find(" ran into sync at k.ptx:"), std::string::npos) << inference.reason;
  EXPECT_NE(inference.reason.find("`bar.sync 0;`"), std::string::npos) << inference.reason;
}

// Every CTA but one looks like work done twice. What the output holds beforehand is for a contract to say.
TEST(Infer, SumByAtomics) {
  Inference inference = InferAlone(Parse(kElementParameters, With(kElementBody, "add.s64 %rd4, %rd1, %rd2;\n  st.global.f32 [%rd4], %f1;",
                                                                  "red.global.add.f32 [%rd1], %f1;")));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_NE(inference.reason.find("it updates y by atomics"), std::string::npos) << inference.reason;
  EXPECT_NE(inference.reason.find("init = 0"), std::string::npos) << inference.reason;
}

// One kernel reads a longer w than the other: which one is right cannot be told.
TEST(Infer, DifferentExtents) {
  TestKernel good = Parse(kRowParameters, RowBody("", ""));
  TestKernel other = Parse(kRowParameters, RowBody("", "", "add.s64 %rd8, %rd1, %rd3; ld.global.f32 %f1, [%rd8]; mul.f32 %f0, %f0, %f1;"));
  Inference inference = Infer(other, good);
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_EQ(inference.reason, "the kernels, whose parameters are matched by their order, read or write different parts of their tensors");
  EXPECT_EQ(inference.candidates.size(), 2u);
}

// A loop over CTAs that reuses shared memory without a barrier works where no CTA has two rows. It must not be inferred away.
const char* const kLoopBody = R"ptx(
  .shared .align 4 .f32 total;
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd2, [y];
  cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd2, %rd2;
  ld.param.u32 %r0, [N]; ld.param.u32 %r1, [H];
  mov.u32 %r2, %ctaid.x; mov.u32 %r9, %nctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r10, %tid.x;
rows:
  setp.ge.u32 %p1, %r2, %r0;
  @%p1 bra done;
  mul.lo.u32 %r5, %r2, %r1;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd5, %rd0, %rd3;
  setp.ne.u32 %p2, %r10, 0;
  @%p2 bra meet;
  ld.global.f32 %f0, [%rd5];
  st.shared.f32 [total], %f0;
meet:
  bar.sync 0;
  ld.shared.f32 %f1, [total];
  mov.u32 %r3, %r10;
  add.s64 %rd7, %rd2, %rd3;
loop:
  setp.ge.u32 %p0, %r3, %r1;
  @%p0 bra next;
  mul.wide.u32 %rd4, %r3, 4;
  add.s64 %rd8, %rd7, %rd4; add.s64 %rd6, %rd5, %rd4;
  ld.global.f32 %f2, [%rd6];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%rd8], %f2;
  add.u32 %r3, %r3, %r4;
  bra loop;
next:
  BARRIER
  add.u32 %r2, %r2, %r9;
  bra rows;
done:
  ret;
)ptx";
std::string LoopBody(const std::string& barrier) {
  std::string body = kLoopBody;
  return body.replace(body.find("BARRIER"), 7, barrier);
}
const char* const kLoopParameters = ".param .u64 x, .param .u64 y, .param .u32 N, .param .u32 H";

TEST(Infer, LoopOverCtas) {
  Inference inference = InferAlone(Parse(kLoopParameters, LoopBody("bar.sync 0;")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "min(N, 2)");
}

TEST(Infer, RaceBetweenRowsIsNotInferredAway) {
  Inference inference = InferAlone(Parse(kLoopParameters, LoopBody("")));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_EQ(inference.reason, "the candidate may be meant for a launch under which it is wrong");
  ASSERT_FALSE(inference.candidates.empty());
  EXPECT_NE(inference.candidates[0].find("grid = min(N, 2), block = [256]"), std::string::npos) << inference.candidates[0];
}

// No launch avoids the race: the contract shows it. If only odd rows have it, a kernel for even ones may be meant.
// Broken once: without the look at even sizes the second kernel gets a contract.
TEST(Infer, RaceUnderEveryLaunch) {
  std::string body = With(LoopBody("bar.sync 0;"), "meet:\n  bar.sync 0;", "meet:\n  GUARD");
  Inference inference = InferAlone(Parse(kLoopParameters, With(body, "GUARD", "")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "min(N, 2)");
  Inference odd =
      InferAlone(Parse(kLoopParameters, With(body, "GUARD", "and.b32 %r11, %r1, 1; setp.eq.u32 %p3, %r11, 0; @%p3 bar.sync 0;")));
  EXPECT_FALSE(odd.contract.has_value());
  ASSERT_FALSE(odd.candidates.empty());
  EXPECT_NE(odd.candidates[0].find(", which has a data race at k.ptx:25 `ld.shared.f32 %f1, [total];` against k.ptx:"), std::string::npos)
      << odd.candidates[0];
}

std::string With(std::string body, const std::string& from, const std::string& to) {
  size_t at = body.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return body.replace(at, from.size(), to);
}

// i < N * H. Rows that a grid of N CTAs would waste do not end the search for a larger product.
// Broken once: with the search ended by idle CTAs at one shape, nothing is found.
TEST(Infer, FlattenedOverTwoSizes) {
  Inference inference = InferAlone(
      Parse(".param .u64 x, .param .u64 y, .param .u32 N, .param .u32 H, .param .f32 s",
            With(kElementBody, "ld.param.u32 %r0, [n];", "ld.param.u32 %r0, [N]; ld.param.u32 %r4, [H]; mul.lo.u32 %r0, %r0, %r4;")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(N * H, 256)");
  EXPECT_EQ(inference.contract->tensors[0].shape.size(), 2u);
}

// y[row, col] = x[row, col] * w[col] with an element a thread.
std::string PlaneBody(const std::string& row, const std::string& guard) {
  return R"ptx(
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [w]; ld.param.u64 %rd2, [y];
  cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
  ld.param.u32 %r0, [N]; ld.param.u32 %r1, [H];
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r3, %r4, %r5, %r3;
)ptx" + row +
         "setp.ge.u32 %p0, %r3, %r1; @%p0 bra done;\n" + guard + R"ptx(
  mad.lo.u32 %r6, %r2, %r1, %r3;
  mul.wide.u32 %rd3, %r6, 4; mul.wide.u32 %rd4, %r3, 4;
  add.s64 %rd5, %rd0, %rd3; add.s64 %rd6, %rd1, %rd4; add.s64 %rd7, %rd2, %rd3;
  ld.global.f32 %f0, [%rd5]; ld.global.f32 %f1, [%rd6];
  mul.f32 %f0, %f0, %f1;
  st.global.f32 [%rd7], %f0;
done:
  ret;
)ptx";
}

TEST(Infer, GridOfTwoDimensions) {
  Inference inference = InferAlone(Parse(kRowParameters, PlaneBody("mov.u32 %r2, %ctaid.y;\n", "")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  ASSERT_EQ(inference.contract->candidate->grid.size(), 2u);
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(H, 256)");
  EXPECT_EQ(inference.contract->candidate->grid[1].text(), "N");
  EXPECT_EQ(inference.contract->dims[0].max, 65535);  // what the grid allows in y
  EXPECT_FALSE(CheckDomain(*inference.contract, {0, 0}).has_value());
}

TEST(Infer, BlockOfTwoDimensions) {
  Inference inference = InferAlone(Parse(kRowParameters, PlaneBody("mov.u32 %r2, %ctaid.y; mov.u32 %r7, %ntid.y; mov.u32 %r8, %tid.y;\n"
                                                                   "mad.lo.u32 %r2, %r2, %r7, %r8;\n",
                                                                   "setp.ge.u32 %p1, %r2, %r0; @%p1 bra done;\n")));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(H, 32)");
  EXPECT_EQ(inference.contract->candidate->grid[1].text(), "ceildiv(N, 4)");
  EXPECT_EQ(inference.contract->candidate->block.size(), 2u);
}

// Four elements a thread and no tail. Broken once: with sizes up to two elements a thread, a single CTA seems to be enough.
std::string VectorBody() {
  std::string body = With(kElementBody, "setp.ge.s32 %p0, %r1, %r0;", "shr.u32 %r0, %r0, 2; setp.ge.s32 %p0, %r1, %r0;");
  body = With(body, "mul.wide.s32 %rd2, %r1, 4;", "mul.wide.s32 %rd2, %r1, 16;");
  body = With(body, "ld.global.f32 %f1, [%rd3];", "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];");
  body =
      With(body, "add.f32 %f1, %f1, %f0;", "add.f32 %f1, %f1, %f0; add.f32 %f2, %f2, %f0; add.f32 %f3, %f3, %f0; add.f32 %f4, %f4, %f0;");
  return With(body, "st.global.f32 [%rd4], %f1;", "st.global.v4.f32 [%rd4], {%f1, %f2, %f3, %f4};");
}

TEST(Infer, VectorsWithoutTail) {
  TestKernel vectors = Parse(kElementParameters, VectorBody());
  Inference inference = Infer(vectors, vectors);
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->dims[0].multiple_of, 4);
  EXPECT_EQ(inference.contract->tensors[0].align, 16u);
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(n, 1024)");
  // Against a kernel for every size it may as well have lost its tail: the verdict depends on which is meant.
  TestKernel scalar = Parse(kElementParameters, kElementBody);
  Inference unclear = Infer(vectors, scalar);
  EXPECT_FALSE(unclear.contract.has_value());
  EXPECT_EQ(unclear.reason, "the candidate works only where N is a multiple of 4 and the reference at every size");
  EXPECT_EQ(unclear.candidates.size(), 2u);
  // What was found is where the contract starts. Broken once without it, and with the candidate's multiples alone.
  for (const auto& [candidate, reference] : {std::pair{&vectors, &scalar}, std::pair{&scalar, &vectors}}) {
    const Inference draft = Infer(*candidate, *reference);
    Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("draft", draft.draft));
    ASSERT_TRUE(contract.ok()) << draft.draft;
    EXPECT_EQ(contract->dims[0].multiple_of, 4);
    EXPECT_EQ(contract->dims[0].min, 4);
    EXPECT_EQ(contract->tensors[1].role, Role::kOut);
    EXPECT_EQ((candidate == &vectors ? contract->candidate : contract->reference)->grid[0].text(), "ceildiv(n, 1024)");
    EXPECT_EQ((candidate == &vectors ? contract->reference : contract->candidate)->grid[0].text(), "ceildiv(n, 256)");
    EXPECT_NE(draft.draft.find("[dims]  # the candidate works "), std::string::npos) << draft.draft;
  }
}

// The launch of one side is no guess even where the other's is.
TEST(Infer, DraftOfOneSide) {
  TestKernel works = Parse(kElementParameters, kElementBody);
  TestKernel broken =
      Parse(kElementParameters, With(kElementBody, "add.s64 %rd4, %rd1, %rd2;", "add.s64 %rd4, %rd1, %rd2; add.s64 %rd4, %rd4, 4;"));
  Inference inference = Infer(works, broken);
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_NE(inference.draft.find("[reference]\nargs = [\"x\", \"y\", \"n\", \"s\"]  # grid and block are guesses\n"), std::string::npos)
      << inference.draft;
  EXPECT_NE(inference.draft.find("[candidate]\nargs = [\"x\", \"y\", \"n\", \"s\"]\ngrid = [\"ceildiv(n, 256)\"]"), std::string::npos)
      << inference.draft;
}

// A pointer that one kernel forgets is still one. Broken once with unread parameters as sizes: one pointer against two.
TEST(Infer, UnreadPointer) {
  const std::string parameters = ".param .u64 z, .param .u64 x, .param .u64 y, .param .u32 n, .param .f32 s";
  TestKernel forgets = Parse(parameters, kElementBody);
  TestKernel reads =
      Parse(parameters, With(kElementBody, "add.f32 %f1, %f1, %f0;",
                             "add.f32 %f1, %f1, %f0; ld.param.u64 %rd5, [z]; add.s64 %rd5, %rd5, %rd2; ld.global.f32 %f2, [%rd5]; "
                             "add.f32 %f1, %f1, %f2;"));
  EXPECT_EQ(Infer(forgets, reads).reason,
            "the kernels, whose parameters are matched by their order, read or write different parts of their tensors");
  Inference neither = Infer(forgets, forgets);
  ASSERT_TRUE(neither.contract.has_value()) << neither.reason;
  EXPECT_EQ(neither.contract->tensors.size(), 2u);
  EXPECT_EQ(neither.contract->candidate->args[0].integer.AsLiteral(), 0);
}

// A sum of tenths by atomics is rounded in some order: what ends the search is of the trial, not of the kernel. Broken once as unmodelled.
TEST(Infer, SumsOfConstantsNeedAContract) {
  // A CTA walks over x.
  std::string body = With(kElementBody, "mad.lo.s32 %r1, %r1, %r2, %r3;", "mov.u32 %r1, %r3;\nagain:");
  body = With(body, "mov.u32 %r1, %ctaid.x;", "");
  body = With(body, "st.global.f32 [%rd4], %f1;",
              "mul.f32 %f1, %f1, 0f3DCCCCCD; red.global.add.f32 [%rd1], %f1; add.u32 %r1, %r1, %r2; bra again;");
  Inference inference = InferAlone(Parse(kElementParameters, body));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_FALSE(inference.unmodelled) << inference.reason;
  EXPECT_NE(inference.reason.find("a sum of constants that depends on the order of atomics at k.ptx:"), std::string::npos)
      << inference.reason;
  EXPECT_NE(inference.reason.find("under a contract"), std::string::npos) << inference.reason;
}

const char* const kDynamic = ".extern .shared .align 4 .b8 buffer[];\n";

// Every thread puts a value into dynamic shared memory: as much as the CTA has threads.
TEST(Infer, SharedMemoryByBlock) {
  std::string body =
      With(kElementBody, "setp.ge.s32 %p0, %r1, %r0;",
           "mov.u32 %r5, buffer; shl.b32 %r6, %r3, 2; add.u32 %r5, %r5, %r6; st.shared.f32 [%r5], %f0; ld.shared.f32 %f0, [%r5];\n"
           "setp.ge.s32 %p0, %r1, %r0;");
  Inference inference = InferAlone(Parse(kElementParameters, body, "", kDynamic));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->dynamic_shared->text(), "1024");
  EXPECT_EQ(inference.contract->candidate->block[0].AsLiteral(), 256);
}

// A row at a time passes through it.
TEST(Infer, SharedMemoryBySize) {
  std::string extra =
      "mov.u32 %r8, buffer; shl.b32 %r9, %r3, 2; add.u32 %r8, %r8, %r9; st.shared.f32 [%r8], %f0; ld.shared.f32 %f0, [%r8];\n";
  Inference inference = InferAlone(Parse(kRowParameters, RowBody("", "", extra), "", kDynamic));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->dynamic_shared->text(), "4 * H");
  EXPECT_EQ(inference.contract->dims[1].max, 12288);
  EXPECT_FALSE(CheckDomain(*inference.contract, {0, 0}).has_value());
}

TEST(Infer, HalfByValueAndUnusedPointer) {
  std::string body = With(kElementBody, "ld.param.f32 %f0, [s];", "ld.param.b16 %h0, [s]; cvt.f32.f16 %f0, %h0;");
  Inference inference = InferAlone(
      Parse(".param .u64 x, .param .u64 y, .param .u32 n, .param .align 2 .b8 s[2], .param .u64 .ptr .global .align 1 scratch", body));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->scalars[0].dtype, ScalarType::kF16);
  EXPECT_EQ(inference.contract->tensors.size(), 2u);
  EXPECT_EQ(inference.contract->candidate->args[4].integer.AsLiteral(), 0);
}

// y[row, col] = x[row, col] for a thread a row. Broken once: with few rows at every size, a single CTA seems to be enough.
TEST(Infer, RowAThread) {
  std::string body =
      RowBody("mad.lo.u32 %r2, %r2, %r4, %r3; mov.u32 %r3, 0; mov.u32 %r4, 1;\n", "setp.ge.u32 %p1, %r2, %r0; @%p1 bra done;\n");
  Inference inference = InferAlone(Parse(kRowParameters, body));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(N, 256)");
  EXPECT_EQ(inference.contract->candidate->block[0].AsLiteral(), 256);
}

// A thread a column: the other size.
TEST(Infer, ColumnAThread) {
  std::string body = With(RowBody("mad.lo.u32 %r3, %r2, %r4, %r3; mov.u32 %r2, 0; setp.ge.u32 %p1, %r3, %r1; @%p1 bra done;\n", ""),
                          "setp.ge.u32 %p0, %r3, %r1;", "setp.ge.u32 %p0, %r2, %r0;");
  body = With(body, "add.u32 %r3, %r3, %r4;", "add.u32 %r2, %r2, 1;");
  Inference inference = InferAlone(Parse(kRowParameters, body));
  ASSERT_TRUE(inference.contract.has_value()) << inference.reason;
  EXPECT_EQ(inference.contract->candidate->grid[0].text(), "ceildiv(H, 256)");
}

// y[col, row] = x[row, col] by tiles of `side`; the tile is built in.
std::string TransposeBody(const std::string& side, const std::string& down, const std::string& rows) {
  return R"ptx(
  ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y];
  cvta.to.global.u64 %rd0, %rd0; cvta.to.global.u64 %rd1, %rd1;
  ld.param.u32 %r0, [N]; ld.param.u32 %r1, [H];
  mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %tid.y; mov.u32 %r5, %tid.x;
  mad.lo.u32 %r2, %r2, )ptx" +
         side + ", %r4; mad.lo.u32 %r3, %r3, " + side + ", %r5; mov.u32 %r9, 0;\n" + R"ptx(
loop:
  setp.ge.u32 %p0, %r2, %r0; setp.ge.u32 %p1, %r3, %r1; or.pred %p0, %p0, %p1;
  @%p0 bra done;
  mad.lo.u32 %r6, %r2, %r1, %r3; mad.lo.u32 %r7, %r3, %r0, %r2;
  mul.wide.u32 %rd3, %r6, 4; mul.wide.u32 %rd4, %r7, 4;
  add.s64 %rd3, %rd0, %rd3; add.s64 %rd4, %rd1, %rd4;
  ld.global.f32 %f0, [%rd3];
  st.global.f32 [%rd4], %f0;
)ptx" + "add.u32 %r2, %r2, " +
         down + "; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, " + rows + "; @%p2 bra loop;\n" + R"ptx(
done:
  ret;
)ptx";
}

// Broken once: with the sizes that the grid drops swapped, y is [N, H]; without square tiles no launch fits.
TEST(Infer, Transposed) {
  const std::string parameters = ".param .u64 x, .param .u64 y, .param .u32 N, .param .u32 H";
  Inference square = InferAlone(Parse(parameters, TransposeBody("16", "16", "1")));
  ASSERT_TRUE(square.contract.has_value()) << square.reason;
  EXPECT_EQ(square.contract->candidate->grid[0].text(), "ceildiv(H, 16)");
  EXPECT_EQ(square.contract->candidate->grid[1].text(), "ceildiv(N, 16)");
  EXPECT_EQ(square.contract->candidate->block[1].AsLiteral(), 16);
  EXPECT_EQ(square.contract->tensors[0].shape[0].text(), "N");
  EXPECT_EQ(square.contract->tensors[1].shape[0].text(), "H");
  EXPECT_EQ(square.contract->tensors[1].shape[1].text(), "N");
  // Few threads walk down a tile.
  Inference walked = InferAlone(Parse(parameters, TransposeBody("32", "8", "4")));
  ASSERT_TRUE(walked.contract.has_value()) << walked.reason;
  EXPECT_EQ(walked.contract->candidate->grid[0].text(), "ceildiv(H, 32)");
  EXPECT_EQ(walked.contract->candidate->grid[1].text(), "ceildiv(N, 32)");
  EXPECT_EQ(walked.contract->candidate->block[1].AsLiteral(), 8);
}

// The launch that comes closest is named, with what is wrong under it.
TEST(Infer, OffByOne) {
  Inference beyond = InferAlone(Parse(kElementParameters, With(kElementBody, "setp.ge.s32", "setp.gt.s32")));
  EXPECT_FALSE(beyond.contract.has_value());
  ASSERT_EQ(beyond.candidates.size(), 1u);
  EXPECT_EQ(beyond.candidates[0],
            "candidate: grid = ceildiv(N, 256), block = [256], which leaves a tensor at k.ptx:20 `st.global.f32 [%rd4], %f1;`");
  Inference short_of = InferAlone(Parse(kElementParameters, With(kElementBody, "setp.ge.s32", "sub.u32 %r0, %r0, 1; setp.ge.s32")));
  EXPECT_FALSE(short_of.contract.has_value());
  ASSERT_EQ(short_of.candidates.size(), 1u);
  EXPECT_EQ(short_of.candidates[0], "candidate: grid = ceildiv(N, 256), block = [256], which leaves 1 cell of an output unwritten");
}

// Nor may a column too many or an output of another size leave nothing but "no launch was found". Broken once: without rows in Nearest the
// first is named with what it writes, with no Furthest neither of the others is.
TEST(Infer, TheLaunchThatComesClosest) {
  const std::string parameters = ".param .u64 x, .param .u64 y, .param .u32 N, .param .u32 H";
  Inference column =
      InferAlone(Parse(parameters, With(TransposeBody("16", "16", "1"), "setp.ge.u32 %p1, %r3, %r1", "setp.gt.u32 %p1, %r3, %r1")));
  EXPECT_FALSE(column.contract.has_value());
  ASSERT_EQ(column.candidates.size(), 1u);
  EXPECT_EQ(column.candidates[0].substr(0, column.candidates[0].find('`')),
            "candidate: grid = ceildiv(H, 16), ceildiv(N, 16), block = [16, 16], which leaves a tensor at k.ptx:21 ")
      << column.candidates[0];
  // Twice as many elements as there are threads.
  const std::string twice = With(With(kElementBody, "st.global.f32 [%rd4], %f1;", "st.global.v2.f32 [%rd4], {%f1, %f1};"),
                                 "add.s64 %rd4, %rd1, %rd2;", "shl.b64 %rd2, %rd2, 1; add.s64 %rd4, %rd1, %rd2;");
  Inference pairs = InferAlone(Parse(kElementParameters, twice));
  EXPECT_FALSE(pairs.contract.has_value());
  ASSERT_EQ(pairs.candidates.size(), 1u);
  EXPECT_EQ(pairs.candidates[0].substr(pairs.candidates[0].find("], which")),
            "], which writes 10 elements of y at N=5, which is no product of the sizes");
  // Half of the elements.
  const std::string every_other =
      With(kElementBody, "@%p0 bra done;", "@%p0 bra done; and.b32 %r5, %r1, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra done;");
  Inference gaps = InferAlone(Parse(kElementParameters, every_other));
  EXPECT_FALSE(gaps.contract.has_value());
  ASSERT_EQ(gaps.candidates.size(), 1u);
  EXPECT_EQ(gaps.candidates[0].substr(gaps.candidates[0].find("], which")), "], which writes 3 elements of y, with gaps, at N=5");
}

// What is not modelled is not a matter of launches.
TEST(Infer, Unmodelled) {
  std::string body = With(kElementBody, "add.f32 %f1, %f1, %f0;", "UNMODELLED");
  EXPECT_FALSE(InferAlone(Parse(kElementParameters, kElementBody)).unmodelled);
  Inference inference = InferAlone(Parse(kElementParameters, With(body, "UNMODELLED", "mov.u32 %r9, %smid; add.f32 %f1, %f1, %f0;")));
  EXPECT_FALSE(inference.contract.has_value());
  EXPECT_TRUE(inference.unmodelled) << inference.reason;
}

TEST(Infer, RefusalsByName) {
  auto reason = [](const std::string& parameters, const std::string& body) {
    Inference inference = InferAlone(Parse(parameters, body));
    EXPECT_FALSE(inference.contract.has_value());
    return inference.reason;
  };
  const std::string use = "ld.param.u64 %rd0, [x]; cvta.to.global.u64 %rd0, %rd0; ld.global.f32 %f0, [%rd0]; st.global.f32 [%rd0], %f0;\n";
  EXPECT_EQ(reason(".param .u64 x", use + "ret;\n"), "no integer parameter says how large the tensors are");
  EXPECT_EQ(reason(".param .u64 x, .param .u32 a, .param .u32 b, .param .u32 c", use + "ret;\n"),
            "3 integer parameters; at most two sizes are inferred");
  EXPECT_EQ(reason(".param .u64 x, .param .u32 a, .param .align 4 .b8 b[8]", use + "ret;\n"),
            "candidate: parameter b is a structure or a vector");
  EXPECT_EQ(reason(".param .u64 x, .param .b32 a", use + "ret;\n"), "candidate: parameter a of type .b32 may be an integer or a float");
  EXPECT_EQ(reason(".param .u32 a", "ret;\n"), "no parameter is used as a pointer");
  EXPECT_EQ(reason(".param .u64 x, .param .u32 n", use + "mov.u32 %r1, %ctaid.z; ret;\n"),
            "candidate: launches in three dimensions are not inferred");
  EXPECT_EQ(reason(".param .u64 x, .param .u32 n, .param .align 2 .b8 s[2]", use + "ret;\n"),
            "candidate: parameter s of 2 bytes may be an f16 or a bf16");
  // Bits that are only moved beside arithmetic on floating-point values may be such values. Broken once by taking them for integers.
  EXPECT_EQ(reason(".param .u64 x, .param .u32 n",
                   "ld.param.u64 %rd0, [x]; cvta.to.global.u64 %rd0, %rd0; ld.global.u32 %r0, [%rd0]; xor.b32 %r0, %r0, 1; "
                   "st.global.u32 [%rd0], %r0; add.f32 %f0, %f0, %f0; ret;\n"),
            "the element type of pointer parameter 1 does not show in the instructions");
  TestKernel one = Parse(kElementParameters, kElementBody);
  TestKernel two = Parse(kRowParameters, RowBody("", ""));
  EXPECT_EQ(Infer(one, two).reason, "the candidate has 2 pointer parameters and the reference 3");
}

TEST(InferTrial, Floats) {
  EXPECT_EQ(EncodeFloat(ScalarType::kF16, -1.5), 0xbe00u);
  EXPECT_EQ(EncodeFloat(ScalarType::kBF16, 1.0), 0x3f80u);
  EXPECT_EQ(EncodeFloat(ScalarType::kF32, 0.25), 0x3e800000u);
  EXPECT_EQ(EncodeFloat(ScalarType::kF64, 2.0), 0x4000000000000000u);
  EXPECT_EQ(DecodeFloat(ScalarType::kF16, 0x3555), 1365.0 / 4096);  // the f16 nearest to 1/3
  EXPECT_EQ(DecodeFloat(ScalarType::kF16, 0x0001), 1.0 / (1 << 24));
  EXPECT_EQ(DecodeFloat(ScalarType::kBF16, 0xc040), -3.0);
  EXPECT_EQ(DecodeFloat(ScalarType::kF32, 0xff800000), -HUGE_VAL);
}

TEST(InferTrial, Grids) {
  GridForm grid{3, 128, 0};
  EXPECT_EQ(grid.Evaluate({5, 60}), 3);
  EXPECT_EQ(grid.ToText({"N", "H"}), "ceildiv(N * H, 128)");
  EXPECT_EQ((GridForm{1, 1, 2}).ToText({"N", "H"}), "min(N, 2)");
  EXPECT_EQ((GridForm{1, 1, 2}).Evaluate({1, 9}), 1);
  EXPECT_EQ((GridForm{0, 1, 0}).ToText({"N", "H"}), "1");
}

}  // namespace
}  // namespace racer
