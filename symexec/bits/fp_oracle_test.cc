// The narrow formats' arithmetic against MPFR, which shares no code with the double-based implementation.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <random>

#include "ptx_frontend/isa/fp.h"
#include "symexec/bits/fp_arith.h"
#include "symexec/bits/fp_round.h"

namespace racer {
namespace {

using bits::Arithmetic;
using bits::Convert;
using bits::Layout;
using bits::LayoutOf;

constexpr Rounding kRoundings[] = {Rounding::kRn, Rounding::kRz, Rounding::kRm, Rounding::kRp};
constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};

// The compiler's own conversions, exact here.
double ValueOf(FpFormat format, uint64_t pattern) {
  if (format == FpFormat::kF16) return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(pattern)));
  if (format == FpFormat::kBF16) return std::bit_cast<float>(static_cast<uint32_t>(pattern << 16));
  return std::bit_cast<float>(static_cast<uint32_t>(pattern));
}

uint64_t PatternOf(FpFormat format, double value) {
  if (std::isnan(value)) return LayoutOf(format).nan;
  if (format == FpFormat::kF16) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  const uint32_t pattern = std::bit_cast<uint32_t>(static_cast<float>(value));
  return format == FpFormat::kBF16 ? pattern >> 16 : pattern;
}

// MPFR with the precision and exponent range of one format.
class Oracle {
 public:
  explicit Oracle(FpFormat format) : format_(format), emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    const Layout& layout = LayoutOf(format);
    mpfr_inits2(53, a_, b_, c_, static_cast<mpfr_ptr>(nullptr));
    mpfr_init2(result_, layout.precision);
    mpfr_set_emin(layout.emin - static_cast<int>(layout.precision) + 2);
    mpfr_set_emax(-layout.emin + 2);
  }
  ~Oracle() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
    mpfr_clears(a_, b_, c_, result_, static_cast<mpfr_ptr>(nullptr));
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  uint64_t Run(FpKind kind, int mode, double a, double b, double c) {
    SetOperand(a_, a);
    SetOperand(b_, b);
    SetOperand(c_, c);
    const mpfr_rnd_t rnd = kModes[mode];
    int ternary = 0;
    if (kind == FpKind::kAdd) ternary = mpfr_add(result_, a_, b_, rnd);
    if (kind == FpKind::kSub) ternary = mpfr_sub(result_, a_, b_, rnd);
    if (kind == FpKind::kMul) ternary = mpfr_mul(result_, a_, b_, rnd);
    if (kind == FpKind::kFma) ternary = mpfr_fma(result_, a_, b_, c_, rnd);
    if (kind == FpKind::kDiv) ternary = mpfr_div(result_, a_, b_, rnd);
    if (kind == FpKind::kSqrt) ternary = mpfr_sqrt(result_, a_, rnd);
    if (kind == FpKind::kRcp) ternary = mpfr_ui_div(result_, 1, a_, rnd);
    return Finish(ternary, rnd);
  }
  uint64_t Round(int mode, double a) { return Finish(mpfr_set_d(result_, a, kModes[mode]), kModes[mode]); }

 private:
  // Operands may lie outside the target's exponent range (conversions do not come here).
  void SetOperand(mpfr_t& operand, double value) { mpfr_set_d(operand, value, MPFR_RNDN); }
  uint64_t Finish(int ternary, mpfr_rnd_t rnd) {
    ternary = mpfr_check_range(result_, ternary, rnd);
    mpfr_subnormalize(result_, ternary, rnd);
    return PatternOf(format_, mpfr_get_d(result_, MPFR_RNDN));
  }

  FpFormat format_;
  mpfr_exp_t emin_, emax_;
  mpfr_t a_, b_, c_, result_;
};

// Patterns that meet: any bits, small exponents, neighbours of powers of two, specials.
class Patterns {
 public:
  explicit Patterns(FpFormat format) : layout_(LayoutOf(format)) {}
  uint64_t Next() {
    const uint64_t all = (layout_.sign() << 1) - 1;
    const uint64_t sign = (random_() & 1) != 0 ? layout_.sign() : 0;
    switch (random_() % 6) {
      case 0: return random_() & all;
      case 1: return sign | (random_() % (layout_.least_normal() * 3));
      case 2: return sign | (layout_.one() + random_() % 7 - 3);
      case 3: return sign | (layout_.largest() - random_() % (layout_.least_normal() * 2));
      case 4: return sign | (layout_.one() + random_() % (layout_.least_normal() * 16) - layout_.least_normal() * 8);
      default: {
        const uint64_t special[] = {0, 1, layout_.least_normal() - 1, layout_.least_normal(), layout_.largest(), layout_.infinity()};
        return sign | special[random_() % 6];
      }
    }
  }

 private:
  const Layout& layout_;
  std::mt19937_64 random_{20240229};  // fixed seed
};

class OracleTest : public testing::TestWithParam<FpFormat> {};

TEST_P(OracleTest, EveryRoundingOfEveryOperation) {
  const FpFormat format = GetParam();
  const Layout& layout = LayoutOf(format);
  Oracle oracle(format);
  Patterns patterns(format);
  for (const FpKind kind : {FpKind::kAdd, FpKind::kSub, FpKind::kMul, FpKind::kFma, FpKind::kDiv, FpKind::kSqrt, FpKind::kRcp}) {
    for (int i = 0; i < 30000; ++i) {
      const uint64_t a = patterns.Next(), b = patterns.Next(), c = patterns.Next();
      if (layout.IsNan(a) || layout.IsNan(b) || layout.IsNan(c)) continue;
      for (int mode = 0; mode < 4; ++mode) {
        const uint64_t expected = oracle.Run(kind, mode, ValueOf(format, a), ValueOf(format, b), ValueOf(format, c));
        const uint64_t seen = Arithmetic(kind, {.format = format, .rounding = kRoundings[mode]}, a, b, c);
        ASSERT_EQ(seen, expected) << std::hex << static_cast<int>(kind) << " mode " << mode << " 0x" << a << " 0x" << b << " 0x" << c;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Narrow, OracleTest, testing::Values(FpFormat::kF16, FpFormat::kBF16, FpFormat::kF32));

TEST(OracleTest, EveryF16AddsAndMultipliesLikeTheCompiler) {
  // The compiler widens _Float16 to float and rounds back, which is one rounding for + and *.
  for (uint32_t a = 0; a < 0x10000; ++a) {
    const _Float16 x = std::bit_cast<_Float16>(static_cast<uint16_t>(a));
    for (uint32_t k = 0; k < 16; ++k) {
      const uint32_t b = (a * 40503u + k * 4099u + 1) & 0xffff;
      const _Float16 y = std::bit_cast<_Float16>(static_cast<uint16_t>(b));
      const _Float16 sum = x + y, product = x * y;
      const auto pattern = [](_Float16 v) { return v != v ? 0x7fff : std::bit_cast<uint16_t>(v); };
      ASSERT_EQ(Arithmetic(FpKind::kAdd, {.format = FpFormat::kF16}, a, b, 0), pattern(sum)) << std::hex << a << " " << b;
      ASSERT_EQ(Arithmetic(FpKind::kMul, {.format = FpFormat::kF16}, a, b, 0), pattern(product)) << std::hex << a << " " << b;
    }
  }
}

TEST(OracleTest, F32NarrowsInEveryRounding) {
  for (const FpFormat format : {FpFormat::kF16, FpFormat::kBF16}) {
    Oracle oracle(format);
    for (uint64_t a = 0; a < uint64_t{1} << 32; a += 8191) {  // a prime: every low-bit pattern turns up
      const float value = std::bit_cast<float>(static_cast<uint32_t>(a));
      if (std::isnan(value)) continue;
      for (int mode = 0; mode < 4; ++mode) {
        const uint64_t seen = Convert(FpFormat::kF32, {.format = format, .rounding = kRoundings[mode]}, a);
        ASSERT_EQ(seen, oracle.Round(mode, value)) << std::hex << a << " mode " << mode;
      }
    }
  }
}

TEST(OracleTest, F64NarrowsInOneStep) {
  std::mt19937_64 random(7);
  for (const FpFormat format : {FpFormat::kF16, FpFormat::kBF16, FpFormat::kF32}) {
    const Layout& layout = LayoutOf(format);
    Oracle oracle(format);
    for (int i = 0; i < 100000; ++i) {
      // Just beside a midpoint of two neighbours: rounding through another format would go wrong.
      const uint64_t low = random() % layout.largest();
      const double middle = (ValueOf(format, low) + ValueOf(format, low + 1)) / 2;
      const double value = std::bit_cast<double>(std::bit_cast<uint64_t>(middle) + random() % 3 - 1);
      if (!std::isfinite(value)) continue;
      for (int mode = 0; mode < 4; ++mode) {
        const uint64_t seen = Convert(FpFormat::kF64, {.format = format, .rounding = kRoundings[mode]}, std::bit_cast<uint64_t>(value));
        ASSERT_EQ(seen, oracle.Round(mode, value)) << std::hexfloat << value << " mode " << mode;
      }
    }
  }
}

}  // namespace
}  // namespace racer
