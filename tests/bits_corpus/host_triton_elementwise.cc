// Host computations of the Triton kernels that treat each element, or a few neighbours, by itself.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

// One result for each input; a grid of `ctas` blocks over it.
template <class T, class F>
KernelRun Map(const std::vector<T>& x, uint32_t ctas, F f, Tolerance tolerance = {}) {
  return KernelRun({ctas, 1, 1}).In(x).Out(Make<T>(x.size(), [&](size_t i) { return T(f(x[i])); }), tolerance);
}
constexpr Tolerance kApproximate{.relative = 1e-5, .absolute = 1e-6};
constexpr Tolerance kOfBrain{.relative = 0x1p-8 + 1e-5, .absolute = 1e-6};
constexpr Tolerance kOfHalf{.relative = 0x1p-10 + 1e-5, .absolute = 1e-6};

KernelRun Add() {
  const auto x = Reals<float>(700, -9, 9, 1), y = Reals<float>(700, -9, 9, 2);
  return KernelRun({2, 1, 1}).In(x).In(y).Out(Make<float>(700, [&](size_t i) { return x[i] + y[i]; })).Scalar<int32_t>(700);
}
KernelRun Silu() {
  const auto x = Reals<Brain>(600, -9, 9, 3);
  return Map(x, 2, [](double v) { return v / (1 + std::exp(-v)); }, kOfBrain).Scalar<int32_t>(600);
}
double Gelu(double v) { return v / 2 * std::erfc(-v * std::sqrt(0.5)); }
KernelRun GeluTanh() {
  const auto x = Reals<Half>(600, -5, 5, 4);
  const auto f = [](double v) { return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); };
  return Map(x, 2, f, kOfHalf).Scalar<int32_t>(600);
}
KernelRun GeluErf() { return Map(Reals<float>(300, -5, 5, 5), 2, Gelu, kApproximate).Scalar<int32_t>(300); }
KernelRun Rectifiers() {
  const auto x = Reals<Half>(256, -5, 5, 6);
  const auto column = [&](auto f) { return Make<Half>(256, [&](size_t i) { return f(double{x[i]}); }); };
  return KernelRun()
      .In(x)
      .Out(column([](double v) { return std::max(v, 0.0); }))
      .Out(column([](double v) { return v > 0 ? v : v * 0.125; }))
      .Out(column([](double v) { return std::clamp(v, -1.0, 2.0); }));
}
KernelRun Softplus() {
  const auto x = Reals<float>(256, -12, 30, 7);
  return KernelRun()
      .In(x)
      .Out(Make<float>(256, [&](size_t i) { return std::log1p(std::exp(double{x[i]})); }), kApproximate)
      .Out(Make<float>(256, [&](size_t i) { return x[i] / (1.0 + std::fabs(x[i])); }), kApproximate);
}
KernelRun Functions() {
  const auto x = Reals<float>(128, -8, 8, 8);
  const std::vector<std::function<double(double)>> functions = {
      [](double v) { return std::sin(v); },
      [](double v) { return std::cos(v); },
      [](double v) { return std::exp2(v); },
      [](double v) { return std::log2(std::fabs(v) + 1); },
      [](double v) { return std::sqrt(std::fabs(v)); },
      [](double v) { return 1 / std::sqrt(std::fabs(v) + 0.5); },
      [](double v) { return std::floor(v) + 0.5 * std::ceil(v); },
      [](double v) { return std::sqrt(std::fabs(v)) + v / 3; },
      [](double v) { return v * v + 1; },
      [](double v) { return std::atan(v); },
      [](double v) { return std::pow(std::fabs(v) + 0.1, 1.5); },
      [](double v) { return std::nearbyint(v); },
  };
  const auto y = Make<float>(12 * 128, [&](size_t i) { return functions[i / 128](x[i % 128]); });
  return KernelRun().In(x).Out(y, kApproximate);
}
KernelRun Doubles() {
  const auto x = Reals<double>(128, -3, 3, 9), y = Reals<double>(128, -3, 3, 10);
  double sum = 0;
  for (size_t i = 0; i < 128; ++i) sum += x[i] * y[i];
  const auto z =
      Make<double>(256, [&](size_t i) { return i < 128 ? std::hypot(x[i], y[i]) / (1 + std::fabs(y[i])) : std::exp(x[i - 128]); });
  return KernelRun().In(x).In(y).Out(z, {.relative = 1e-15}).Out(std::vector<double>{sum}, {.absolute = 1e-13});
}
KernelRun LongIntegers() {
  auto x = Words<int64_t>(128, 11), y = Words<int64_t>(128, 12);
  for (size_t i = 0; i < 128; ++i) {
    x[i] = (x[i] << (i % 20)) - (int64_t{1} << 50);
    y[i] = (y[i] >> (i % 40)) * (i % 3 == 0 ? -1 : 1) + (i % 2 == 0 ? 1 : -1);
    if (y[i] == 0) y[i] = 5;
  }
  const auto z = Make<int64_t>(4 * 128, [&](size_t k) {
    const int64_t v = x[k % 128], w = y[k % 128];
    if (k < 128) return static_cast<int64_t>(static_cast<uint64_t>(v) * static_cast<uint64_t>(w) + static_cast<uint64_t>(v >> 3));
    return k < 256 ? v / w : k < 384 ? v % w : v < w ? v ^ w : v & ~w;
  });
  return KernelRun().In(x).In(y).Out(z);
}
KernelRun BitTricks() {
  auto x = Words<int32_t>(128, 13);
  x[0] = 0;
  x[1] = -1;
  const auto y = Words<int32_t>(128, 14);
  const auto z = Make<int32_t>(6 * 128, [&](size_t k) {
    const int32_t v = x[k % 128], w = y[k % 128];
    const auto u = static_cast<uint32_t>(v);
    uint32_t reversed = 0;
    for (int b = 0; b < 32; ++b) reversed |= (u >> b & 1) << (31 - b);
    const uint32_t results[6] = {
        static_cast<uint32_t>(std::popcount(u) + 100 * std::countl_zero(u) + 10000 * (u == 0 ? 0 : std::countr_zero(u) + 1)),
        static_cast<uint32_t>(uint64_t{u} * static_cast<uint32_t>(w) >> 32),
        reversed ^ u << (w & 31),
        std::rotr(u, 5),
        u / 7 + u % 7,
        u + 1,
    };
    return results[k / 128];
  });
  return KernelRun().In(x).In(y).Out(z);
}
KernelRun SmallIntegers() {
  const auto a = Integers<int8_t>(128, -128, 127, 15);
  const auto b = Integers<uint8_t>(128, 0, 255, 16);
  const auto c = Integers<int16_t>(128, -32768, 32767, 17);
  const auto d = Integers<uint16_t>(128, 0, 65535, 18);
  return KernelRun()
      .In(a)
      .In(b)
      .In(c)
      .In(d)
      .Out(Make<float>(128, [&](size_t i) { return a[i] * 0.5 + b[i] + c[i] / 4.0 + d[i]; }))
      .Out(Make<int32_t>(128, [&](size_t i) { return a[i] * b[i] + c[i] - d[i]; }))
      .Out(Make<int8_t>(128, [&](size_t i) { return static_cast<int8_t>(a[i] + b[i]) / 2; }));
}
KernelRun Masks() {
  const auto x = Reals<float>(1024, 1, 9, 19);
  const auto m = Integers<uint8_t>(32, 0, 1, 20);
  const auto y = Make<float>(1024, [&](size_t k) {
    const size_t i = k / 32, j = k % 32;
    const bool keep = (j <= i && m[j] != 0) || i == j;
    return (keep ? x[k] : 0.0F) + (i > j ? 1.0F : 0.0F);
  });
  return KernelRun().In(x).In(m).Out(y);
}
KernelRun Casts() {
  auto x = Reals<float>(256, -70, 70, 21);
  x[0] = 65519.0F;
  x[1] = 1e-7F;
  x[2] = 2049.0F;
  return KernelRun()
      .In(x)
      .Out(Make<Brain>(256, [&](size_t i) { return x[i]; }))
      .Out(Make<Half>(256, [&](size_t i) { return x[i]; }))
      .Out(Make<float>(256, [&](size_t i) { return static_cast<float>(Brain(x[i])) - static_cast<float>(Directed<Half>(x[i], 0)); }));
}
KernelRun Rope() {
  const auto x = Reals<float>(3 * 64, -2, 2, 22);
  const auto angles = Reals<double>(96, 0, 6, 23);
  const auto c = Make<float>(96, [&](size_t i) { return std::cos(angles[i]); });
  const auto s = Make<float>(96, [&](size_t i) { return std::sin(angles[i]); });
  const auto y = Make<float>(192, [&](size_t i) {
    const size_t row = i / 64, j = i % 32, at = row * 32 + j;
    const double a = x[row * 64 + j], b = x[row * 64 + 32 + j];
    return i % 64 < 32 ? a * c[at] - b * s[at] : b * c[at] + a * s[at];
  });
  return KernelRun({3, 1, 1}).In(x).In(c).In(s).Out(y, {.absolute = 1e-6}).Scalar<int32_t>(64);
}
// Philox 4x32 with ten rounds (Salmon et al., 2011); the counter is (n, 0, 0, 0), the key (seed, 0). The first word.
uint32_t Philox(uint32_t seed, uint32_t n) {
  uint32_t c[4] = {n, 0, 0, 0}, key[2] = {seed, 0};
  for (int round = 0; round < 10; ++round) {
    const uint64_t p = uint64_t{0xD2511F53} * c[0], q = uint64_t{0xCD9E8D57} * c[2];
    const uint32_t next[4] = {static_cast<uint32_t>(q >> 32) ^ c[1] ^ key[0], static_cast<uint32_t>(q),
                              static_cast<uint32_t>(p >> 32) ^ c[3] ^ key[1], static_cast<uint32_t>(p)};
    std::copy_n(next, 4, c);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c[0];
}
KernelRun Dropout() {
  constexpr int32_t kSeed = 1234;
  const auto x = Reals<float>(400, -2, 2, 24);
  const auto y = Make<float>(400, [&](size_t i) {
    const auto word = static_cast<int32_t>(Philox(kSeed, static_cast<uint32_t>(i)));
    const double uniform = static_cast<double>(word < 0 ? -word - 1 : word) * 4.6566127342e-10;
    return uniform > 0.25 ? x[i] / 0.75 : 0.0;
  });
  const auto bits = Make<int32_t>(400, [](size_t i) { return Philox(kSeed, static_cast<uint32_t>(i + 1)); });
  return KernelRun({2, 1, 1}).In(x).Out(y, kApproximate).Out(bits).Scalar(kSeed).Scalar<int32_t>(400).Scalar(0.25F);
}
KernelRun Swiglu() {
  const auto x = Reals<Brain>(2 * 200, -6, 6, 25);
  const auto y = Make<Brain>(200, [&](size_t i) {
    const double a = x[i / 100 * 200 + i % 100], b = x[i / 100 * 200 + 100 + i % 100];
    return a / (1 + std::exp(-a)) * b;
  });
  return KernelRun({2, 1, 1}).In(x).Out(y, kOfBrain).Scalar<int32_t>(100);
}
KernelRun Convolution() {
  const auto x = Integers<float>(200, -9, 9, 26), w = Integers<float>(5, -3, 3, 27);
  const auto y = Make<float>(200, [&](size_t i) {
    float sum = 0;
    for (size_t t = 0; t < 5; ++t) sum += i + t >= 2 && i + t - 2 < 200 ? x[i + t - 2] * w[t] : 0;
    return sum;
  });
  return KernelRun({2, 1, 1}).In(x).In(w).Out(y).Scalar<int32_t>(200);
}
KernelRun Adamw() {
  const auto p = Reals<float>(300, -1, 1, 28), g = Reals<float>(300, -1, 1, 29), m = Reals<float>(300, -1, 1, 30),
             v = Reals<float>(300, 0.01, 1, 31);
  const double lr = 1e-2F, decay = 0.125, c1 = 0.1F, c2 = 0.001F;
  const auto a = [&](size_t i) { return 0.9 * m[i] + 0.1 * g[i]; };
  const auto b = [&](size_t i) { return 0.999 * v[i] + 0.001 * g[i] * g[i]; };
  const auto step = [&](size_t i) { return p[i] - lr * (a(i) / c1 / (std::sqrt(b(i) / c2) + 1e-8) + decay * p[i]); };
  return KernelRun({2, 1, 1})
      .InOut(p, Make<float>(300, step), kApproximate)
      .In(g)
      .InOut(m, Make<float>(300, a), kApproximate)
      .InOut(v, Make<float>(300, b), kApproximate)
      .Scalar<int32_t>(300)
      .Scalar(1e-2F)
      .Scalar(0.125F)
      .Scalar(0.1F)
      .Scalar(0.001F);
}
KernelRun Maxpool() {
  constexpr int32_t kHeight = 9, kWidth = 20;
  const auto x = Reals<float>(kHeight * kWidth, -9, 9, 32);
  const auto y = Make<float>(5 * 10, [&](size_t k) {
    float best = -INFINITY;
    for (int di = 0; di < 3; ++di) {
      for (int dj = 0; dj < 3; ++dj) {
        const int i = static_cast<int>(k / 10) * 2 + di - 1, j = static_cast<int>(k % 10) * 2 + dj - 1;
        if (i >= 0 && i < kHeight && j >= 0 && j < kWidth) best = std::max(best, x[static_cast<size_t>(i * kWidth + j)]);
      }
    }
    return best;
  });
  return KernelRun({5, 1, 1}).In(x).Out(y).Scalar(kHeight).Scalar(kWidth);
}
KernelRun Collatz() {
  const auto x = Integers<int32_t>(128, 1, 99, 33);
  return Map(x, 1, [](int32_t v) {
    int32_t steps = 0;
    for (; v > 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    return steps;
  });
}
KernelRun InlineAssembly() {
  return Map(Reals<float>(128, -9, 9, 34), 1, [](float v) { return v < 0 ? -v : 2 * v; });
}

constexpr CorpusKernel kTable[] = {
    {"tr_add", Add},
    {"tr_silu", Silu},
    {"tr_gelu_tanh", GeluTanh},
    {"tr_gelu_erf", GeluErf},
    {"tr_rectifiers", Rectifiers},
    {"tr_softplus", Softplus},
    {"tr_functions", Functions},
    {"tr_doubles", Doubles},
    {"tr_long_integers", LongIntegers},
    {"tr_bit_tricks", BitTricks},
    {"tr_small_integers", SmallIntegers},
    {"tr_masks", Masks},
    {"tr_casts", Casts},
    {"tr_rope", Rope},
    {"tr_dropout", Dropout},
    {"tr_swiglu", Swiglu},
    {"tr_conv1d", Convolution},
    {"tr_adamw", Adamw},
    {"tr_maxpool", Maxpool},
    {"tr_collatz", Collatz},
    {"tr_inline_assembly", InlineAssembly},
};

}  // namespace

CorpusTable TritonElementwiseKernels() { return kTable; }

}  // namespace racer::corpus
