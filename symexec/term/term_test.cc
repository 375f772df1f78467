#include "symexec/term/term.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "symexec/term/fold.h"
#include "symexec/term/rebuild.h"
#include "symexec/term/term_domain.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

class TermTest : public testing::Test {
 protected:
  TermTest() {
    u = s.AddSymbol({"u", ScalarType::kU32, {8}});
    h = s.AddSymbol({"h", ScalarType::kF16, {2, 4}});
    b = s.AddSymbol({"b", ScalarType::kBF16, {8}});
    f = s.AddSymbol({"f", ScalarType::kF32, {8}});
  }
  TermId U(uint32_t i) { return s.BvInput(u, i); }
  TermId H(uint32_t i) { return s.FpToBits(s.FpInput(h, i)); }
  TermId B(uint32_t i) { return s.FpToBits(s.FpInput(b, i)); }
  TermId F(uint32_t i) { return s.FpToBits(s.FpInput(f, i)); }
  TermId K(uint64_t bits, unsigned w = 32) { return s.BvConst(w, bits); }
  TermStore s;
  TermDomain d{s};
  SymbolId u, h, b, f;
};

TEST_F(TermTest, EqualNodesHaveEqualIds) {
  EXPECT_EQ(s.FpInput(h, 5), s.FpInput(h, 5));
  EXPECT_NE(s.FpInput(h, 5), s.FpInput(h, 6));
  EXPECT_EQ(d.Add(32, U(0), U(1)), d.Add(32, U(1), U(0)));
  EXPECT_NE(d.Sub(32, U(0), U(1)), d.Sub(32, U(1), U(0)));
  EXPECT_NE(s.Undef(32, 1), s.Undef(32, 1));  // each uninitialised read is a value of its own
}

TEST_F(TermTest, FoldsLikeSmtLib) {
  // SMT-LIB: division by zero is all ones, the remainder the dividend; SDiv by zero is 1 or -1.
  EXPECT_EQ(d.UDiv(8, K(7, 8), K(0, 8)), K(255, 8));
  EXPECT_EQ(d.URem(8, K(7, 8), K(0, 8)), K(7, 8));
  EXPECT_EQ(d.SDiv(8, K(7, 8), K(0, 8)), K(255, 8));
  EXPECT_EQ(d.SDiv(8, K(0x80, 8), K(0, 8)), K(1, 8));
  EXPECT_EQ(d.SDiv(8, K(0x80, 8), K(255, 8)), K(0x80, 8));      // -128 / -1 wraps
  EXPECT_EQ(d.SDiv(32, K(0xfffffff9u), K(2)), K(0xfffffffdu));  // -7 / 2 = -3
  EXPECT_EQ(d.SRem(32, K(0xfffffff9u), K(2)), K(0xffffffffu));  // sign of the dividend
  EXPECT_EQ(d.Shl(32, K(1), K(32)), K(0));
  EXPECT_EQ(d.AShr(32, K(0x80000000u), K(40)), K(0xffffffffu));
  EXPECT_EQ(d.Slt(32, K(0xffffffffu), K(0)), K(1, 1));
  EXPECT_EQ(d.Ult(32, K(0xffffffffu), K(0)), K(0, 1));
  EXPECT_EQ(d.Mul(64, K(~uint64_t{0}, 64), K(2, 64)), K(~uint64_t{1}, 64));
  EXPECT_EQ(d.SExt(8, 64, K(0x80, 8)), K(0xffffffffffffff80u, 64));
}

// Every operation at 4 bits against arithmetic on plain integers.
TEST_F(TermTest, FoldsExhaustivelyAtFourBits) {
  for (int a = 0; a < 16; ++a) {
    for (int c = 0; c < 16; ++c) {
      TermId x = K(static_cast<uint64_t>(a), 4), y = K(static_cast<uint64_t>(c), 4);
      int sa = a >= 8 ? a - 16 : a, sc = c >= 8 ? c - 16 : c;
      auto is = [&](TermId t, int value, unsigned w = 4) { EXPECT_EQ(t, K(static_cast<uint64_t>(value), w)) << a << " " << c; };
      is(d.Add(4, x, y), a + c);
      is(d.Sub(4, x, y), a - c);
      is(d.Mul(4, x, y), a * c);
      is(d.And(4, x, y), a & c);
      is(d.Or(4, x, y), a | c);
      is(d.Xor(4, x, y), a ^ c);
      is(d.UDiv(4, x, y), c == 0 ? 15 : a / c);
      is(d.URem(4, x, y), c == 0 ? a : a % c);
      is(d.SDiv(4, x, y), c == 0 ? (sa < 0 ? 1 : -1) : sa / sc);
      is(d.SRem(4, x, y), c == 0 ? a : sa % sc);
      is(d.Shl(4, x, y), c > 3 ? 0 : a << c);
      is(d.LShr(4, x, y), c > 3 ? 0 : a >> c);
      is(d.AShr(4, x, y), sa >> (c > 3 ? 3 : c));
      is(d.Eq(4, x, y), a == c, 1);
      is(d.Ult(4, x, y), a < c, 1);
      is(d.Slt(4, x, y), sa < sc, 1);
      is(d.Concat(4, x, 4, y), a * 16 + c, 8);
    }
  }
}

TEST_F(TermTest, UndefinedValuesSurvive) {
  TermId x = s.Undef(32, 7);
  for (TermId t : {d.Mul(32, x, K(1)), d.Sub(32, x, x), d.Xor(32, x, x), d.URem(32, x, K(2)), d.Eq(32, x, x), d.Ult(32, x, x),
                   d.Ult(32, x, K(1)), d.Ite(32, s.Extract(1, x, 0), U(0), U(1)), d.Add(32, d.And(32, x, K(0xff)), U(1)),
                   d.Fp(FpKind::kMul, FpAttr{}, x, K(0)), d.Eq(32, d.Concat(16, K(1, 16), 16, s.Extract(16, x, 0)), K(0x10000))}) {
    EXPECT_TRUE(s.ContainsUndef(t)) << s.ToString(t);
  }
  EXPECT_EQ(s.undef_cause(x), 7u);
  // Selecting other bits is no use of the undefined ones.
  EXPECT_EQ(d.And(32, x, K(0)), K(0));
  EXPECT_EQ(d.Extract(16, d.Concat(16, s.Undef(16, 1), 16, H(0)), 32, 0), H(0));
  EXPECT_EQ(d.And(32, d.Concat(16, s.Undef(16, 1), 16, H(0)), K(0xffff)), d.ZExt(16, 32, H(0)));
  EXPECT_FALSE(s.ContainsUndef(d.Add(32, U(0), U(1))));
  // Nor is what has one value for all of theirs.
  EXPECT_EQ(d.Mul(32, x, K(0)), K(0));
  EXPECT_EQ(d.URem(32, x, K(1)), K(0));
  EXPECT_EQ(d.Ult(32, x, K(0)), K(0, 1));
  EXPECT_EQ(d.Ite(32, s.Extract(1, x, 0), U(0), U(0)), U(0));
  EXPECT_EQ(d.Eq(32, d.Concat(16, K(1, 16), 16, s.Extract(16, x, 0)), K(0)), K(0, 1));
}

// A long sum of which half is undefined grows by as many terms a step as it began with.
TEST_F(TermTest, LongSumsOfUndefinedHalves) {
  const TermId term = d.Concat(16, s.Undef(16, 1), 16, H(0));
  TermId sum = term;
  size_t before = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (i == 10) before = s.size();
    sum = d.Add(32, sum, i % 2 == 0 ? term : sum);
    if (i == 20) {
      EXPECT_LE(s.size() - before, 60u);
    }
  }
  EXPECT_FALSE(s.ContainsUndef(d.Extract(16, sum, 32, 0)));
  EXPECT_TRUE(s.ContainsUndef(d.Extract(1, sum, 32, 16)));
}

TEST_F(TermTest, PackedHalvesMoveAsSlices) {
  TermId packed = d.Concat(16, H(1), 16, H(0));
  EXPECT_EQ(d.Extract(16, packed, 32, 0), H(0));
  EXPECT_EQ(d.Extract(16, packed, 32, 16), H(1));
  EXPECT_EQ(d.LShr(32, packed, K(16)), d.ZExt(16, 32, H(1)));
  EXPECT_EQ(d.Or(32, d.Shl(32, packed, K(16)), d.LShr(32, packed, K(16))), d.Concat(16, H(0), 16, H(1)));
  // The same swap by adding, as address-like code does.
  EXPECT_EQ(d.Add(32, d.Shl(32, packed, K(16)), d.LShr(32, packed, K(16))), d.Concat(16, H(0), 16, H(1)));
  // A field inserted with masks (bfi).
  TermId kept = d.And(32, packed, K(0xffff0000u)), field = d.And(32, d.ZExt(16, 32, H(2)), K(0xffff));
  EXPECT_EQ(d.Or(32, kept, field), d.Concat(16, H(1), 16, H(2)));
  // Bytes taken apart and put together again.
  TermId bytes[4];
  for (unsigned i = 0; i < 4; ++i) bytes[i] = d.And(32, d.LShr(32, packed, K(8 * i)), K(0xff));
  TermId again = K(0);
  for (unsigned i = 0; i < 4; ++i) again = d.Or(32, again, d.Shl(32, bytes[i], K(8 * i)));
  EXPECT_EQ(again, packed);
  EXPECT_NE(d.Or(32, again, d.Shl(32, bytes[0], K(8))), packed);
  // Two registers to one 64-bit value and back.
  TermId wide = d.Concat(32, d.Concat(16, H(3), 16, H(2)), 32, packed);
  EXPECT_EQ(d.Extract(32, wide, 64, 0), packed);
  EXPECT_EQ(d.Extract(16, d.LShr(64, wide, K(32, 64)), 64, 0), H(2));
  // Signed bytes of a b32: shl 24, shr.s32 24.
  TermId byte = d.AShr(32, d.Shl(32, U(0), K(24)), K(24));
  EXPECT_EQ(byte, d.SExt(8, 32, d.Extract(8, U(0), 32, 0)));
  EXPECT_EQ(d.Extract(8, byte, 32, 0), d.Extract(8, U(0), 32, 0));
}

TEST_F(TermTest, SignOperationsOnPackedHalves) {
  FpAttr f16{.format = FpFormat::kF16};
  TermId packed = d.Concat(16, H(1), 16, H(0));
  TermId negated = d.Concat(16, d.Fp(FpKind::kNeg, f16, H(1)), 16, d.Fp(FpKind::kNeg, f16, H(0)));
  TermId magnitudes = d.Concat(16, d.Fp(FpKind::kAbs, f16, H(1)), 16, d.Fp(FpKind::kAbs, f16, H(0)));
  EXPECT_EQ(d.Xor(32, packed, K(0x80008000u)), negated);
  EXPECT_EQ(d.Xor(32, packed, K(0x8000u)), d.Concat(16, H(1), 16, d.Fp(FpKind::kNeg, f16, H(0))));
  EXPECT_EQ(d.And(32, packed, K(0x7fff7fffu)), magnitudes);
  EXPECT_NE(d.Xor(32, packed, K(0x40008000u)), negated);
  EXPECT_EQ(d.Xor(32, F(0), K(0x80000000u)), d.Fp(FpKind::kNeg, FpAttr{}, F(0)));
  // The sign bit of a b32 that is no f32: no sign operation.
  EXPECT_EQ(s.kind(d.Xor(32, U(0), K(0x80000000u))), TermKind::kBvXor);
}

TEST_F(TermTest, WideningBF16BySixteenBits) {
  TermId wide = d.Shl(32, d.ZExt(16, 32, B(0)), K(16));
  FpAttr f32;
  EXPECT_EQ(s.BitsToFp(FpFormat::kF32, wide), s.FpConvert(f32, s.FpInput(b, 0)));
  // An f16 shifted up is no widening, nor is a bf16 with other low bits.
  EXPECT_EQ(s.kind(s.BitsToFp(FpFormat::kF32, d.Shl(32, d.ZExt(16, 32, H(0)), K(16)))), TermKind::kBitsToFp);
  EXPECT_EQ(s.kind(s.BitsToFp(FpFormat::kF32, d.Or(32, wide, K(1)))), TermKind::kBitsToFp);
}

TEST_F(TermTest, FloatingPointIsNotFolded) {
  FpAttr f32;
  TermId x = s.FpInput(f, 0), zero = s.FpConst(FpFormat::kF32, 0), one = s.FpConst(FpFormat::kF32, 0x3f800000);
  EXPECT_EQ(s.kind(s.Fp(FpKind::kMul, f32, x, zero)), TermKind::kFpBinary);
  EXPECT_EQ(s.kind(s.Fp(FpKind::kMul, f32, x, one)), TermKind::kFpBinary);
  EXPECT_EQ(s.kind(s.Fp(FpKind::kSub, f32, x, x)), TermKind::kFpBinary);
  EXPECT_EQ(s.kind(s.Fp(FpKind::kAdd, f32, one, one)), TermKind::kFpBinary);
  EXPECT_EQ(s.Fp(FpKind::kNeg, f32, one), s.FpConst(FpFormat::kF32, 0xbf800000));
  FpAttr f16{.format = FpFormat::kF16};
  EXPECT_EQ(s.kind(s.FpConvert(f16, one)), TermKind::kFpConvert);  // narrowing rounds
  // Attributes keep operations apart.
  EXPECT_NE(s.Fp(FpKind::kAdd, f32, x, one), s.Fp(FpKind::kAdd, {.ftz = true}, x, one));
  EXPECT_NE(s.Fp(FpKind::kSqrt, f32, x), s.Fp(FpKind::kSqrt, {.approx = true}, x));
  FpAttr odd{.format = FpFormat::kF64, .rounding = Rounding::kRp, .sat = true, .full = true, .xorsign = true};
  SymbolId g = s.AddSymbol({"g", ScalarType::kF64, {}});
  EXPECT_EQ(s.fp_attr(s.Fp(FpKind::kDiv, odd, s.FpInput(g, 0), s.FpInput(g, 0))), odd);
}

TEST_F(TermTest, ClosedTermsHaveOnlyConstantsBelow) {
  TermId one = s.FpConst(FpFormat::kF32, 0x3f800000), three = s.FpConst(FpFormat::kF32, 0x40400000), x = s.FpInput(f, 0);
  FpAttr f32;
  TermId third = s.Fp(FpKind::kDiv, f32, one, three);
  EXPECT_TRUE(s.IsClosed(one));
  EXPECT_TRUE(s.IsClosed(K(7)));
  EXPECT_TRUE(s.IsClosed(s.Fp(FpKind::kFma, f32, third, third, one)));
  EXPECT_TRUE(s.IsClosed(s.FpCompare(CompareOp::kLt, false, third, one)));
  EXPECT_FALSE(s.IsClosed(x));
  EXPECT_FALSE(s.IsClosed(U(0)));
  EXPECT_FALSE(s.IsClosed(s.Undef(32, 1)));
  EXPECT_FALSE(s.IsClosed(s.FpReal(FpFormat::kF32, Rational(1, 3))));
  EXPECT_FALSE(s.IsClosed(s.Fp(FpKind::kAdd, f32, one, x)));
  EXPECT_FALSE(s.IsClosed(s.Fp(FpKind::kFma, f32, one, third, x)));
}

TEST_F(TermTest, AFloorIsNoConversion) {
  TermId x = s.FpInput(f, 0);
  for (Rounding r : {Rounding::kRni, Rounding::kRzi, Rounding::kRmi, Rounding::kRpi}) {
    EXPECT_DEATH(s.FpConvert({.rounding = r}, x), "RoundsToInteger");
    EXPECT_NE(s.Fp(FpKind::kRoundInt, {.rounding = r}, x), x);
  }
  EXPECT_EQ(s.FpConvert({.rounding = Rounding::kRm}, x), x);
}

TEST_F(TermTest, ConstantsWidenExactly) {
  auto widened = [](FpFormat from, FpFormat to, uint64_t bits) { return *WidenConstant(from, to, bits); };
  EXPECT_EQ(widened(FpFormat::kF16, FpFormat::kF32, 0x3c00), 0x3f800000u);              // 1
  EXPECT_EQ(widened(FpFormat::kF16, FpFormat::kF32, 0x0001), 0x33800000u);              // 2^-24, the smallest subnormal
  EXPECT_EQ(widened(FpFormat::kF16, FpFormat::kF32, 0xfbff), 0xc77fe000u);              // -65504
  EXPECT_EQ(widened(FpFormat::kF16, FpFormat::kF32, 0x8000), 0x80000000u);              // -0
  EXPECT_EQ(widened(FpFormat::kBF16, FpFormat::kF32, 0x0001), 0x00010000u);             // stays subnormal
  EXPECT_EQ(widened(FpFormat::kF32, FpFormat::kF64, 0x00000001), 0x36a0000000000000u);  // 2^-149
  EXPECT_EQ(widened(FpFormat::kE4M3, FpFormat::kF16, 0x7e), 0x5f00u);                   // 448
  EXPECT_FALSE(WidenConstant(FpFormat::kF16, FpFormat::kF32, 0x7c00).has_value());      // infinity
  EXPECT_FALSE(WidenConstant(FpFormat::kE4M3, FpFormat::kF16, 0x7f).has_value());       // NaN
  EXPECT_EQ(widened(FpFormat::kE2M3, FpFormat::kF16, 0x21), 0xb000u);                   // -1/8: the sign is bit 5
  EXPECT_EQ(widened(FpFormat::kE3M2, FpFormat::kF16, 0x1f), 0x4f00u);                   // 28: no infinity, no NaN
  EXPECT_EQ(widened(FpFormat::kE2M1, FpFormat::kF16, 0xf), 0xc600u);                    // -6
  EXPECT_EQ(widened(FpFormat::kUE8M0, FpFormat::kBF16, 0x00), 0x0040u);                 // 2^-127
  EXPECT_FALSE(WidenConstant(FpFormat::kUE8M0, FpFormat::kBF16, 0xff).has_value());
  EXPECT_FALSE(WidensExactly(FpFormat::kBF16, FpFormat::kF16));
  EXPECT_FALSE(WidensExactly(FpFormat::kF32, FpFormat::kF16));
  EXPECT_TRUE(WidensExactly(FpFormat::kE5M2, FpFormat::kF16));
}

// PTX ISA, "cvt": .rn rounds to the nearest, ties to even, .rz to zero.
TEST_F(TermTest, ConstantsOutOfRange) {
  using enum FpFormat;
  const auto convert = [](FpFormat from, FpFormat to, uint64_t bits, Rounding rounding = Rounding::kRn, bool ftz = false) {
    return ConvertOutOfRange(from, FpAttr{.format = to, .rounding = rounding, .ftz = ftz}, bits);
  };
  EXPECT_EQ(convert(kF32, kF16, 0x322bcc77), 0u);            // 1e-8
  EXPECT_EQ(convert(kF32, kF16, 0xb3000000), 0x8000u);       // -2^-25, a tie
  EXPECT_EQ(convert(kF32, kF16, 0x33000001), std::nullopt);  // up to 2^-24
  EXPECT_EQ(convert(kF32, kF16, 0x33000001, Rounding::kRz), 0u);
  EXPECT_EQ(convert(kF32, kF16, 0x33800000, Rounding::kRz), std::nullopt);  // 2^-24
  EXPECT_EQ(convert(kF32, kF16, 0x477fefff), std::nullopt);                 // below 65520: down to 65504
  EXPECT_EQ(convert(kF32, kF16, 0x477ff000), 0x7c00u);                      // 65520, a tie
  EXPECT_EQ(convert(kF32, kF16, 0xce6e6b28), 0xfc00u);                      // -1e9
  EXPECT_EQ(convert(kF32, kF16, 0x4e6e6b28, Rounding::kRz), 0x7bffu);
  EXPECT_EQ(convert(kF32, kF16, 0x477fffff, Rounding::kRz), std::nullopt);  // cut to 65504 like a number in range
  EXPECT_EQ(convert(kF32, kBF16, 0x7f7f7fff), std::nullopt);
  EXPECT_EQ(convert(kF32, kBF16, 0x7f7f8000), 0x7f80u);
  EXPECT_EQ(convert(kF32, kBF16, 0x00008000), 0u);  // half of the smallest subnormal
  EXPECT_EQ(convert(kF32, kBF16, 0x00010000, Rounding::kRn), std::nullopt);
  EXPECT_EQ(convert(kF64, kF32, 0x36a0000000000000), std::nullopt);  // 2^-149
  EXPECT_EQ(convert(kF64, kF32, 0x36a0000000000000, Rounding::kRn, true), 0u);
  EXPECT_EQ(convert(kF64, kF32, 0x3690000000000000), 0u);  // 2^-150
  EXPECT_EQ(convert(kF64, kF32, 0x47efffffefffffff), std::nullopt);
  EXPECT_EQ(convert(kF64, kF32, 0x47effffff0000000), 0x7f800000u);
  EXPECT_EQ(convert(kF64, kF32, 0xfe37e43c8800759c), 0xff800000u);  // -1e300
  EXPECT_EQ(convert(kF32, kF16, 0), std::nullopt);
  EXPECT_EQ(convert(kF32, kF16, 0x7f800000), std::nullopt);
  EXPECT_EQ(convert(kF16, kF32, 0x0001), std::nullopt);
  EXPECT_EQ(convert(kF32, kTF32, 0x00000001), std::nullopt);
  EXPECT_EQ(convert(kF32, kF16, 0x322bcc77, Rounding::kRp), std::nullopt);
}

TEST_F(TermTest, ConversionsKeepTheirFlags) {
  TermId x = s.FpInput(h, 5);
  FpAttr wraps{.format = FpFormat::kE4M3}, saturates = wraps;
  saturates.satfinite = true;
  EXPECT_NE(s.FpConvert(wraps, x), s.FpConvert(saturates, x));
  EXPECT_EQ(s.fp_attr(s.FpConvert(saturates, x)), saturates);
  EXPECT_EQ(s.fp_attr(s.FpConvert(wraps, x)), wraps);
  // The sign bit of a narrow value is flipped as a bit: its format has no arithmetic.
  TermId bits = s.FpToBits(s.FpConvert(saturates, x));
  EXPECT_EQ(s.kind(s.Bv(TermKind::kBvXor, 8, bits, s.BvConst(8, 0x80))), TermKind::kBvXor);
}

TEST_F(TermTest, Printing) {
  TermId x = s.FpInput(h, 5), y = s.FpInput(h, 0);
  FpAttr f16{.format = FpFormat::kF16}, down{.format = FpFormat::kF16, .rounding = Rounding::kRz};
  EXPECT_EQ(s.ToString(x), "h[1,1]");
  EXPECT_EQ(s.ToString(s.Fp(FpKind::kFma, f16, x, x, y)), "(h[1,1] * h[1,1] + h[0,0])");
  EXPECT_EQ(s.ToString(s.Fp(FpKind::kSub, down, x, y)), "(h[1,1] -.rz h[0,0])");
  EXPECT_EQ(s.ToString(s.FpConvert(FpAttr{}, s.Fp(FpKind::kSqrt, f16, x))), "f32(sqrt(h[1,1]))");
  EXPECT_EQ(s.ToString(s.FpConst(FpFormat::kF32, 0x3dcccccd)), "0.1");
  EXPECT_EQ(s.ToString(s.FpConst(FpFormat::kF32, 0x7f800000)), "f32:0x7f800000");
  EXPECT_EQ(s.ToString(d.Add(32, U(0), K(20000))), "(u[0] + 0x4e20)");
  TermId sum = y;
  for (int i = 0; i < 1'000'000; ++i) sum = s.Fp(FpKind::kAdd, f16, sum, x);
  EXPECT_LT(s.ToString(sum, 10).size(), 200u);  // a million deep, and no recursion
  EXPECT_NE(s.ToString(sum, 10).find("..."), std::string::npos);
}

// Every operation on its own operands is itself, attributes and all, and on others it is what its constructor makes. Broken once by
// giving every conversion to integers the rounding of the nearest.
TEST_F(TermTest, RebuiltOperations) {
  const TermId x = s.FpInput(f, 0), y = s.FpInput(f, 1), z = s.FpInput(f, 2), p = s.Bv(TermKind::kBvUlt, 32, U(0), U(1));
  for (TermKind kind : {TermKind::kBvAdd, TermKind::kBvSub, TermKind::kBvMul, TermKind::kBvUDiv, TermKind::kBvURem, TermKind::kBvSDiv,
                        TermKind::kBvSRem, TermKind::kBvAnd, TermKind::kBvOr, TermKind::kBvXor, TermKind::kBvShl, TermKind::kBvLShr,
                        TermKind::kBvAShr, TermKind::kBvEq, TermKind::kBvUlt, TermKind::kBvSlt}) {
    s.Bv(kind, 32, U(0), U(1));
  }
  s.BvNot(32, U(0));
  s.BvIte(32, p, U(0), U(1));
  s.Concat(s.Extract(7, U(0), 3), s.Extract(5, U(1), 9));
  s.SExt(64, U(0));
  s.FpCompare(CompareOp::kLe, true, x, y);
  for (Rounding rounding : {Rounding::kRzi, Rounding::kRmi}) s.FpToInt(ScalarType::kS32, rounding, true, false, x);
  s.BitsToFp(FpFormat::kF32, U(0));
  s.FpToBits(s.FpIte(p, x, y));
  FpAttr attr;
  attr.sat = true;
  attr.rounding = Rounding::kRz;
  s.Fp(FpKind::kSqrt, attr, x);
  s.Fp(FpKind::kAdd, attr, x, y);
  s.Fp(FpKind::kFma, attr, x, y, z);
  s.IntToFp(ScalarType::kS32, attr, U(0));
  attr.format = FpFormat::kF16;
  s.FpConvert(attr, x);
  std::set<TermKind> kinds;
  const size_t made = s.size();
  for (uint32_t raw = 1; raw < made; ++raw) {
    const TermId t{raw};
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    for (unsigned i = 0; i < s.arity(t); ++i) operands[i] = s.operand(t, i);
    EXPECT_EQ(Rebuild(s, t, operands[0], operands[1], operands[2]), t) << s.ToString(t);
    if (s.arity(t) > 0) kinds.insert(s.kind(t));
  }
  EXPECT_EQ(s.size(), made);
  EXPECT_EQ(kinds.size(), 31U);  // all that have operands but BvZExt, which is never made
  EXPECT_EQ(Rebuild(s, d.Add(32, U(0), U(1)), U(2), K(0)), U(2));
}

}  // namespace
}  // namespace racer
