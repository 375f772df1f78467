// Short spellings for building R terms in tests and benchmarks.
#ifndef RACER_SYMEXEC_NORMAL_TESTING_H_
#define RACER_SYMEXEC_NORMAL_TESTING_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "symexec/normal/constant_table.h"
#include "symexec/normal/normal.h"
#include "symexec/term/term.h"

namespace racer {

// A table of constants with a handful of f32 literals.
class FewConstants : public ConstantTable {
 public:
  FewConstants() {
    Add(1.0f / 3, {"1/3", Rational(1, 3), Rational(1), 1.0 / 3});
    Add(0.1f, {"1/10", Rational(1, 10), Rational(1), 0.2});
    Add(0.2f, {"1/5", Rational(1, 5), Rational(1), 0.2});
    Add(1.0f / 384, {"1/384", Rational(1, 384), Rational(1), 1.0 / 3});
    Add(1.0f / 3840, {"1/3840", Rational(1, 3840), Rational(1), 0.25});
    Add(static_cast<float>(1 / std::sqrt(128.0)), {"1/sqrt(128)", Rational(1), Rational(1, 128), 0.25});
    Add(static_cast<float>(std::sqrt(96.0)), {"sqrt(96)", Rational(1), Rational(96), 0.25});
  }
  std::optional<NamedReal> Find(FpFormat format, uint64_t bits) const override {
    auto it = f32_.find(static_cast<uint32_t>(bits));
    if (format != FpFormat::kF32 || it == f32_.end()) return std::nullopt;
    return it->second;
  }

 private:
  void Add(float literal, const NamedReal& real) { f32_.emplace(std::bit_cast<uint32_t>(literal), real); }
  std::map<uint32_t, NamedReal> f32_;
};

// x, y, z, ... are unbounded f32 cells; p, q, r positive ones; n a nonnegative one; u in [0, 1]; m a negative one.
struct Terms {
  Terms() {
    any = store.AddSymbol({"x", ScalarType::kF32, {1 << 20}});
    positive = store.AddSymbol({"p", ScalarType::kF32, {64}});
    nonnegative = store.AddSymbol({"n", ScalarType::kF32, {64}});
    unit = store.AddSymbol({"u", ScalarType::kF32, {64}});
    integers = store.AddSymbol({"i", ScalarType::kU32, {64}});
    negative = store.AddSymbol({"m", ScalarType::kF32, {64}});
    signed_integers = store.AddSymbol({"j", ScalarType::kS32, {64}});
    ranges.resize(6);
    ranges[1].low = Rational(0);
    ranges[1].low_open = true;
    ranges[2].low = Rational(0);
    ranges[3].low = Rational(0);
    ranges[3].high = Rational(1);
    ranges[5].high = Rational(0);
    ranges[5].high_open = true;
  }
  TermId X(uint32_t i) { return store.FpInput(any, i); }
  TermId P(uint32_t i) { return store.FpInput(positive, i); }
  TermId N(uint32_t i) { return store.FpInput(nonnegative, i); }
  TermId U(uint32_t i) { return store.FpInput(unit, i); }
  TermId M(uint32_t i) { return store.FpInput(negative, i); }
  TermId I(uint32_t i) { return store.BvInput(integers, i); }
  TermId Bits(uint32_t bits) { return store.FpConst(FpFormat::kF32, bits); }
  TermId C(float value) { return Bits(std::bit_cast<uint32_t>(value)); }
  TermId R(int64_t n, int64_t d = 1) { return store.FpReal(FpFormat::kF32, Rational(n, d)); }
  TermId Op(FpKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm) { return store.Fp(kind, FpAttr{}, a, b, c); }
  TermId Add(TermId a, TermId b) { return Op(FpKind::kAdd, a, b); }
  TermId Sub(TermId a, TermId b) { return Op(FpKind::kSub, a, b); }
  TermId Mul(TermId a, TermId b) { return Op(FpKind::kMul, a, b); }
  TermId Div(TermId a, TermId b) { return Op(FpKind::kDiv, a, b); }
  TermId Fma(TermId a, TermId b, TermId c) { return Op(FpKind::kFma, a, b, c); }
  TermId Neg(TermId a) { return Op(FpKind::kNeg, a); }
  TermId Abs(TermId a) { return Op(FpKind::kAbs, a); }
  TermId Max(TermId a, TermId b) { return Op(FpKind::kMax, a, b); }
  TermId Min(TermId a, TermId b) { return Op(FpKind::kMin, a, b); }
  TermId Sqrt(TermId a) { return Op(FpKind::kSqrt, a); }
  TermId Rsqrt(TermId a) { return Op(FpKind::kRsqrt, a); }
  TermId Rcp(TermId a) { return Op(FpKind::kRcp, a); }
  TermId Ex2(TermId a) { return Op(FpKind::kEx2, a); }
  TermId Lg2(TermId a) { return Op(FpKind::kLg2, a); }
  // x_0 + ... + x_{n-1}
  TermId Sum(uint32_t n) {
    TermId sum = X(0);
    for (uint32_t i = 1; i < n; ++i) sum = Add(sum, X(i));
    return sum;
  }
  TermId Cube(TermId a) { return Mul(Mul(a, a), a); }
  TermId Less(TermId a, TermId b) { return store.FpCompare(CompareOp::kLt, false, a, b); }
  TermId Floor(TermId a) { return store.Fp(FpKind::kRoundInt, {.rounding = Rounding::kRmi}, a); }
  TermId Signed(TermId bits) { return store.IntToFp(ScalarType::kS32, FpAttr{}, bits); }
  TermId Unsigned(TermId bits) { return store.IntToFp(ScalarType::kU32, FpAttr{}, bits); }
  // Some bits of an input, as 32.
  TermId Slice(unsigned width, unsigned low) { return store.ZExt(32, store.Extract(width, I(0), low)); }
  TermId SignedInput() { return store.BvInput(signed_integers, 0); }
  TermId If(TermId c, TermId a, TermId b) { return store.FpIte(c, a, b); }

  TermStore store;
  SymbolRanges ranges;
  SymbolId any, positive, nonnegative, unit, integers, negative, signed_integers;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_NORMAL_TESTING_H_
