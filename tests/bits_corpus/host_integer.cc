// Host computations of kernels/cuda_headers/simd_int.cu and wide_int.cu.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <functional>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

using Bits = std::vector<uint32_t>;
using Lane = std::function<int64_t(int64_t, int64_t)>;

// f of each part of `width` bits, its low bits kept.
uint32_t Packed(uint32_t p, uint32_t q, unsigned width, bool is_signed, const Lane& f) {
  uint32_t result = 0;
  const uint32_t mask = (1u << width) - 1;
  for (unsigned at = 0; at < 32; at += width) {
    const auto part = [&](uint32_t word) -> int64_t {
      const uint32_t bits = word >> at & mask;
      return is_signed && (bits >> (width - 1)) != 0 ? int64_t{bits} - (int64_t{1} << width) : int64_t{bits};
    };
    result |= (static_cast<uint32_t>(f(part(p), part(q))) & mask) << at;
  }
  return result;
}
int64_t Clamp(int64_t v, int64_t low, int64_t high) { return std::clamp(v, low, high); }

struct PackedCase {
  unsigned width;
  bool is_signed;
  Lane f;
};
KernelRun PackedRun(const std::vector<PackedCase>& cases, const std::function<void(const Bits&, const Bits&, Bits&)>& more = {}) {
  auto a = Words<uint32_t>(64, 1), b = Words<uint32_t>(64, 2);
  const uint32_t edges[] = {0, 0x80808080, 0x7f7f7f7f, 0xffffffff, 0x80008000, 0x7fff8000, 0x00ff01fe};
  for (size_t i = 0; i < std::size(edges); ++i) {
    a[i] = edges[i];
    b[i] = edges[(i * 3 + 1) % std::size(edges)];
    b[i + 10] = a[i + 10];
  }
  Bits y;
  for (const PackedCase& c : cases) {
    for (size_t i = 0; i < 64; ++i) y.push_back(Packed(a[i], b[i], c.width, c.is_signed, c.f));
  }
  if (more) more(a, b, y);
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).Out(y);
}
KernelRun SimdBytes() {
  const std::vector<PackedCase> cases = {
      {8, false, [](int64_t p, int64_t q) { return p + q; }},
      {8, false, [](int64_t p, int64_t q) { return p - q; }},
      {8, true, [](int64_t p, int64_t q) { return Clamp(p + q, -128, 127); }},
      {8, false, [](int64_t p, int64_t q) { return Clamp(p + q, 0, 255); }},
      {8, false, [](int64_t p, int64_t q) { return Clamp(p - q, 0, 255); }},
      {8, false, [](int64_t p, int64_t q) { return std::abs(p - q); }},
      {8, false, [](int64_t p, int64_t q) { return (p + q + 1) / 2; }},
      {8, true, [](int64_t p, int64_t q) { return std::max(p, q); }},
      {8, false, [](int64_t p, int64_t q) { return std::min(p, q); }},
      {8, false, [](int64_t p, int64_t q) { return p > q ? 255 : 0; }},
      {8, true, [](int64_t p, int64_t q) { return p <= q ? 1 : 0; }},
  };
  return PackedRun(cases, [](const Bits& a, const Bits& b, Bits& y) {
    for (size_t i = 0; i < 64; ++i) {
      uint32_t sum = 0;
      for (unsigned at = 0; at < 32; at += 8) {
        sum += static_cast<uint32_t>(std::abs(static_cast<int>(a[i] >> at & 255) - static_cast<int>(b[i] >> at & 255)));
      }
      y.push_back(sum);
    }
    for (size_t i = 0; i < 64; ++i) y.push_back(Packed(a[i], 0, 8, true, [](int64_t p, int64_t) { return -p; }));
    for (size_t i = 0; i < 64; ++i) y.push_back(Packed(a[i], 0, 8, true, [](int64_t p, int64_t) { return Clamp(std::abs(p), 0, 127); }));
  });
}
KernelRun SimdHalfwords() {
  const std::vector<PackedCase> cases = {
      {16, false, [](int64_t p, int64_t q) { return p + q; }},
      {16, false, [](int64_t p, int64_t q) { return p - q; }},
      {16, true, [](int64_t p, int64_t q) { return Clamp(p + q, -32768, 32767); }},
      {16, true, [](int64_t p, int64_t q) { return Clamp(p - q, -32768, 32767); }},
      {16, true, [](int64_t p, int64_t q) { return std::abs(p - q); }},
      // The signed average rounds halves away from zero.
      {16, true, [](int64_t p, int64_t q) { return p + q >= 0 ? (p + q + 1) / 2 : -((-(p + q) + 1) / 2); }},
      {16, false, [](int64_t p, int64_t q) { return std::max(p, q); }},
      {16, true, [](int64_t p, int64_t q) { return std::min(p, q); }},
      {16, false, [](int64_t p, int64_t q) { return p == q ? 65535 : 0; }},
      {16, false, [](int64_t p, int64_t q) { return (p + q) / 2; }},
  };
  return PackedRun(cases, [](const Bits& a, const Bits& b, Bits& y) {
    const auto part = [](uint32_t word, unsigned at) { return int32_t{static_cast<int16_t>(word >> at)}; };
    const auto both = [&](auto f) {
      for (size_t i = 0; i < 64; ++i) {
        uint32_t word = 0;
        for (unsigned at : {0u, 16u}) word |= (static_cast<uint32_t>(f(part(a[i], at), part(b[i], at), at)) & 0xffff) << at;
        y.push_back(word);
      }
    };
    both([](int32_t p, int32_t q, unsigned at) { return std::max({p, q, at == 0 ? 3 : 5}); });
    both([](int32_t p, int32_t q, unsigned at) {  // the sum wraps before it is compared
      return std::max({int32_t{static_cast<int16_t>(p + q)}, at == 0 ? 16 : -16, 0});
    });
  });
}
KernelRun DotProducts() {
  const auto a = Words<int32_t>(64, 3), b = Words<int32_t>(64, 4), c = Words<int32_t>(64, 5);
  const auto s8 = [](int32_t w, int at) { return int64_t{static_cast<int8_t>(w >> (8 * at))}; };
  const auto u8 = [](int32_t w, int at) { return int64_t{static_cast<uint8_t>(w >> (8 * at))}; };
  const auto s16 = [](int32_t w, int at) { return int64_t{static_cast<int16_t>(w >> (16 * at))}; };
  const auto u16 = [](int32_t w, int at) { return int64_t{static_cast<uint16_t>(w >> (16 * at))}; };
  const auto s24 = [](int32_t w) { return int64_t{static_cast<int32_t>(static_cast<uint32_t>(w) << 8) >> 8}; };
  std::vector<std::function<int64_t(int32_t, int32_t, int32_t)>> f = {
      [&](int32_t p, int32_t q, int32_t r) {
        return r + s8(p, 0) * s8(q, 0) + s8(p, 1) * s8(q, 1) + s8(p, 2) * s8(q, 2) + s8(p, 3) * s8(q, 3);
      },
      [&](int32_t p, int32_t q, int32_t r) {
        return r + u8(p, 0) * u8(q, 0) + u8(p, 1) * u8(q, 1) + u8(p, 2) * u8(q, 2) + u8(p, 3) * u8(q, 3);
      },
      [&](int32_t p, int32_t q, int32_t r) { return r + s16(p, 0) * s8(q, 0) + s16(p, 1) * s8(q, 1); },
      [&](int32_t p, int32_t q, int32_t r) { return r + u16(p, 0) * u8(q, 2) + u16(p, 1) * u8(q, 3); },
      [&](int32_t p, int32_t q, int32_t) { return s24(p) * s24(q); },
      [](int32_t p, int32_t q, int32_t) { return (int64_t{p} * q) >> 32; },
      [](int32_t p, int32_t q, int32_t) {
        return static_cast<int64_t>((uint64_t{static_cast<uint32_t>(p)} * static_cast<uint32_t>(q)) >> 32);
      },
      [](int32_t p, int32_t q, int32_t r) { return std::abs(int64_t{p} - q) + r; },
      [](int32_t p, int32_t q, int32_t r) { return std::abs(int64_t{static_cast<uint32_t>(p)} - static_cast<uint32_t>(q)) + r; },
      [](int32_t p, int32_t q, int32_t) { return (int64_t{p} + q) >> 1; },
      [](int32_t p, int32_t q, int32_t) { return (int64_t{static_cast<uint32_t>(p)} + static_cast<uint32_t>(q) + 1) >> 1; },
      [](int32_t p, int32_t q, int32_t r) { return int64_t{std::min(static_cast<int32_t>(int64_t{p} + q), r)}; },
  };
  const auto y = Make<int32_t>(f.size() * 64, [&](size_t i) { return f[i / 64](a[i % 64], b[i % 64], c[i % 64]); });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).In(c).Out(y);
}
KernelRun BitTwiddling() {
  const auto a = Words<uint32_t>(64, 6), b = Words<uint32_t>(64, 7);
  Bits y(12 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t p = a[i], q = b[i], s = static_cast<uint32_t>(i);
    const uint64_t pair = uint64_t{q} << 32 | p, other = uint64_t{p} << 32 | q;
    const auto reverse = [](uint64_t v, unsigned width) {
      uint64_t r = 0;
      for (unsigned k = 0; k < width; ++k) r |= (v >> k & 1) << (width - 1 - k);
      return r;
    };
    const auto first_set = [](uint64_t v) { return v == 0 ? 0 : std::countr_zero(v) + 1; };
    uint32_t permuted = 0;
    for (unsigned k = 0; k < 4; ++k) permuted |= static_cast<uint32_t>(pair >> (8 * (q >> (4 * k) & 7)) & 255) << (8 * k);
    uint32_t nth = ~0u, wanted = 1 + s / 32;  // __fns: the wanted-th set bit from bit s & 31 on
    for (uint32_t k = s & 31; k < 32; ++k) {
      if ((p >> k & 1) != 0 && --wanted == 0) {
        nth = k;
        break;
      }
    }
    const uint32_t values[12] = {
        static_cast<uint32_t>((pair << (s & 31)) >> 32),
        static_cast<uint32_t>(pair >> (s & 31)),
        static_cast<uint32_t>((pair << std::min(s, 32u)) >> 32),
        static_cast<uint32_t>(pair >> std::min(s, 32u)),
        permuted,
        static_cast<uint32_t>(reverse(p, 32)),
        static_cast<uint32_t>(std::countl_zero(p >> (s & 31)) + 256 * first_set(static_cast<uint32_t>(p << (s & 31))) +
                              65536 * std::popcount(p)),
        static_cast<uint32_t>(std::countl_zero(uint64_t{p} << 13) + 256 * std::popcount(other) + 65536 * first_set(uint64_t{p} << 20)),
        static_cast<uint32_t>(reverse(other, 64)),
        nth,
        (p & q) | ((~p & 0x12345678u) ^ (q << 3)),
        p << (q & 31) | q >> 7 % (1 + (p & 3)),
    };
    for (size_t k = 0; k < 12; ++k) y[64 * k + i] = values[k];
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).Out(y);
}

KernelRun Wide64() {
  auto a = Words<int64_t>(64, 8), b = Words<int64_t>(64, 9);
  for (size_t i = 0; i < 64; ++i) {
    a[i] = static_cast<int64_t>(static_cast<uint64_t>(a[i]) * 0x9E3779B97F4A7C15u);
    b[i] = static_cast<int64_t>(static_cast<uint64_t>(b[i]) * 0xD1B54A32D192ED03u) >> (i % 56);
    if (b[i] == 0) b[i] = 3;
  }
  const int64_t edges[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1};
  for (size_t i = 0; i < 6; ++i) a[i] = edges[i];
  b[3] = INT64_MIN;
  b[1] = -1;
  std::vector<int64_t> y(12 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const int64_t p = a[i], q = b[i];
    const auto up = static_cast<uint64_t>(p), uq = static_cast<uint64_t>(q);
    const auto p32 = static_cast<int32_t>(p), q32 = static_cast<int32_t>(q | 1);
    const int64_t values[12] = {
        static_cast<int64_t>(up + uq),
        static_cast<int64_t>(up * uq),
        p / q,
        p % q,
        static_cast<int64_t>(up / uq),
        static_cast<int64_t>(up % uq),
        static_cast<int64_t>(static_cast<Signed128>(p) * q >> 64),
        static_cast<int64_t>(static_cast<Unsigned128>(up) * uq >> 64),
        p >> (q & 63),
        static_cast<int64_t>(up << (q & 63)),
        p < q ? static_cast<int64_t>(p < 0 ? 0 - up : up) : std::min(p, static_cast<int64_t>(0 - uq)),
        int64_t{p32} / q32 + p32 % q32,
    };
    for (size_t k = 0; k < 12; ++k) y[64 * k + i] = values[k];
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).Out(y);
}
std::vector<uint64_t> Wide(size_t count, uint64_t seed) {
  Numbers numbers(seed);
  return Make<uint64_t>(count, [&](size_t) { return numbers.Next(); });
}
Unsigned128 Pair(const std::vector<uint64_t>& v, size_t i, unsigned shift = 0) {
  return static_cast<Unsigned128>(v[2 * i] >> shift) << 64 | v[2 * i + 1];
}
KernelRun Wide128() {
  const auto a = Wide(64, 10), b = Wide(64, 11);
  std::vector<uint64_t> y;
  for (size_t i = 0; i < 32; ++i) {
    const Unsigned128 p = Pair(a, i), q = Pair(b, i);
    for (Unsigned128 r : {p + q, p - q, p * q, p << (i * 3), i * 5 < 128 ? p >> (i * 5) : 0, p < q ? p ^ q : p & ~q}) {
      y.push_back(static_cast<uint64_t>(r >> 64));
      y.push_back(static_cast<uint64_t>(r));
    }
  }
  // Shifts by 128 and more are undefined in C++: the block ends before them.
  y.resize(12 * 24);
  return KernelRun({1, 1, 1}, {24, 1, 1}).In(a).In(b).Out(y);
}
KernelRun Wide128Quotient() {
  const auto a = Wide(64, 12), b = Wide(64, 13);
  std::vector<uint64_t> y;
  for (size_t i = 0; i < 32; ++i) {
    const Unsigned128 p = Pair(a, i), q = Pair(b, i, static_cast<unsigned>(2 * i)), d = p / q, m = p % q;
    for (Unsigned128 r : {d, m}) {
      y.push_back(static_cast<uint64_t>(r >> 64));
      y.push_back(static_cast<uint64_t>(r));
    }
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(a).In(b).Out(y);
}
KernelRun CarryChain() {
  auto a = Words<uint32_t>(8 * 32, 14), b = Words<uint32_t>(8 * 32, 15);
  for (size_t i = 0; i < 8; ++i) {
    a[i] = ~0u;  // a carry all the way up
    b[i] = i == 0 ? 1 : 0;
  }
  Bits y;
  for (size_t i = 0; i < 32; ++i) {
    const uint32_t *p = &a[8 * i], *q = &b[8 * i];
    std::array<uint32_t, 8> s{}, d{};
    uint64_t carry = 0;
    int64_t borrow = 0;
    for (size_t k = 0; k < 8; ++k) {
      carry += uint64_t{p[k]} + q[k];
      s[k] = static_cast<uint32_t>(carry);
      carry >>= 32;
      borrow += int64_t{p[k]} - q[k];
      d[k] = static_cast<uint32_t>(borrow);
      borrow >>= 32;
    }
    // s0..s2 plus 64 by 32 bits; what the second high product carries in is the carry of the first.
    Unsigned128 m = static_cast<Unsigned128>(s[2]) << 64 | static_cast<Unsigned128>(s[1]) << 32 | s[0];
    m += static_cast<Unsigned128>(uint64_t{p[1]} << 32 | p[0]) * q[0];
    y.insert(y.end(), s.begin(), s.end());
    y.insert(y.end(), d.begin(), d.end());
    y.insert(y.end(), {static_cast<uint32_t>(carry), static_cast<uint32_t>(borrow), static_cast<uint32_t>(m),
                       static_cast<uint32_t>(m >> 32), static_cast<uint32_t>(m >> 64)});
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(a).In(b).Out(y);
}
KernelRun PowerMod() {
  constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  const auto x = Wide(32, 16);
  const auto n = Integers<uint32_t>(32, 0, 70000, 17);
  const auto y = Make<uint64_t>(32, [&](size_t i) {
    Unsigned128 r = 1, base = x[i] % kPrime;
    for (uint32_t e = n[i]; e != 0; e >>= 1) {
      if ((e & 1) != 0) r = r * base % kPrime;
      base = base * base % kPrime;
    }
    return static_cast<uint64_t>(r);
  });
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).In(n).Out(y);
}
KernelRun ConstantQuotients() {
  auto x = Words<int32_t>(64, 18);
  x[0] = INT32_MIN;
  x[1] = INT32_MAX;
  x[2] = -1;
  x[3] = 0;
  std::vector<int32_t> y(6 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const int32_t v = x[i];
    const auto u = static_cast<uint32_t>(v);
    y[i] = v / 7 + v % 7;
    y[64 + i] = v / -10;
    y[128 + i] = static_cast<int32_t>(u / 641 + u % 641);
    y[192 + i] = v / 64 + v % 64;
    y[256 + i] = static_cast<int32_t>(int64_t{v} * 977 / 1000);
    y[320 + i] = static_cast<int32_t>(uint64_t{u} * u / 1000003);
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}

constexpr CorpusKernel kTable[] = {
    {"simd_bytes", SimdBytes},
    {"simd_halfwords", SimdHalfwords},
    {"dot_products", DotProducts},
    {"bit_twiddling", BitTwiddling},
    {"wide_64", Wide64},
    {"wide_128", Wide128},
    {"wide_128_quotient", Wide128Quotient},
    {"carry_chain", CarryChain},
    {"power_mod", PowerMod},
    {"constant_quotients", ConstantQuotients},
};

}  // namespace

CorpusTable IntegerKernels() { return kTable; }

}  // namespace racer::corpus
