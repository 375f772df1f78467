#include "checker/renaming.h"

#include <gtest/gtest.h>

namespace racer {
namespace {

constexpr FpAttr kF32{};

class RenamingTest : public ::testing::Test {
 protected:
  RenamingTest()
      : x_(store_.AddSymbol({"x", ScalarType::kF32, {8}})),
        y_(store_.AddSymbol({"y", ScalarType::kF32, {8}})),
        half_(store_.AddSymbol({"h", ScalarType::kF16, {8}})),
        a_(store_.AddSymbol({"a", ScalarType::kF32, {}})),
        b_(store_.AddSymbol({"b", ScalarType::kF32, {}})),
        c_(store_.AddSymbol({"c", ScalarType::kF32, {}})),
        u_(store_.AddSymbol({"u", ScalarType::kU32, {8}})),
        s_(store_.AddSymbol({"s", ScalarType::kS32, {8}})),
        ranges_(store_.symbol_count()) {
    ranges_[static_cast<size_t>(a_)] = {Rational(0), Rational(10), true, false};
    ranges_[static_cast<size_t>(b_)] = {Rational(0), Rational(10), true, false};
    ranges_[static_cast<size_t>(c_)] = {Rational(0), Rational(10), false, false};
  }
  TermId In(SymbolId symbol, uint32_t cell = 0) { return store_.FpInput(symbol, cell); }
  TermId Mul(TermId l, TermId r) { return store_.Fp(FpKind::kMul, kF32, l, r); }
  TermId Sub(TermId l, TermId r) { return store_.Fp(FpKind::kSub, kF32, l, r); }
  TermId C(uint64_t bits) { return store_.FpConst(FpFormat::kF32, bits); }
  Renaming::Spelling Spell(std::initializer_list<TermId> roots) {
    std::optional<Renaming::Spelling> spelling = renaming_.Spell(roots, 1000);
    EXPECT_TRUE(spelling.has_value());
    return spelling.value_or(Renaming::Spelling{});
  }
  bool Same(std::initializer_list<TermId> a, std::initializer_list<TermId> b) { return Spell(a) == Spell(b); }

  TermStore store_;
  SymbolId x_, y_, half_, a_, b_, c_, u_, s_;
  SymbolRanges ranges_;
  Renaming renaming_{store_, ranges_};
};

TEST_F(RenamingTest, CellsAndSymbolsOfTheSameFactsAreInterchangeable) {
  EXPECT_TRUE(Same({Sub(In(x_, 0), In(x_, 1)), In(x_, 0)}, {Sub(In(x_, 5), In(x_, 3)), In(x_, 5)}));
  EXPECT_TRUE(Same({Sub(In(x_, 0), In(y_, 1))}, {Sub(In(y_, 5), In(x_, 3))}));
  EXPECT_TRUE(Same({Sub(In(a_), In(x_, 0))}, {Sub(In(b_), In(y_, 1))}));
}

// Each line fails when the part of the spelling that it names is left out (each was, once).
TEST_F(RenamingTest, WhatTheSolverIsToldMakesADifference) {
  EXPECT_FALSE(Same({Sub(In(a_), In(x_, 0))}, {Sub(In(c_), In(x_, 0))}));        // range: (0, 10] and [0, 10]
  EXPECT_FALSE(Same({Sub(In(a_), In(x_, 0))}, {Sub(In(y_, 0), In(x_, 0))}));     // range: none
  EXPECT_FALSE(Same({store_.BvInput(u_, 0)}, {store_.BvInput(s_, 0)}));          // dtype: the range is read as signed or not
  EXPECT_FALSE(Same({Sub(In(x_, 0), In(x_, 1))}, {Sub(In(x_, 0), In(x_, 0))}));  // one cell twice
  EXPECT_FALSE(Same({Sub(Sub(In(x_, 0), In(x_, 1)), In(x_, 0))}, {Sub(Sub(In(x_, 0), In(x_, 1)), In(x_, 1))}));  // which of two
  EXPECT_FALSE(Same({Sub(In(x_, 0), In(x_, 1)), In(x_, 0)}, {Sub(In(x_, 0), In(x_, 1)), In(x_, 1)}));  // which cell, across the pair
  EXPECT_FALSE(Same({Sub(In(x_, 0), C(0x3f800000))}, {Sub(In(x_, 0), C(0x3f800001))}));                // literal
  EXPECT_FALSE(Same({Sub(In(x_, 0), store_.FpReal(FpFormat::kF32, Rational(1, 3)))},
                    {Sub(In(x_, 0), store_.FpReal(FpFormat::kF32, Rational(1, 5)))}));  // real number
  EXPECT_FALSE(Same({Sub(In(x_, 0), In(x_, 1))}, {Mul(In(x_, 0), In(x_, 1))}));         // operation
  TermId u = store_.BvInput(u_, 0), v = store_.BvInput(u_, 1);
  EXPECT_FALSE(Same({store_.Bv(TermKind::kBvAdd, 32, u, v)}, {store_.Bv(TermKind::kBvSub, 32, u, v)}));
  FpAttr sat = kF32;
  sat.sat = true;
  EXPECT_FALSE(Same({Sub(In(x_, 0), In(x_, 1))}, {store_.Fp(FpKind::kSub, sat, In(x_, 0), In(x_, 1))}));  // its attributes
  EXPECT_FALSE(Same({store_.Extract(8, store_.BvInput(u_, 0), 8)}, {store_.Extract(8, store_.BvInput(u_, 0), 16)}));
  // The order of the pair, where the terms below are the same.
  TermId first = Sub(In(x_, 0), In(x_, 1)), second = Sub(first, In(x_, 0));
  EXPECT_FALSE(Same({first, second}, {second, first}));
}

TEST_F(RenamingTest, TooManyTermsHaveNoSpelling) {
  TermId sum = In(x_, 0);
  for (int i = 0; i < 10; ++i) sum = Sub(sum, In(x_, 1));
  EXPECT_TRUE(renaming_.Spell({sum}, 12).has_value());
  EXPECT_FALSE(renaming_.Spell({sum}, 11).has_value());
}

}  // namespace
}  // namespace racer
