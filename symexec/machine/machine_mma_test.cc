// mma, sparse and block-scaled mma, and wmma in both domains. Every form of
// sm_90a against hardware: matrix_hardware_test.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "symexec/machine/testing.h"

namespace racer {
namespace {

// The target that has every form.
std::string MatrixKernel(const std::string& body) { return NewKernel(body, "", "sm_120a"); }

std::string Fill(const std::string& value, int first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "mov.b32 %r" + std::to_string(first + i) + ", " + value + ";\n";
  return text;
}
std::string Zeros() {
  return "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, "
         "%f0;\nmov.f32 %f3, %f0;\n";
}
constexpr char kStore[] =
    "\nmul.wide.u32 %rd4, %r0, 16;\nadd.s64 %rd4, %rd0, "
    "%rd4;\nst.global.v4.f32 [%rd4], {%f0, %f1, %f2, %f3};";
constexpr char kHalves[] =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
    "{%r10, %r11, %r12, %r13}, {%r14, %r15}, "
    "{%f0, %f1, %f2, %f3};";

// Word 4 * lane + i is element (row, column) of D: PTX ISA, "Matrix Fragments
// for mma.m16n8k16".
template <class F>
std::vector<uint32_t> OfAccumulators(F f) {
  return Words(
      128, [&](uint32_t w) { return std::bit_cast<uint32_t>(static_cast<float>(f(w / 16 + 8 * (w % 4 / 2), 2 * (w / 4 % 4) + w % 2))); });
}

TEST(MachineMma, SmallIntegersStayBitsInBothDomains) {
  // A of ones, B of twos, C of zeros.
  Launch launch(MatrixKernel(Fill("0x3c003c00", 10, 4) + Fill("0x40004000", 14, 2) + Zeros() + kHalves + kStore));
  launch.Buffers(512, {}).Block(32).ExpectWords(OfAccumulators([](uint32_t, uint32_t) { return 32; }));
}

TEST(MachineMma, NothingRestsOnHowASumOfConstantsIsRounded) {
  // 0.333 * 0.333 * 16 is certainly above 1, but its bits are not known. Broken
  // once by hand: with the sum closed, its bits are asked for and there are none.
  const std::string branch =
      "\nsetp.gt.f32 %p1, %f0, 0f3F800000;\n@%p1 bra "
      "$end;\nst.global.u32 [%rd3], %r0;\n$end:";
  Launch rounded(MatrixKernel(Fill("0x35553555", 10, 6) + Zeros() + kHalves + branch));
  rounded.Buffers(128, {}).Block(32);
  EXPECT_EQ(rounded.Bits().status, RunResult::Status::kCompleted);
  Launch::Refused(rounded.Term(), "depends on");
  Launch(MatrixKernel(Fill("0x3c003c00", 10, 6) + Zeros() + kHalves + branch)).Buffers(128, {}).Block(32).ExpectCompleted();
}

TEST(MachineMma, OtherInstructionsRoundOtherwise) {
  // One step of sixteen products and two of eight are the same real sum and not the same term. Broken once by hand: without
  // the mark of a last step they are.
  const std::string halves =
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r10, %r11}, {%r14}, {%f0, %f1, %f2, %f3};\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r12, %r13}, {%r15}, {%f0, %f1, %f2, %f3};";
  Launch both(
      MatrixKernel(Fill("0x35553555", 10, 6) + Zeros() + kHalves + "\nmov.b32 %r20, %f0;\n" + Zeros() + halves +
                   "\nmul.wide.u32 %rd4, %r0, 8;\nadd.s64 %rd4, %rd0, %rd4;\nst.global.u32 [%rd4], %r20;\nst.global.f32 [%rd4+4], %f0;"));
  both.Buffers(512, {}).Block(32);
  const RunResult result = both.Term();
  ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  const TermId one = both.term().ReadCell(0, 0, 32).term, two = both.term().ReadCell(0, 4, 32).term;
  ASSERT_NE(one, kNoTerm);
  ASSERT_NE(two, kNoTerm);
  EXPECT_NE(one, two);
  EXPECT_EQ(one, both.term().ReadCell(0, 8, 32).term);  // the same instruction in another lane
}

TEST(MachineMma, SymbolicElementsBelowEightBits) {
  // Every byte of A holds the same input byte in both forms; .e2m1 lies in bits 2 to 5 of it, .e3m2 in bits 0 to 5.
  for (const std::string element : {"e2m1", "e3m2"}) {
    Launch launch(MatrixKernel("ld.global.b32 %r10, [%rd1];\nmov.b32 %r11, %r10;\nmov.b32 %r12, %r10;\nmov.b32 %r13, %r10;\n" +
                               Fill("0x38383838", 14, 2) + Zeros() + "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32." + element +
                               ".e4m3.f32 {%f0, %f1, %f2, %f3}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%f0, %f1, %f2, %f3};" + kStore));
    launch.Buffers(512, {0}).Block(32);
    const SymbolId x = launch.store().AddSymbol({.name = "x", .dtype = ScalarType::kU8, .shape = {4}});
    launch.config().contents[1] = {.bytes = {}, .symbol = x, .dtype = ScalarType::kU8, .cells = {}};
    const RunResult result = launch.Term();
    ASSERT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
    // The last product of the sum is that of byte 3, the first addend that of byte 0.
    TermStore& store = launch.store();
    TermId sum = store.operand(launch.term().ReadCell(0, 0, 32).term, 0);
    const FpFormat from = element == "e2m1" ? FpFormat::kE2M1 : FpFormat::kE3M2;
    const TermId byte = store.BvInput(x, 3);
    const TermId bits = element == "e2m1" ? store.Extract(4, byte, 2) : store.ZExt(8, store.Extract(6, byte, 0));
    FpAttr to;
    to.format = FpFormat::kF32;
    const TermId factor = store.FpConvert(to, store.BitsToFp(from, bits));
    ASSERT_EQ(store.kind(sum), TermKind::kFpTernary);
    EXPECT_TRUE(store.operand(sum, 0) == factor || store.operand(sum, 1) == factor) << store.ToString(sum, 200);
    EXPECT_TRUE(store.fp_attr(sum).approx);
  }
}

TEST(MachineMma, Tf32ReadsNineteenBits) {
  const std::string mma =
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, "
      "%f3}, {%r10, %r11}, {%r14}, {%f0, %f1, %f2, %f3};";
  Launch launch(MatrixKernel(Fill("0x3f801fff", 10, 5) + Zeros() + mma + kStore));
  launch.Buffers(512, {}).Block(32).ExpectWords(OfAccumulators([](uint32_t, uint32_t) { return 4; }));
}

TEST(MachineMma, IntegersWrapOrSaturate) {
  for (const bool saturates : {false, true}) {
    const std::string mma = std::string("mma.sync.aligned.m8n8k16.row.col") + (saturates ? ".satfinite" : "") +
                            ".s32.s8.u8.s32 {%r20, %r21}, {%r10}, {%r11}, {%r12, %r13};";
    // -1 * 2 * 16 added to the least integer.
    Launch launch(MatrixKernel(Fill("0xffffffff", 10, 1) + Fill("0x02020202", 11, 1) + Fill("0x80000000", 12, 2) + mma +
                               "\nst.global.u32 [%rd3], %r20;"));
    launch.Buffers(128, {}).Block(32).ExpectWords(Words(32, [&](uint32_t) { return saturates ? 0x80000000u : 0x7fffffe0u; }));
  }
}

TEST(MachineMma, MetadataThatTheManualCallsInvalidIsRefused) {
  const std::string ordered =
      "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%f0, %f1, %f2, %f3}, {%r10, %r11}, "
      "{%r14, %r15}, {%f0, %f1, %f2, %f3}, %r16, 0x1;";
  const auto kernel = [&](const std::string& metadata, std::string text) {
    return MatrixKernel(Fill("0x3c003c00", 10, 6) + Zeros() + Fill(metadata, 16, 1) + text + kStore);
  };
  std::string plain = ordered;
  plain.erase(plain.find("::ordered_metadata"), 18);
  Launch(kernel("0xeeeeeeee", ordered)).Buffers(512, {}).Block(32).ExpectWords(OfAccumulators([](uint32_t, uint32_t) { return 8; }));
  Launch(kernel("0xeeeeeee5", ordered)).Buffers(512, {}).Block(32).ExpectUnsupported("invalid");
  Launch(kernel("0xeeeeeee5", plain)).Buffers(512, {}).Block(32).ExpectUnsupported("invalid");
  Launch(kernel("0xeeeeeeeb", ordered)).Buffers(512, {}).Block(32).ExpectUnsupported("invalid");  // 3 before 2
  // Only the lanes that the selector names give metadata: 4 r + 1 here. Broken once: with all lanes asked, the first is a finding.
  const std::string given = "and.b32 %r20, %r0, 3;\nsetp.eq.u32 %p1, %r20, 1;\n@%p1 mov.b32 %r17, 0xeeeeeeee;\n";
  std::string some = ordered;
  some.replace(some.find("%r16"), 4, "%r17");
  Launch(kernel("0", given + some)).Buffers(512, {}).Block(32).ExpectWords(OfAccumulators([](uint32_t, uint32_t) { return 8; }));
  some.replace(some.rfind("0x1"), 3, "2");
  Launch others(kernel("0", given + some));
  others.Buffers(512, {}).Block(32);
  Launch::Violated(others.Term(), Gate::kInit, "sparsity metadata of thread (2,0,0)");
}

TEST(MachineMma, BlockScalesMultiplyRowsAndColumns) {
  // PTX ISA, "Block Scaling": A and B of ones, the scale of row r is 2^r, that
  // of column n is 2^-n. Row r's scale lies in lane 4 (r mod 8) + r / 8 of the
  // pair that thread-id-a names, column n's in lane 4 n + thread-id-b; here in
  // byte 1 of pair 1 and in byte 2 of lane 4 n + 3.
  const std::string scales = R"(
    shr.u32 %r20, %r0, 2;
    and.b32 %r21, %r0, 1;
    shl.b32 %r21, %r21, 3;
    add.u32 %r22, %r20, %r21;
    add.u32 %r22, %r22, 127;
    shl.b32 %r22, %r22, 8;
    and.b32 %r23, %r0, 2;
    setp.eq.u32 %p1, %r23, 0;
    @%p1 mov.u32 %r22, 0xffffffff;
    sub.u32 %r24, 127, %r20;
    shl.b32 %r24, %r24, 16;
)";
  const auto kernel = [&](const std::string& a, const std::string& types) {
    return MatrixKernel(Fill(a, 10, 4) + Fill("0x38383838", 14, 2) + Zeros() + scales +
                        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32." + types +
                        ".f32.ue8m0 {%f0, %f1, %f2, %f3}, {%r10, %r11, %r12, %r13}, {%r14, "
                        "%r15}, {%f0, %f1, %f2, %f3}, %r22, {1, 1}, {%r24}, {2, 3};" +
                        kStore);
  };
  const auto expected =
      OfAccumulators([](uint32_t row, uint32_t column) { return std::ldexp(32.0, static_cast<int>(row) - static_cast<int>(column)); });
  Launch(kernel("0x38383838", "e4m3.e4m3")).Buffers(512, {}).Block(32).ExpectWords(expected);
  Launch(kernel("0x08080808", "e2m1.e4m3")).Buffers(512, {}).Block(32).ExpectWords(expected);  // 0b0010 in bits 2 to 5
  Launch(kernel("0x08080808", "e2m3.e4m3")).Buffers(512, {}).Block(32).ExpectWords(expected);
  Launch(kernel("0x0c0c0c0c", "e3m2.e4m3")).Buffers(512, {}).Block(32).ExpectWords(expected);
  std::string third = kernel("0x38383838", "e4m3.e4m3");
  third.replace(third.find("{1, 1}"), 6, "{1, 2}");
  Launch(third).Buffers(512, {}).Block(32).ExpectUnsupported("selectors of scales that the manual does not list");
}

TEST(MachineMma, ChunksOfAColumnHaveTheirOwnScales) {
  // .scale_vec::4X of .ue4m3: sixteen elements of .e2m1 each; scales 1, 2, 4
  // and 8 of A, 1 of B.
  const auto kernel = [](const std::string& scales_a, const std::string& load = "") {
    return MatrixKernel(Fill("0x22222222", 10, 6) + load + Zeros() + Fill(scales_a, 20, 1) + Fill("0x38383838", 21, 1) +
                        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
                        "scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
                        "{%f0, %f1, %f2, %f3}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, "
                        "{%f0, %f1, %f2, %f3}, %r20, {0, 0}, %r21, {0, 0};" +
                        kStore);
  };
  // A scale that is a NaN, beside an element that is not known. Broken once: with the NaN taken for a number, the run ends there.
  Launch no_number(kernel("0x50487f38", "ld.global.b32 %r10, [%rd1];\n"));
  no_number.Buffers(512, {0}).Block(32);
  no_number.config().contents[1] = {.bytes = {},
                                    .symbol = no_number.store().AddSymbol({.name = "x", .dtype = ScalarType::kU32, .shape = {1}}),
                                    .dtype = ScalarType::kU32,
                                    .cells = {}};
  Launch::Refused(no_number.Term(), "with a block scale that is no number");
  Launch launch(kernel("0x50484038"));
  launch.Buffers(512, {}).Block(32).ExpectWords(OfAccumulators([](uint32_t, uint32_t) { return 16 * (1 + 2 + 4 + 8); }));
}

TEST(MachineMma, WmmaWantsOneAddressAndAlignedRows) {
  const auto load = [](const std::string& stride) {
    return "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r10, %r11, "
           "%r12, %r13}, [%rd4], " +
           stride + ";";
  };
  const std::vector<uint32_t> in(256, 1);
  const std::string same = "mov.u64 %rd4, %rd1;\n", other = "add.s64 %rd4, %rd1, %rd2;\n";
  Launch(MatrixKernel(same + load("8"))).Buffers(4, in).Block(32).ExpectCompleted();
  Launch(MatrixKernel(other + load("8"))).Buffers(4, in).Block(32).ExpectUnsupported("differ between lanes");
  Launch(MatrixKernel(same + load("9"))).Buffers(4, in).Block(32).ExpectUnsupported("16 bytes");
  Launch(MatrixKernel(same + load("16"))).Buffers(4, in).Block(32).ExpectCompleted();
  Launch(MatrixKernel(same + load("24"))).Buffers(4, in).Block(32).ExpectViolation(Gate::kBounds, "");
  Launch named(MatrixKernel(same + load("8")));
  named.Buffers(4, in).Block(32);
  const RunResult result = named.Bits();
  ASSERT_EQ(result.assumptions.size(), 1u);
  EXPECT_NE(result.assumptions[0].find("wmma fragments"), std::string::npos);
}

}  // namespace
}  // namespace racer
