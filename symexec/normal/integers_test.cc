// Numbers of patterns: what conversions of bit-vectors come to, by hand and against random terms.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/normal/describe.h"
#include "symexec/normal/normal.h"
#include "symexec/normal/testing_world.h"
#include "symexec/term/fold.h"

namespace racer::normal {
namespace {

struct IntegerWorld : World {
  IntegerWorld() {
    s8 = store.AddSymbol({"q", ScalarType::kS8, {64}});
    u8 = store.AddSymbol({"b", ScalarType::kU8, {64}});
    u32 = store.AddSymbol({"w", ScalarType::kU32, {64}});
    low_half = store.AddSymbol({"z", ScalarType::kS32, {64}});
    ranges.resize(static_cast<size_t>(low_half) + 1);
    ranges.back().low = Rational(0);
    ranges.back().high = Rational(127);
  }
  TermId Q(uint32_t i = 0) { return store.BvInput(s8, i); }
  TermId B(uint32_t i = 0) { return store.BvInput(u8, i); }
  TermId W(uint32_t i = 0) { return store.BvInput(u32, i); }
  TermId Z(uint32_t i = 0) { return store.BvInput(low_half, i); }
  TermId K(unsigned w, uint64_t bits) { return store.BvConst(w, bits); }
  TermId Float(ScalarType from, TermId bits) { return store.IntToFp(from, FpAttr{}, bits); }
  TermId Bv(TermKind kind, TermId a, TermId b) { return store.Bv(kind, store.width(a), a, b); }
  TermId ToInt(TermId fp, Rounding rounding = Rounding::kRni, ScalarType to = ScalarType::kS32) {
    return store.FpToInt(to, rounding, false, false, fp);
  }
  TermId Clamp(TermId fp, float low, float high) { return Min(Max(fp, C(low)), C(high)); }
  // Clamps a signed pattern.
  TermId IntClamp(TermId bits, int64_t low, int64_t high) {
    const unsigned w = store.width(bits);
    const TermId l = K(w, static_cast<uint64_t>(low)), h = K(w, static_cast<uint64_t>(high));
    const TermId above = store.BvIte(w, store.Bv(TermKind::kBvSlt, w, bits, l), l, bits);
    return store.BvIte(w, store.Bv(TermKind::kBvSlt, w, h, above), h, above);
  }
  bool Same(TermId a, TermId b) { return Form(a) == Form(b); }
  bool SameInteger(TermId a, TermId b) { return strict.NormalizeInteger(a, nullptr).poly == strict.NormalizeInteger(b, nullptr).poly; }
  SymbolId s8, u8, u32, low_half;
};

TEST(Integers, OneByteOfAnyWidth) {
  IntegerWorld o;
  const TermId s32 = o.Signed(o.store.SExt(32, o.Q())), s16 = o.Float(ScalarType::kS16, o.store.SExt(16, o.Q()));
  EXPECT_TRUE(o.Same(s32, s16));
  EXPECT_TRUE(o.Same(s32, o.Float(ScalarType::kS8, o.Q())));
  const TermId zero_extended = o.store.ZExt(32, o.Q());
  EXPECT_FALSE(o.Same(s32, o.Signed(zero_extended)));
  // The sign flipped and 128 taken away, as a number and as a pattern.
  const TermId flipped = o.store.ZExt(32, o.Bv(TermKind::kBvXor, o.Q(), o.K(8, 0x80)));
  EXPECT_TRUE(o.Same(s32, o.Sub(o.Signed(flipped), o.C(128))));
  EXPECT_TRUE(o.Same(s32, o.Signed(o.Bv(TermKind::kBvSub, flipped, o.K(32, 128)))));
  EXPECT_FALSE(o.Same(s32, o.Sub(o.Signed(flipped), o.C(127))));
  // ... of four at once.
  const TermId word = o.store.Concat(o.Q(3), o.store.Concat(o.Q(2), o.store.Concat(o.Q(), o.Q(1))));
  const TermId all = o.Bv(TermKind::kBvXor, word, o.K(32, 0x80808080));
  EXPECT_TRUE(o.Same(s32, o.Sub(o.Signed(o.store.ZExt(32, o.store.Extract(8, all, 8))), o.C(128))));
  EXPECT_FALSE(o.Same(s32, o.Sub(o.Signed(o.store.ZExt(32, o.store.Extract(8, all, 16))), o.C(128))));
  EXPECT_FALSE(o.Same(s32, o.Unsigned(o.Bv(TermKind::kBvSub, flipped, o.K(32, 128)))));  // wraps below zero
}

TEST(Integers, DifferencesThatDoNotWrap) {
  IntegerWorld o;
  const TermId b = o.store.ZExt(32, o.B()), z = o.Z();
  const TermId apart = o.Sub(o.Signed(b), o.Signed(z));
  EXPECT_TRUE(o.Same(apart, o.Signed(o.Bv(TermKind::kBvSub, b, z))));
  EXPECT_FALSE(o.Same(apart, o.Unsigned(o.Bv(TermKind::kBvSub, b, z))));  // may be negative
  // 16 bits hold a difference of bytes, 8 do not.
  const TermId c = o.B(1);
  const TermId of16 = o.Bv(TermKind::kBvSub, o.store.ZExt(16, o.B()), o.store.ZExt(16, c));
  const TermId bytes = o.Sub(o.Float(ScalarType::kU8, o.B()), o.Float(ScalarType::kU8, c));
  EXPECT_TRUE(o.Same(bytes, o.Float(ScalarType::kS16, of16)));
  EXPECT_FALSE(o.Same(bytes, o.Float(ScalarType::kS8, o.Bv(TermKind::kBvSub, o.B(), c))));
  // Words wrap.
  EXPECT_FALSE(o.Same(o.Add(o.Unsigned(o.W()), o.Unsigned(o.W(1))), o.Unsigned(o.Bv(TermKind::kBvAdd, o.W(), o.W(1)))));
  EXPECT_FALSE(o.Same(o.Signed(o.W()), o.Unsigned(o.W())));
  // ... alike in another order, also where they do.
  const TermId left = o.Bv(TermKind::kBvAdd, o.Bv(TermKind::kBvAdd, o.W(), o.W(1)), o.W(2));
  const TermId right = o.Bv(TermKind::kBvAdd, o.W(), o.Bv(TermKind::kBvAdd, o.W(1), o.W(2)));
  EXPECT_TRUE(o.Same(o.Signed(left), o.Signed(right)));
  EXPECT_TRUE(o.Same(o.Unsigned(left), o.Unsigned(right)));
  EXPECT_FALSE(o.Same(o.Signed(left), o.Unsigned(right)));
}

TEST(Integers, ProductsOfBytes) {
  IntegerWorld o;
  const TermId a = o.store.SExt(32, o.Q()), b = o.store.SExt(32, o.Q(1));
  EXPECT_TRUE(o.Same(o.Signed(o.Bv(TermKind::kBvMul, a, b)), o.Mul(o.Signed(a), o.Signed(b))));
  const TermId a16 = o.store.SExt(16, o.Q()), b16 = o.store.SExt(16, o.Q(1));
  EXPECT_TRUE(o.Same(o.Float(ScalarType::kS16, o.Bv(TermKind::kBvMul, a16, b16)), o.Mul(o.Signed(a), o.Signed(b))));  // 2^14 at most
  EXPECT_FALSE(o.Same(o.Signed(o.Bv(TermKind::kBvMul, o.W(), o.W(1))), o.Mul(o.Signed(o.W()), o.Signed(o.W(1)))));
}

TEST(Integers, NibblesByShiftMaskAndSignTricks) {
  IntegerWorld o;
  for (unsigned at : {0u, 4u, 20u, 28u}) {
    SCOPED_TRACE(at);
    const TermId nibble = o.store.Extract(4, o.W(), at);
    const TermId two = o.Signed(o.store.SExt(32, nibble));
    const TermId up = o.Bv(TermKind::kBvShl, o.W(), o.K(32, 28 - at));
    EXPECT_TRUE(o.Same(two, o.Signed(o.Bv(TermKind::kBvAShr, up, o.K(32, 28)))));
    const TermId masked = o.Bv(TermKind::kBvAnd, o.Bv(TermKind::kBvLShr, o.W(), o.K(32, at)), o.K(32, 15));
    const TermId biased = o.Bv(TermKind::kBvSub, o.Bv(TermKind::kBvXor, masked, o.K(32, 8)), o.K(32, 8));
    EXPECT_TRUE(o.Same(two, o.Signed(biased)));
    EXPECT_TRUE(o.Same(o.Sub(o.Signed(masked), o.C(8)), o.Signed(o.Bv(TermKind::kBvSub, masked, o.K(32, 8)))));
    EXPECT_FALSE(o.Same(two, o.Sub(o.Signed(masked), o.C(8))));
    EXPECT_FALSE(o.Same(two, o.Signed(o.Bv(TermKind::kBvAShr, up, o.K(32, 27)))));
    // 16 times the nibble where it stands.
    const TermId in_place = o.Bv(TermKind::kBvAnd, o.Bv(TermKind::kBvLShr, o.W(), o.K(32, at)), o.K(32, 15));
    EXPECT_TRUE(o.Same(o.Signed(o.Bv(TermKind::kBvShl, in_place, o.K(32, 4))), o.Mul(o.C(16), o.Signed(masked))));
  }
}

TEST(Integers, PatternsUnderALargeExponent) {
  IntegerWorld o;
  const TermId number = o.Float(ScalarType::kU8, o.B());
  const auto value = [&](unsigned w, uint64_t base, TermId bits) { return o.Bv(TermKind::kBvOr, o.store.ZExt(w, bits), o.K(w, base)); };
  const auto f32 = [&](uint64_t base, TermId bits) { return o.store.BitsToFp(FpFormat::kF32, value(32, base, bits)); };
  EXPECT_TRUE(o.Same(o.Sub(f32(0x4b000000, o.B()), o.C(8388608)), number));
  EXPECT_TRUE(o.Same(o.Add(f32(0xcb000000, o.B()), o.C(8388608)), o.Neg(number)));
  EXPECT_TRUE(o.Same(o.Sub(f32(0x4b400000, o.B()), o.C(12582912)), number));
  EXPECT_FALSE(o.Same(o.Sub(f32(0x4b800000, o.B()), o.C(16777216)), number));
  EXPECT_TRUE(o.Same(o.Sub(f32(0x4b800000, o.B()), o.C(16777216)), o.Mul(o.C(2), number)));
  EXPECT_FALSE(o.Same(o.Sub(f32(0x4b000000, o.B()), o.C(8388607)), number));
  const FpAttr f16{.format = FpFormat::kF16};
  const auto half = [&](float c) { return o.store.FpConvert(f16, o.C(c)); };
  const TermId nibble = o.store.Extract(4, o.W(), 8);
  const TermId h = o.store.BitsToFp(FpFormat::kF16, value(16, 0x6400, nibble));
  const TermId n = o.Unsigned(o.store.ZExt(32, nibble));
  EXPECT_TRUE(o.Same(o.store.Fp(FpKind::kSub, f16, h, half(1024)), n));
  const TermId upper = o.store.BitsToFp(FpFormat::kF16, o.store.Concat(o.K(8, 0x64), o.store.Concat(nibble, o.K(4, 0))));
  EXPECT_TRUE(o.Same(o.store.Fp(FpKind::kFma, f16, upper, half(0.0625f), half(-72)), o.Sub(n, o.C(8))));
  const TermId f64 = o.store.BitsToFp(FpFormat::kF64, o.store.Concat(o.K(32, 0x43300000), o.W()));
  EXPECT_TRUE(o.Same(o.store.Fp(FpKind::kSub, {.format = FpFormat::kF64}, f64, o.store.FpConst(FpFormat::kF64, 0x4330000000000000)),
                     o.Unsigned(o.W())));
  // Exponents that are not known, zero or that of infinities stay what they are.
  for (uint64_t base : {0x7f800000u, 0x00000000u}) {
    const TermId t = f32(base, o.B());
    EXPECT_EQ(o.algebra.size(o.Form(t)), 1u) << base;
    EXPECT_EQ(o.algebra.rule_count(Rule::kPatternValue) > 0, true);
  }
  IntegerWorld miss;
  miss.Form(miss.store.BitsToFp(FpFormat::kF32, miss.store.Concat(miss.K(8, 0x4b), miss.store.Extract(24, miss.W(), 0))));
  EXPECT_EQ(miss.algebra.rule_count(Rule::kPatternValue), 0u);  // the last bit of the exponent is an input
}

TEST(Integers, ClampsBeforeAndAfterRounding) {
  IntegerWorld o;
  const TermId v = o.Mul(o.X(0), o.X(1));
  const TermId after = o.IntClamp(o.ToInt(v), -128, 127);
  const auto rounded = [&](TermId t) { return o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRni}, t); };
  EXPECT_TRUE(o.SameInteger(after, o.ToInt(o.Clamp(v, -128, 127))));
  EXPECT_TRUE(o.SameInteger(after, o.ToInt(o.Clamp(rounded(v), -128, 127), Rounding::kRzi)));
  EXPECT_TRUE(o.SameInteger(after, o.ToInt(o.Max(o.Min(rounded(v), o.C(127)), o.C(-128)), Rounding::kRzi)));
  EXPECT_TRUE(o.SameInteger(after, o.store.SExt(32, o.ToInt(v, Rounding::kRni, ScalarType::kS8))));
  EXPECT_TRUE(o.SameInteger(o.store.Extract(8, after, 0), o.ToInt(v, Rounding::kRni, ScalarType::kS8)));
  EXPECT_FALSE(o.SameInteger(after, o.ToInt(o.Clamp(v, -127, 127))));
  EXPECT_FALSE(o.SameInteger(after, o.ToInt(o.Clamp(v, -128, 126.5f))));  // 126.5 rounds to 126
  EXPECT_TRUE(o.SameInteger(after, o.store.SExt(32, o.ToInt(o.Clamp(v, -128, 127.5f), Rounding::kRni, ScalarType::kS8))));
  EXPECT_FALSE(o.SameInteger(after, o.ToInt(o.Clamp(v, -128, 127), Rounding::kRzi)));
  EXPECT_FALSE(o.SameInteger(o.store.Extract(8, o.ToInt(v), 0), o.ToInt(v, Rounding::kRni, ScalarType::kS8)));  // wraps
  EXPECT_FALSE(o.SameInteger(o.store.ZExt(32, o.ToInt(v, Rounding::kRni, ScalarType::kU8)), after));
  // Of a quotient by what is positive.
  const TermId scale = o.Div(o.Max(o.Max(o.Abs(o.X(0)), o.Abs(o.X(1))), o.C(1e-5f)), o.C(127));
  const TermId product = o.Mul(o.X(0), o.Div(o.C(127), o.Max(o.Max(o.Abs(o.X(1)), o.C(1e-5f)), o.Abs(o.X(0)))));
  EXPECT_TRUE(
      o.SameInteger(o.ToInt(o.Clamp(rounded(o.Div(o.X(0), scale)), -127, 127), Rounding::kRzi), o.IntClamp(o.ToInt(product), -127, 127)));
  // A quotient that may be undefined is none.
  const TermId undefined = o.ToInt(o.Div(o.X(0), o.Abs(o.X(1))));
  EXPECT_EQ(o.strict.NormalizeInteger(undefined, nullptr).poly, kNoPoly);
}

TEST(Integers, OnlyWhatIsAnIntegerOnDevicesIsNotRounded) {
  IntegerWorld o;
  const TermId n = o.Signed(o.store.SExt(32, o.Q()));
  const auto floor = [&](TermId t) { return o.store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRmi}, t); };
  EXPECT_TRUE(o.Same(floor(o.Fma(n, o.C(3), o.C(1))), o.Fma(n, o.C(3), o.C(1))));
  // (n / 49) * 49 is n over the reals and less on a device.
  EXPECT_FALSE(o.Same(floor(o.Mul(o.Div(n, o.C(49)), o.C(49))), n));
  EXPECT_FALSE(o.Same(floor(o.Mul(n, o.C(0.5f))), o.Mul(n, o.C(0.5f))));
}

// --- random terms against numbers

class RandomIntegers {
 public:
  RandomIntegers(IntegerWorld& world, uint64_t seed) : o_(world), random_(seed) {}

  TermId Term(unsigned w, int depth) {
    TermStore& s = o_.store;
    const uint64_t pick = depth == 0 ? random_.Below(2) : random_.Below(14);
    const auto sub = [&](unsigned width) { return Term(width, depth - 1); };
    switch (pick) {
      case 0: return s.BvConst(w, random_.Below(2) == 0 ? random_.Below(16) : ~random_.Below(16));
      case 1: return Leaf(w);
      case 2: return s.Bv(TermKind::kBvAdd, w, sub(w), sub(w));
      case 3: return s.Bv(TermKind::kBvSub, w, sub(w), sub(w));
      case 4: return s.Bv(TermKind::kBvMul, w, sub(w), sub(w));
      case 5: return s.BvNot(w, sub(w));
      case 6: {
        const unsigned low = 1 + static_cast<unsigned>(random_.Below(w));
        return low >= w ? sub(w) : s.Concat(sub(w - low), sub(low));
      }
      case 7: {
        const unsigned more = static_cast<unsigned>(random_.Below(8));
        return w + more > 24 ? sub(w) : s.Extract(w, sub(w + more), static_cast<unsigned>(random_.Below(more + 1)));
      }
      case 8: {
        const unsigned from = 1 + static_cast<unsigned>(random_.Below(w));
        return s.SExt(w, sub(from));
      }
      case 9: {
        const unsigned from = 1 + static_cast<unsigned>(random_.Below(w));
        return s.ZExt(w, sub(from));
      }
      case 10: return s.Bv(TermKind::kBvXor, w, sub(w), s.BvConst(w, uint64_t{1} << random_.Below(w)));
      case 11: return s.Bv(random_.Below(2) == 0 ? TermKind::kBvAnd : TermKind::kBvUDiv, w, sub(w), sub(w));
      default: {
        const TermId a = sub(w), b = sub(w);
        const TermId less = s.Bv(pick == 12 ? TermKind::kBvSlt : TermKind::kBvUlt, w, a, b);
        return random_.Below(2) == 0 ? s.BvIte(w, less, a, b) : s.BvIte(w, less, b, a);
      }
    }
  }

  TermId Leaf(unsigned w) {
    const uint32_t cell = static_cast<uint32_t>(random_.Below(2));
    const TermId leaf = random_.Below(2) == 0 ? o_.Q(cell) : o_.B(cell);
    if (w < 8) return o_.store.Extract(w, leaf, static_cast<unsigned>(random_.Below(8 - w + 1)));
    return random_.Below(2) == 0 ? o_.store.SExt(w, leaf) : o_.store.ZExt(w, leaf);
  }

  // The pattern, by the meaning of the operations.
  uint64_t Bits(TermId t, const std::map<TermId, uint64_t>& inputs) {
    const TermStore& s = o_.store;
    const unsigned w = s.width(t);
    const auto of = [&](unsigned i) { return Bits(s.operand(t, i), inputs); };
    const auto width = [&](unsigned i) { return s.width(s.operand(t, i)); };
    switch (s.kind(t)) {
      case TermKind::kBvConst: return s.const_bits(t);
      case TermKind::kBvInput: return inputs.at(t);
      case TermKind::kBvAdd: return (of(0) + of(1)) & fold::Mask(w);
      case TermKind::kBvSub: return (of(0) - of(1)) & fold::Mask(w);
      case TermKind::kBvMul: return (of(0) * of(1)) & fold::Mask(w);
      case TermKind::kBvUDiv: return fold::UDiv(w, of(0), of(1));
      case TermKind::kBvAnd: return of(0) & of(1);
      case TermKind::kBvOr: return of(0) | of(1);
      case TermKind::kBvXor: return of(0) ^ of(1);
      case TermKind::kBvLShr: return fold::LShr(w, of(0), of(1));
      case TermKind::kBvNot: return ~of(0) & fold::Mask(w);
      case TermKind::kBvConcat: return of(0) << width(1) | of(1);
      case TermKind::kBvExtract: return of(0) >> s.extract_lo(t) & fold::Mask(w);
      case TermKind::kBvSExt: return fold::SExt(width(0), w, of(0));
      case TermKind::kBvIte: return of(0) != 0 ? of(1) : of(2);
      case TermKind::kBvEq: return of(0) == of(1) ? 1 : 0;
      case TermKind::kBvSlt: return fold::Signed(width(0), of(0)) < fold::Signed(width(0), of(1)) ? 1 : 0;
      case TermKind::kBvUlt: return of(0) < of(1) ? 1 : 0;
      default: ADD_FAILURE() << s.ToString(t); return 0;
    }
  }

  // The form, by the meaning of the atoms.
  Rational Value(PolyId form, const std::map<TermId, uint64_t>& inputs) {
    Rational sum;
    for (size_t i = 0; i < o_.algebra.size(form); ++i) {
      Rational product = o_.algebra.coefficients(form)[i];
      for (const AtomPower& p : o_.algebra.mono(o_.algebra.monos(form)[i])) product *= Value(p.atom, inputs).Pow(p.exponent);
      sum += product;
    }
    return sum;
  }
  Rational Value(AtomId id, const std::map<TermId, uint64_t>& inputs) {
    const Atom& a = o_.algebra.atom(id);
    Rational value;
    switch (a.kind) {
      case AtomKind::kInput:
      case AtomKind::kOpaque: {
        const uint64_t bits = Bits(a.term, inputs);
        const bool is_signed = a.range->low->Sign() < 0;  // of an input or an atom
        value = is_signed ? Rational(fold::Signed(o_.store.width(a.term), bits)) : Rational(static_cast<int64_t>(bits));
        break;
      }
      case AtomKind::kMax:
        value = Value(PolyId{a.args[0]}, inputs);
        for (uint32_t arg : a.args) value = std::max(value, Value(PolyId{arg}, inputs));
        break;
      case AtomKind::kAbs: {
        value = Value(a.poly, inputs);
        if (value.Sign() < 0) value = -value;
        break;
      }
      case AtomKind::kFunction: value = *RoundToInteger(Value(PolyId{a.args[0]}, inputs), Rounding::kRm); break;
      default: ADD_FAILURE() << static_cast<int>(a.kind);
    }
    if (a.range != nullptr) {
      const std::string what =
          value.ToString() + " in " + (a.kind == AtomKind::kFunction ? DescribeForm(o_.shared, PolyId{a.args[0]}, 9) : "");
      EXPECT_FALSE(a.range->low && value < *a.range->low) << what;
      EXPECT_FALSE(a.range->high && *a.range->high < value) << what;
    }
    EXPECT_TRUE(!a.integer || value.IsInteger());
    const Signs sign = value.Sign() < 0 ? kNegative : value.Sign() > 0 ? kPositive : kZeroSign;
    EXPECT_NE(a.signs & sign, 0);
    return value;
  }

  std::map<TermId, uint64_t> Inputs() {
    std::map<TermId, uint64_t> inputs;
    for (uint32_t cell : {0u, 1u}) {
      for (TermId leaf : {o_.Q(cell), o_.B(cell)}) {
        const uint64_t ends[] = {0, 0x7f, 0x80, 0xff};
        inputs[leaf] = random_.Below(2) == 0 ? ends[random_.Below(4)] : random_.Below(256);
      }
    }
    return inputs;
  }

 private:
  IntegerWorld& o_;
  RandomStream random_;
};

// Broken once: with no floor where an interval does not say how often a number wraps.
TEST(Integers, RandomTermsAreTheirForms) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    IntegerWorld o;
    RandomIntegers random(o, seed);
    const unsigned w = seed % 3 == 0 ? 16 : seed % 3 == 1 ? 8 : 5;
    const TermId t = random.Term(w, 4);
    const PolyId form = o.strict.NormalizeInteger(t, nullptr).poly;
    ASSERT_NE(form, kNoPoly);
    for (int point = 0; point < 12; ++point) {
      const std::map<TermId, uint64_t> inputs = random.Inputs();
      ASSERT_EQ(random.Value(form, inputs), Rational(static_cast<int64_t>(random.Bits(t, inputs)))) << seed << ": " << o.store.ToString(t);
      const Signs known = o.algebra.SignsOf(form);
      const int sign = random.Value(form, inputs).Sign();
      ASSERT_NE(known & (sign < 0 ? kNegative : sign > 0 ? kPositive : kZeroSign), 0) << seed;
    }
  }
}

}  // namespace
}  // namespace racer::normal
