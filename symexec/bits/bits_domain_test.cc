#include "symexec/bits/bits_domain.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "ptx_frontend/isa/all.h"

namespace racer {
namespace {

constexpr BitsDomain kDomain;

int64_t Signed4(uint64_t a) { return a >= 8 ? static_cast<int64_t>(a) - 16 : static_cast<int64_t>(a); }

// Four bits exhaustively, against arithmetic on int. The operands carry junk above bit 3, which must not count.
TEST(BitsDomainTest, FourBitIntegers) {
  const BitsDomain& d = kDomain;
  for (uint64_t a = 0; a < 16; ++a) {
    EXPECT_EQ(d.Not(4, a | 0xf0), 15 - a);
    EXPECT_EQ(d.ZExt(4, 8, a | 0xf0), a);
    EXPECT_EQ(d.SExt(4, 8, a | 0x50), static_cast<uint64_t>(Signed4(a)) & 0xff);
    for (uint64_t b = 0; b < 16; ++b) {
      const uint64_t x = a | 0xa0, y = b | 0x50;
      const int64_t sa = Signed4(a), sb = Signed4(b);
      EXPECT_EQ(d.Add(4, x, y), (a + b) % 16);
      EXPECT_EQ(d.Sub(4, x, y), (a + 16 - b) % 16);
      EXPECT_EQ(d.Mul(4, x, y), a * b % 16);
      EXPECT_EQ(d.UDiv(4, x, y), b == 0 ? 15 : a / b);
      EXPECT_EQ(d.URem(4, x, y), b == 0 ? a : a % b);
      EXPECT_EQ(d.SDiv(4, x, y), static_cast<uint64_t>(sb == 0 ? (sa < 0 ? 1 : -1) : sa / sb) & 15);
      EXPECT_EQ(d.SRem(4, x, y), static_cast<uint64_t>(sb == 0 ? sa : sa % sb) & 15);
      EXPECT_EQ(d.Shl(4, x, y), b >= 4 ? 0 : (a << b) % 16);
      EXPECT_EQ(d.LShr(4, x, y), b >= 4 ? 0 : a >> b);
      EXPECT_EQ(d.AShr(4, x, y), static_cast<uint64_t>(sa >> (b >= 4 ? 3 : b)) & 15);
      EXPECT_EQ(d.Eq(4, x, y), a == b);
      EXPECT_EQ(d.Ult(4, x, y), a < b);
      EXPECT_EQ(d.Slt(4, x, y), sa < sb);
      EXPECT_EQ(d.Concat(4, x, 4, y), a * 16 + b);
      EXPECT_EQ(d.Extract(2, a * 16 + b, 8, 3), (a * 16 + b) / 8 % 4);
      EXPECT_EQ(d.Ite(4, b, x, y), b % 2 == 1 ? a : b);
    }
  }
}

TEST(BitsDomainTest, SixtyFourBitEdges) {
  const BitsDomain& d = kDomain;
  const uint64_t least = uint64_t{1} << 63;
  EXPECT_EQ(d.SDiv(64, least, ~uint64_t{0}), least);
  EXPECT_EQ(d.SRem(64, least, ~uint64_t{0}), 0u);
  EXPECT_EQ(d.AShr(64, least, 64), ~uint64_t{0});
  EXPECT_EQ(d.Shl(64, 1, 64), 0u);
  EXPECT_EQ(d.LShr(64, least, 63), 1u);
  EXPECT_EQ(d.SExt(1, 64, 1), ~uint64_t{0});
  EXPECT_EQ(d.Concat(32, 0x89abcdef, 32, 0x01234567), 0x89abcdef01234567u);
}

template <class R>
std::array<uint64_t, 2> Multi(const Mods& mods, std::initializer_list<uint64_t> in) {
  BitsDomain d;
  std::array<uint64_t, 2> out{};
  isa::Apply<R>(d, mods, std::span<const uint64_t>(in.begin(), in.size()), out.data());
  return out;
}

// p = t bop c and q = !t bop c, which without a combination are complements and with one are not.
TEST(TrapTest, SetpWithACombinationIsNoPlainCompare) {
  Mods m;
  m.type = ScalarType::kS32;
  m.compare = CompareOp::kLt;
  EXPECT_EQ(Multi<isa::Setp>(m, {1, 2}), (std::array<uint64_t, 2>{1, 0}));
  m.combine = BoolOp::kAnd;
  EXPECT_EQ(Multi<isa::Setp>(m, {1, 2, 0}), (std::array<uint64_t, 2>{0, 0}));
  EXPECT_EQ(Multi<isa::Setp>(m, {1, 2, 1}), (std::array<uint64_t, 2>{1, 0}));
  m.combine = BoolOp::kOr;
  EXPECT_EQ(Multi<isa::Setp>(m, {1, 2, 1}), (std::array<uint64_t, 2>{1, 1}));
  m.combine = BoolOp::kXor;
  EXPECT_EQ(Multi<isa::Setp>(m, {1, 2, 1}), (std::array<uint64_t, 2>{0, 1}));
}

TEST(TrapTest, SetpOnNanIsFalseAndItsComplementTrue) {
  Mods m;
  m.type = ScalarType::kF32;
  m.compare = CompareOp::kLt;
  EXPECT_EQ(Multi<isa::Setp>(m, {0x7fc00000, 0}), (std::array<uint64_t, 2>{0, 1}));
  m.compare = CompareOp::kGeu;  // the negation of lt
  EXPECT_EQ(Multi<isa::Setp>(m, {0x7fc00000, 0}), (std::array<uint64_t, 2>{1, 0}));
}

TEST(TrapTest, PackedHalvesAreTwoLanes) {
  Mods m;
  m.type = ScalarType::kF16x2;
  m.compare = CompareOp::kLt;
  // (1, -1) against (-1, 1): low lane true, high lane false.
  EXPECT_EQ(Multi<isa::SetpPacked>(m, {0x3c00bc00, 0xbc003c00}), (std::array<uint64_t, 2>{1, 0}));
  BitsDomain d;
  // 65504 + 65504 overflows the low lane and carries nothing into the high one.
  EXPECT_EQ(isa::AddHalf::Eval(d, m, uint64_t{0x00007bff}, uint64_t{0x00007bff}), 0x00007c00u);
}

TEST(TrapTest, MinusInfinitySpelledAsAnInteger) {
  BitsDomain d;
  const uint64_t bits = isa::Mov::Eval(d, Mods{}, static_cast<uint64_t>(-8388608) & 0xffffffff);
  EXPECT_EQ(d.FpCompare(CompareOp::kEq, FpFormat::kF32, false, bits, 0xff800000), 1u);
  EXPECT_EQ(d.Fp(FpKind::kMax, {.format = FpFormat::kF32}, bits, 0xff7fffff), 0xff7fffffu);  // below every finite number
}

TEST(TrapTest, DecimalSumsAreNotFoldedInDoubles) {
  const BitsDomain& d = kDomain;
  // 0.1f + 0.2f is 0x3e99999a exactly as binary32 rounds it; three thirds by multiplication are not a division.
  EXPECT_EQ(d.Fp(FpKind::kAdd, {}, 0x3dcccccd, 0x3e4ccccd), 0x3e99999au);
  EXPECT_EQ(d.Fp(FpKind::kDiv, {}, 0x40400000, 0x40e00000), 0x3edb6db7u);  // 3 / 7
  const uint64_t seventh = d.Fp(FpKind::kDiv, {}, 0x3f800000, 0x40e00000);
  EXPECT_EQ(d.Fp(FpKind::kMul, {}, 0x40400000, seventh), 0x3edb6db8u);  // 3 * (1 / 7)
}

TEST(UnspecifiedTest, DivisionByZeroAndFieldsOutOfRange) {
  BitsDomain d;
  Mods m;
  m.type = ScalarType::kU32;
  const auto ask = [&](auto record, std::initializer_list<uint64_t> in) {
    return decltype(record)::template Unspecified<BitsDomain>(d, m, std::span<const uint64_t>(in.begin(), in.size()));
  };
  EXPECT_EQ(ask(isa::Div{}, {7, 0}), 1u);
  EXPECT_EQ(ask(isa::Div{}, {0, 7}), 0u);
  EXPECT_EQ(ask(isa::Rem{}, {7, 0}), 1u);
  EXPECT_EQ(ask(isa::Rem{}, {7, 1}), 0u);
  EXPECT_EQ(ask(isa::Bfe{}, {7, 256, 1}), 0u);  // 32 bits: the low byte, manual and hardware agree
  m.type = ScalarType::kU64;
  EXPECT_EQ(ask(isa::Bfe{}, {7, 256, 1}), 1u);
  EXPECT_EQ(ask(isa::Bfe{}, {7, 255, 255}), 0u);
  EXPECT_EQ(ask(isa::Bfi{}, {7, 7, 1, 256}), 1u);
  m.type = ScalarType::kB32;
  EXPECT_EQ(ask(isa::Fns{}, {7, 32, 1}), 1u);
  EXPECT_EQ(ask(isa::Fns{}, {7, 31, 1}), 0u);
  EXPECT_EQ(ask(isa::Fns{}, {7, 0, 0x80000000}), 1u);
  EXPECT_FALSE((isa::HasUnspecified<isa::Add, BitsDomain>));
}

TEST(MovTest, PackPutsTheFirstElementLowest) {
  BitsDomain d;
  const std::array<uint64_t, 4> bytes = {0x11, 0x22, 0x33, 0x44};
  EXPECT_EQ(isa::Mov::Pack(d, 8, std::span<const uint64_t>(bytes)), 0x44332211u);
  std::array<uint64_t, 2> halves{};
  isa::Mov::Unpack(d, 32, 0x89abcdef01234567, std::span<uint64_t>(halves));
  EXPECT_EQ(halves, (std::array<uint64_t, 2>{0x01234567, 0x89abcdef}));
}

TEST(FlushTest, ResultsAreTinyByTheirRoundedValue) {
  // (1 - 2^-24) * 2^-126 has 24 significant bits: .ftz flushes it although rounding into the subnormals gives 2^-126.
  EXPECT_EQ(kDomain.Fp(FpKind::kMul, {.ftz = true}, 0x3f7fffff, 0x00800000), 0u);
  EXPECT_EQ(kDomain.Fp(FpKind::kMul, {}, 0x3f7fffff, 0x00800000), 0x00800000u);
  // (1 - 2^-24)(1 + 2^-23) = 1 + 2^-24 - 2^-47 rounds to 1: no longer tiny.
  EXPECT_EQ(kDomain.Fp(FpKind::kMul, {.ftz = true}, 0x3f7fffff, 0x00800001), 0x00800000u);
}

TEST(NanTest, DoublesKeepAPayloadAndNarrowFormatsDoNot) {
  const BitsDomain& d = kDomain;
  const FpAttr f64{.format = FpFormat::kF64};
  const uint64_t one = 0x3ff0000000000000, p = 0x7ff0000000000001, q = 0xfff8000000000005;
  EXPECT_EQ(d.Fp(FpKind::kAdd, f64, p, one), 0x7ff8000000000001u);  // made quiet
  EXPECT_EQ(d.Fp(FpKind::kAdd, f64, p, q), q);
  EXPECT_EQ(d.Fp(FpKind::kDiv, f64, q, p), q);  // a division prefers its dividend
  EXPECT_EQ(d.Fp(FpKind::kFma, f64, p, one, q), q);
  EXPECT_EQ(d.Fp(FpKind::kSub, f64, 0x7ff0000000000000, 0x7ff0000000000000), 0xfff8000000000000u);
  EXPECT_EQ(d.Fp(FpKind::kAdd, {}, 0x7f800001, 0), 0x7fffffffu);
  EXPECT_EQ(d.FpConvert(FpFormat::kF64, {.format = FpFormat::kF32}, q), 0xffc00000u);
}

TEST(ToIntegerTest, NanDependsOnTheWidths) {
  const BitsDomain& d = kDomain;
  EXPECT_EQ(d.FpToInt(FpFormat::kF32, ScalarType::kS32, Rounding::kRzi, false, false, 0x7fc00000), 0u);
  EXPECT_EQ(d.FpToInt(FpFormat::kF32, ScalarType::kS64, Rounding::kRzi, false, false, 0x7fc00000), uint64_t{1} << 63);
  EXPECT_EQ(d.FpToInt(FpFormat::kF64, ScalarType::kU32, Rounding::kRzi, false, false, 0x7ff8000000000000), 0x80000000u);
}

}  // namespace
}  // namespace racer
