// Symbolic data: what becomes a term, what is refused, and what is undefined.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

class Symbolic {
 public:
  explicit Symbolic(const std::string& ptx, ScalarType dtype = ScalarType::kF32, uint64_t elements = 32) : launch(ptx) {
    x = launch.store().AddSymbol({.name = "x", .dtype = dtype, .shape = {elements}});
    launch.AddBuffer({.name = "out", .size = 1024, .align = 256, .initialised = false}, {});
    launch.AddBuffer({.name = "in", .size = elements * BitWidth(dtype) / 8, .align = 256, .writable = false}, {});
    launch.config().contents[1] = {.bytes = {}, .symbol = x, .dtype = dtype, .cells = {}};
    launch.config().arguments.push_back({.kind = Argument::Kind::kBits, .bits = 0});
  }
  TermStore& store() { return launch.store(); }
  TermId Input(uint32_t i) { return store().FpToBits(store().FpInput(x, i)); }
  TermId Cell(uint64_t offset, unsigned width = 32) {
    const CellValue cell = launch.term().ReadCell(0, offset, width);
    EXPECT_EQ(cell.state, CellValue::State::kSymbolic);
    return cell.term;
  }
  void Run() {
    const RunResult result = launch.Term();
    ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  }
  Launch launch;
  SymbolId x;
};

TEST(MachineTerm, ArithmeticOnInputs) {
  Symbolic s(Kernel("ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd0], %f3;"));
  s.Run();
  const FpAttr attr;
  const TermId sum = s.store().FpToBits(s.store().Fp(FpKind::kAdd, attr, s.store().FpInput(s.x, 0), s.store().FpInput(s.x, 1)));
  EXPECT_EQ(s.Cell(0), sum);
  EXPECT_EQ(s.launch.term().DescribeOrigin(s.store().origin(sum)).line, kBodyLine + 2);
  EXPECT_EQ(s.launch.term().DescribeOrigin(s.launch.term().ReadCell(0, 0, 32).writer).line, kBodyLine + 3);
}

TEST(MachineTerm, MixedLanesOfOneRegister) {
  // Lane 0 holds a constant, the others inputs.
  Symbolic s(Kernel(R"(
    add.s64 %rd4, %rd1, %rd2;
    ld.global.f32 %f1, [%rd4];
    setp.eq.u32 %p1, %r0, 0;
    @%p1 mov.f32 %f1, 0f40000000;
    mul.f32 %f2, %f1, 0f40400000;
    st.global.f32 [%rd3], %f2;)"));
  s.launch.Block(4);
  s.Run();
  EXPECT_EQ(s.launch.term().ReadCell(0, 0, 32).bits, 0x40c00000u);
  const FpAttr attr;
  for (uint32_t i = 1; i < 4; ++i) {
    const TermId three = s.store().FpConst(FpFormat::kF32, 0x40400000);
    EXPECT_EQ(s.Cell(4 * i), s.store().FpToBits(s.store().Fp(FpKind::kMul, attr, s.store().FpInput(s.x, i), three)));
  }
}

TEST(MachineTerm, PackedHalvesMoveAsSlices) {
  Symbolic s(Kernel(R"(
    ld.global.b32 %r1, [%rd1];
    mov.b32 {%h1, %h2}, %r1;
    st.global.b16 [%rd0], %h2;
    mov.b32 %r2, {%h2, %h1};
    st.global.b32 [%rd0+4], %r2;
    ld.global.b16 %h3, [%rd0+6];
    st.global.b16 [%rd0+2], %h3;
    ld.global.v2.b16 {%h4, %h5}, [%rd1+4];
    st.global.v2.b16 [%rd0+8], {%h5, %h4};)"),
             ScalarType::kF16);
  s.Run();
  EXPECT_EQ(s.Cell(0, 16), s.Input(1));
  EXPECT_EQ(s.Cell(2, 16), s.Input(0));
  EXPECT_EQ(s.Cell(4, 16), s.Input(1));
  EXPECT_EQ(s.Cell(6, 16), s.Input(0));
  EXPECT_EQ(s.Cell(8, 16), s.Input(3));
  EXPECT_EQ(s.Cell(0, 32), s.store().Concat(s.Input(0), s.Input(1)));
}

TEST(MachineTerm, GuardedMoveOnDataBecomesASelection) {
  Symbolic s(Kernel(R"(
    ld.global.f32 %f1, [%rd1];
    mov.f32 %f2, 0f00000000;
    setp.gt.f32 %p1, %f1, %f2;
    mov.f32 %f3, %f2;
    @%p1 mov.f32 %f3, %f1;
    st.global.f32 [%rd0], %f3;)"));
  s.Run();
  const TermId zero = s.store().FpConst(FpFormat::kF32, 0), x0 = s.store().FpInput(s.x, 0);
  const TermId condition = s.store().FpCompare(CompareOp::kGt, false, x0, zero);
  EXPECT_EQ(s.Cell(0), s.store().BvIte(32, condition, s.Input(0), s.store().BvConst(32, 0)));
}

TEST(MachineTerm, ComplementaryGuardsLeaveNothingOfTheOldValue) {
  // %f3 was never written before; p and !p between them define it.
  const auto kernel = [](const std::string& second) {
    return Kernel("ld.global.f32 %f1, [%rd1];\nsetp.gt.f32 %p1, %f1, 0f00000000;\n@%p1 mov.f32 %f3, %f1;\n" + second +
                  " mov.f32 %f3, 0f3F800000;\nst.global.f32 [%rd0], %f3;");
  };
  Symbolic both(kernel("@!%p1"));
  both.Run();
  const TermId condition =
      both.store().FpCompare(CompareOp::kGt, false, both.store().FpInput(both.x, 0), both.store().FpConst(FpFormat::kF32, 0));
  const TermId otherwise = both.store().BvNot(1, condition);
  EXPECT_EQ(both.Cell(0), both.store().BvIte(32, otherwise, both.store().BvConst(32, 0x3f800000), both.Input(0)));
  Symbolic same(kernel("@%p1"));
  same.Run();
  EXPECT_EQ(same.launch.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
}

TEST(MachineTerm, CollectivesAndAddressesOnDataAreRefused) {
  const std::string compare = "ld.global.f32 %f1, [%rd1];\nsetp.gt.f32 %p1, %f1, 0f00000000;\n";
  Symbolic collective(Kernel(compare + "@%p1 bar.sync 0;"));
  Launch::Refused(collective.launch.Term(), "a guard depends on symbolic data", kBodyLine + 2);
  Symbolic address(Kernel("ld.global.u32 %r1, [%rd1];\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd4, %rd0;\nld.global.u32 %r2, [%rd4];"),
                   ScalarType::kU32);
  // Said of integers alone. Broken once by naming tensors of floats, too.
  Launch::Refused(address.launch.Term(),
                  "an address depends on symbolic data (the integers of x, which role = \"index\" in the contract makes concrete) at line",
                  kBodyLine + 3);
  Symbolic bits(Kernel("ld.global.u32 %r1, [%rd1];\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd4, %rd0;\nld.global.u32 %r2, [%rd4];"));
  const RunResult of_floats = bits.launch.Term();
  Launch::Refused(of_floats, "an address depends on symbolic data", kBodyLine + 3);
  EXPECT_EQ(of_floats.reason.find("role"), std::string::npos) << of_floats.reason;
  Symbolic lane(Kernel("ld.global.u32 %r1, [%rd1];\nshfl.sync.idx.b32 %r2, %r0, %r1, 31, 1;"), ScalarType::kU32);
  Launch::Refused(lane.launch.Term(), "a shuffle's lane depends on symbolic data", kBodyLine + 1);
  Symbolic barrier(Kernel("ld.global.u32 %r1, [%rd1];\nbar.sync %r1;"), ScalarType::kU32);
  Launch::Refused(barrier.launch.Term(), "a barrier number depends on symbolic data", kBodyLine + 1);
}

TEST(MachineTerm, ShufflesAndVotesOfInputs) {
  Symbolic s(Kernel(R"(
    add.s64 %rd4, %rd1, %rd2;
    ld.global.f32 %f1, [%rd4];
    shfl.sync.bfly.b32 %f2, %f1, 1, 31, 3;
    st.global.f32 [%rd3], %f2;
    setp.gt.f32 %p1, %f1, 0f00000000;
    vote.sync.any.pred %p2, %p1, 3;
    selp.f32 %f3, %f1, %f2, %p2;
    st.global.f32 [%rd3+64], %f3;)"));
  s.launch.Block(2);
  s.Run();
  EXPECT_EQ(s.Cell(0), s.Input(1));
  EXPECT_EQ(s.Cell(4), s.Input(0));
  const TermId zero = s.store().FpConst(FpFormat::kF32, 0);
  const TermId p0 = s.store().FpCompare(CompareOp::kGt, false, s.store().FpInput(s.x, 0), zero);
  const TermId p1 = s.store().FpCompare(CompareOp::kGt, false, s.store().FpInput(s.x, 1), zero);
  EXPECT_EQ(s.Cell(64), s.store().BvIte(32, s.store().Bv(TermKind::kBvOr, 1, p0, p1), s.Input(0), s.Input(1)));
}

TEST(MachineTerm, PaddingCellsAreUninitialised) {
  Symbolic s(
      Kernel("ld.global.f32 %f1, [%rd1+4];\nst.global.f32 [%rd0], %f1;\nld.global.f32 %f1, [%rd1+8];\nst.global.f32 [%rd0+4], %f1;"));
  s.launch.config().contents[1].cells = {0, 0xffffffff, 7};
  s.Run();
  EXPECT_EQ(s.launch.term().ReadCell(0, 0, 32).state, CellValue::State::kUndefined);
  EXPECT_EQ(s.Cell(4), s.Input(7));
}

TEST(MachineTerm, UninitialisedMemoryReachesAnOutput) {
  Launch launch(Kernel(
      ".shared .align 4 .b8 s[8];\nst.shared.u32 [s], %r0;\nld.shared.u32 %r1, [s+4];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;"
      "\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd0+4], %r2;"));
  launch.Buffers(8, {});
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  const CellValue cell = launch.term().ReadCell(0, 0, 32);
  ASSERT_EQ(cell.state, CellValue::State::kUndefined);
  EXPECT_EQ(launch.term().ReadCell(0, 4, 32).state, CellValue::State::kConcrete);
  bool found = false;
  for (unsigned i = 0; i < launch.store().arity(cell.term); ++i) {
    const TermId part = launch.store().operand(cell.term, i);
    if (launch.store().kind(part) != TermKind::kUndef) continue;
    found = true;
    const Finding cause = launch.term().DescribeUndef(launch.store().undef_cause(part));
    EXPECT_NE(cause.message.find("uninitialised memory at s+4"), std::string::npos) << cause.message;
    EXPECT_EQ(cause.where[0].line, kBodyLine + 2);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.bits().ReadCell(0, 0, 32).bits, 1u);  // Bits reads zero
}

TEST(MachineTerm, SharedMemoryIsUndefinedInEveryCta) {
  // The second CTA must not see what the first one left behind.
  Launch launch(Kernel(R"(
    .shared .align 4 .b8 s[4];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd4, %rd4, %rd0;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [s], 5;
    ld.shared.u32 %r2, [s];
    st.global.u32 [%rd4], %r2;)"));
  launch.Buffers(8, {}).Grid(2);
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.term().ReadCell(0, 0, 32).bits, 5u);
  EXPECT_EQ(launch.term().ReadCell(0, 4, 32).state, CellValue::State::kUndefined);
}

TEST(MachineTerm, UninitialisedValuesThatDecideStopAtOnce) {
  const std::string read = ".shared .align 4 .b8 s[4];\nld.shared.u32 %r1, [s];\n";
  Launch branch(Kernel(read + "setp.gt.u32 %p1, %r1, 0;\n@%p1 bra $end;\n$end:"));
  branch.Buffers(4, {});
  const RunResult result = branch.Term();
  Launch::Violated(result, Gate::kInit, "depends on uninitialised memory at s+0", kBodyLine + 3);
  ASSERT_EQ(result.findings[0].where.size(), 2u);
  EXPECT_EQ(result.findings[0].where[1].line, kBodyLine + 1);
  Launch address(Kernel(read + "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], %r0;"));
  address.Buffers(4, {});
  Launch::Violated(address.Term(), Gate::kInit, "an address of thread (0,0,0)", kBodyLine + 4);
}

TEST(MachineTerm, RegistersNeverWritten) {
  Launch launch(Kernel("add.u32 %r2, %r39, 1;\nst.global.u32 [%rd0], %r2;"));
  launch.Buffers(4, {});
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  const CellValue cell = launch.term().ReadCell(0, 0, 32);
  EXPECT_EQ(cell.state, CellValue::State::kUndefined);
  // Near miss: the guarded write covers all lanes.
  Launch set(Kernel("setp.eq.u32 %p1, %r0, %r0;\n@%p1 mov.u32 %r39, 4;\nadd.u32 %r2, %r39, 1;\nst.global.u32 [%rd0], %r2;"));
  set.Buffers(4, {}).ExpectWords({5});
}

TEST(MachineTerm, TermArguments) {
  Launch launch(Kernel("ld.param.u32 %r1, [n];\nst.global.u32 [%rd0], %r1;"));
  launch.Buffers(4, {});
  const SymbolId eps = launch.store().AddSymbol({.name = "eps", .dtype = ScalarType::kF32, .shape = {}});
  const TermId term = launch.store().FpToBits(launch.store().FpInput(eps, 0));
  launch.config().arguments[2] = {.kind = Argument::Kind::kTerm, .term = term};
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.term().ReadCell(0, 0, 32).term, term);
}

TEST(MachineTerm, TermBudget) {
  Launch launch(Kernel("ld.param.u32 %r1, [n];\n$loop:\nadd.u32 %r1, %r1, %r1;\nmul.lo.u32 %r1, %r1, %r1;\nbra.uni $loop;"));
  launch.Buffers(4, {});
  const SymbolId n = launch.store().AddSymbol({.name = "n", .dtype = ScalarType::kU32, .shape = {}});
  launch.config().arguments[2] = {.kind = Argument::Kind::kTerm, .term = launch.store().BvInput(n, 0)};
  launch.config().limits.max_terms = 10000;
  const RunResult result = launch.Term();
  EXPECT_EQ(result.status, RunResult::Status::kBudget);
  EXPECT_NE(result.reason.find("10000 terms"), std::string::npos) << result.reason;
}

// --- constants over the reals

TEST(MachineTerm, ExactConstantsStayBits) {
  Launch launch(Kernel(R"(
    mov.f32 %f1, 0f40400000;
    mul.f32 %f2, %f1, 0f3F000000;
    st.global.f32 [%rd0], %f2;
    div.rn.f32 %f3, %f1, 0f40800000;
    st.global.f32 [%rd0+4], %f3;
    cvt.rn.f32.u32 %f4, 384;
    st.global.f32 [%rd0+8], %f4;
    sqrt.rn.f32 %f5, 0f41800000;
    st.global.f32 [%rd0+12], %f5;)"));
  launch.Buffers(16, {}).ExpectWords({0x3fc00000, 0x3f400000, 0x43c00000, 0x40800000});
}

TEST(MachineTerm, RoundedConstantsBecomeTerms) {
  Launch launch(Kernel(R"(
    cvt.rn.f32.u32 %f1, 384;
    rcp.rn.f32 %f2, %f1;
    st.global.f32 [%rd0], %f2;
    add.f32 %f2, %f2, %f2;
    st.global.f32 [%rd0+4], %f2;
    mov.f32 %f3, 0f4B800000;
    add.f32 %f3, %f3, 0f3F800000;
    st.global.f32 [%rd0+8], %f3;)"));
  launch.Buffers(12, {});
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  TermStore& store = launch.store();
  const FpAttr attr;
  const auto constant = [&](uint64_t bits) { return store.FpConst(FpFormat::kF32, bits); };
  const TermId inverse = store.Fp(FpKind::kRcp, attr, constant(0x43c00000));
  EXPECT_EQ(launch.term().ReadCell(0, 0, 32).term, store.FpToBits(inverse));
  EXPECT_EQ(launch.term().DescribeOrigin(store.origin(inverse)).line, kBodyLine + 2);
  EXPECT_EQ(launch.term().ReadCell(0, 4, 32).term, store.FpToBits(store.Fp(FpKind::kAdd, attr, inverse, inverse)));
  // 2^24 + 1 is 2^24 in Bits and itself in Term.
  EXPECT_EQ(launch.term().ReadCell(0, 8, 32).term,
            store.FpToBits(store.Fp(FpKind::kAdd, attr, constant(0x4b800000), constant(0x3f800000))));
  ASSERT_EQ(launch.Bits().status, RunResult::Status::kCompleted);
  EXPECT_EQ(launch.bits().ReadCell(0, 8, 32).bits, 0x4b800000u);
}

TEST(MachineTerm, LanesRoundEachForItself) {
  // 1/(tid+1) into its own operand: the powers of two stay bits.
  Launch launch(Kernel("add.u32 %r1, %r0, 1;\ncvt.rn.f32.u32 %f1, %r1;\nrcp.rn.f32 %f1, %f1;\nst.global.f32 [%rd3], %f1;"));
  launch.Buffers(16, {}).Block(4);
  ASSERT_EQ(launch.Term().status, RunResult::Status::kCompleted);
  const uint64_t exact[] = {0x3f800000, 0x3f000000, 0, 0x3e800000};
  for (uint64_t i = 0; i < 4; ++i) {
    const CellValue cell = launch.term().ReadCell(0, 4 * i, 32);
    if (i == 2) {
      const TermId three = launch.store().FpConst(FpFormat::kF32, 0x40400000);
      EXPECT_EQ(cell.term, launch.store().FpToBits(launch.store().Fp(FpKind::kRcp, FpAttr{}, three)));
    } else {
      EXPECT_EQ(cell.state, CellValue::State::kConcrete);
      EXPECT_EQ(cell.bits, exact[i]);
    }
  }
}

TEST(MachineTerm, AFloatCounterStaysBits) {
  Launch launch(Kernel(R"(
    mov.f32 %f1, 0f00000000;
    mov.u32 %r1, 0;
    $loop:
    add.f32 %f1, %f1, 0f3F800000;
    add.u32 %r1, %r1, 2;
    setp.lt.f32 %p1, %f1, 0f41200000;
    @%p1 bra $loop;
    st.global.u32 [%rd0], %r1;)"));
  launch.Buffers(4, {}).ExpectWords({20});
}

// What `setp` on a constant that rounds decides: the text up to the branch, then 1 is stored if it is not taken.
RunResult RunBranch(Launch& launch) {
  launch.Buffers(4, {});
  return launch.Term();
}
std::string BranchOn(const std::string& before) { return Kernel(before + "@%p1 bra $end;\nst.global.u32 [%rd0], 1;\n$end:"); }

TEST(MachineTerm, RoundedConstantsDecideWhereTheRoundingDoesNotMatter) {
  const std::string third = "rcp.rn.f32 %f1, 0f40400000;\n";
  for (const auto& [compare, taken] : {std::pair{"setp.lt.f32 %p1, %f1, 0f3EA8F5C3;\n", false},  // 1/3 < 0.33
                                       {"setp.gt.f32 %p1, %f1, 0f3EA8F5C3;\n", true},
                                       {"abs.f32 %f2, %f1;\nsetp.neu.f32 %p1, %f2, 0f7F800000;\n", true},
                                       {"setp.eq.f32 %p1, %f1, 0fFF800000;\n", false},
                                       {"mul.f32 %f2, %f1, 0f40A00000;\ncvt.rmi.s32.f32 %r1, %f2;\nsetp.eq.s32 %p1, %r1, 1;\n", true}}) {
    SCOPED_TRACE(compare);
    Launch launch(BranchOn(third + compare));
    const RunResult result = RunBranch(launch);
    ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
    EXPECT_EQ(launch.term().WasWritten(0, 0, 32), !taken);
  }
}

TEST(MachineTerm, RoundedConstantsNearATieDecideNothing) {
  // 1/3 * 3 is exactly 1, which no enclosure shows.
  for (const std::string& before :
       {std::string("rcp.rn.f32 %f1, 0f40400000;\nmul.f32 %f2, %f1, 0f40400000;\nsetp.ge.f32 %p1, %f2, 0f3F800000;\n"),
        // 2^24 + 1 > 2^24 holds over the reals, and not in binary32.
        std::string("mov.f32 %f1, 0f4B800000;\nadd.f32 %f2, %f1, 0f3F800000;\nsetp.gt.f32 %p1, %f2, %f1;\n"),
        std::string("rcp.rn.f32 %f1, 0f40400000;\nmul.f32 %f2, %f1, 0f40400000;\ncvt.rmi.s32.f32 %r1, %f2;\n"
                    "setp.eq.s32 %p1, %r1, 1;\n")}) {
    SCOPED_TRACE(before);
    Launch launch(BranchOn(before));
    Launch::Refused(RunBranch(launch), "a branch depends on how constants are rounded or approximated");
  }
}

// An approximate instruction may give any value within its error: 33/33 need not be 1, and is not on an H200. Zeros are what the manual
// says they are. Broken once: without HasApproximation.
TEST(MachineTerm, ApproximationsOfConstantsDecideNothing) {
  for (const std::string& before :
       {std::string("mov.f32 %f1, 0f42040000;\ndiv.approx.f32 %f2, %f1, %f1;\nsetp.ge.f32 %p1, %f2, 0f3F800000;\n"),
        std::string("mov.f32 %f1, 0f42040000;\ndiv.full.ftz.f32 %f2, %f1, %f1;\ncvt.rzi.s32.f32 %r1, %f2;\nsetp.eq.s32 %p1, %r1, 1;\n"),
        std::string(
            "mov.f32 %f1, 0f3F000000;\ntanh.approx.f32 %f2, %f1;\nadd.f32 %f2, %f2, 0f3F800000;\nsetp.gt.f32 %p1, %f2, 0f3FBB26A0;\n"),
        std::string("mov.f32 %f1, 0f40800000;\nsqrt.approx.f32 %f2, %f1;\nsetp.lt.f32 %p1, 0f40000000, %f2;\n")}) {
    SCOPED_TRACE(before);
    Launch launch(BranchOn(before));
    Launch::Refused(RunBranch(launch), "a branch depends on how constants are rounded or approximated");
  }
  Launch zero(BranchOn("mov.f32 %f1, 0f80000000;\nex2.approx.f32 %f2, %f1;\nsetp.eq.f32 %p1, %f2, 0f3F800000;\n"));
  ASSERT_EQ(RunBranch(zero).status, RunResult::Status::kCompleted);
  EXPECT_FALSE(zero.term().WasWritten(0, 0, 32));
}

// A subnormal literal is a zero to an instruction with .ftz, whatever its other operand.
TEST(MachineTerm, FtzFlushesLiterals) {
  for (const std::string ftz : {".ftz", ""}) {
    SCOPED_TRACE(ftz);
    Symbolic s(Kernel("ld.global.f32 %f1, [%rd1];\nmul" + ftz + ".f32 %f2, %f1, 0f00000001;\nst.global.f32 [%rd0], %f2;"));
    s.Run();
    const TermId literal = s.store().FpConst(FpFormat::kF32, ftz.empty() ? 1 : 0);
    EXPECT_EQ(s.Cell(0), s.store().FpToBits(s.store().Fp(FpKind::kMul, FpAttr{.ftz = !ftz.empty()}, s.store().FpInput(s.x, 0), literal)));
  }
}

// Fails, with a violation, where the arms of selections count as reached.
TEST(MachineTerm, AnAddressThatOnlyOneArmLeavesUndefinedIsNoFinding) {
  // 64-bit bfe leaves a position past 255 open; this one is below, which the terms do not know.
  Launch launch(Kernel(R"(
    rcp.rn.f32 %f1, 0f40400000;
    mov.b32 %r1, %f1;
    and.b32 %r1, %r1, 255;
    mov.b64 %rd4, 0;
    bfe.u64 %rd4, %rd4, %r1, 8;
    add.s64 %rd5, %rd0, %rd4;
    st.global.u32 [%rd5], %r0;)"));
  launch.Buffers(4, {});
  const RunResult result = launch.Term();
  EXPECT_NE(result.status, RunResult::Status::kViolation) << result.findings[0].message;
}

TEST(MachineTerm, ALoopOverTenthsEndsWhereBothArithmeticsEndIt) {
  // Up to 0.95f: ten tenths are past it, rounded or not, and nine are not.
  Launch launch(Kernel(R"(
    mov.f32 %f1, 0f00000000;
    mov.u32 %r1, 0;
    $loop:
    add.f32 %f1, %f1, 0f3DCCCCCD;
    add.u32 %r1, %r1, 1;
    setp.lt.f32 %p1, %f1, 0f3F733333;
    @%p1 bra $loop;
    st.global.u32 [%rd0], %r1;)"));
  launch.Buffers(4, {}).ExpectWords({10});
}

}  // namespace
}  // namespace racer
