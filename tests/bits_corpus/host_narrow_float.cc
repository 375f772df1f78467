// Host computations of kernels/cuda_headers/half_math.cu, bf16_math.cu and narrow_convert.cu. Arithmetic of two or three 16-bit numbers is
// exact in double (in long double for fused operations), so that storing it rounds once.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

using Binary = std::function<double(double, double, double)>;

double Saturated(double v) { return std::clamp(v, 0.0, 1.0); }

template <class T>
std::vector<T> Values(size_t count, double low, double high, uint64_t seed) {
  auto values = Reals<T>(count, low, high, seed);
  const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-7, -6e-8, 65504.0, 3.0, 0.25};
  for (size_t i = 0; i < std::size(edges) && i + 20 < count; ++i) values[(i + seed * 3) % 20] = T(edges[i]);
  return values;
}
template <class T>
std::vector<T> Columns(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c, const std::vector<Binary>& functions) {
  std::vector<T> y;
  for (const Binary& f : functions) {
    for (size_t i = 0; i < a.size(); ++i) y.push_back(T(f(a[i], b[i], c[i])));
  }
  return y;
}
// The larger of two numbers; +0 is larger than -0.
double Larger(double p, double q) { return p == q ? (std::signbit(p) ? q : p) : std::max(p, q); }
double Smaller(double p, double q) { return p == q ? (std::signbit(p) ? p : q) : std::min(p, q); }
// p * q + r: a 22-bit product and a 11-bit addend at any distance fit into two doubles; FMA rounds once to 53 bits, to odd here so
// that the second rounding, into the narrow format, is as if it were the only one.
double Fused(double p, double q, double r) {
  const double product = p * q, sum = product + r;  // the product is exact
  const double part = sum - product, lost = (product - (sum - part)) + (r - part);
  if (lost == 0 || (std::bit_cast<uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}

KernelRun HalfArithmetic() {
  const auto a = Values<Half>(64, -9, 9, 1), b = Values<Half>(64, -4, 4, 2), c = Values<Half>(64, -9, 9, 3);
  const auto y = Columns<Half>(
      a, b, c,
      {[](double p, double q, double) { return p + q; }, [](double p, double q, double) { return p - q; },
       [](double p, double q, double) { return p * q; }, Fused, [](double p, double q, double) { return p / q; },
       [](double p, double q, double) { return p + q == 0 ? 0.0 : Saturated(p + q); },
       [](double p, double q, double r) { return Fused(p, q, r) == 0 ? 0.0 : Saturated(Fused(p, q, r)); },
       [](double p, double q, double r) { return Fused(p, q, r) > 0 ? Fused(p, q, r) : 0.0; },
       [](double p, double q, double) { return Larger(-p, q); }, [](double p, double, double r) { return Smaller(std::fabs(p), r); },
       [](double p, double q, double) { return Larger(p, q); },
       // The operators round twice.
       [](double p, double q, double r) { return double{Half(p * q)} + r; }});
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).In(c).Out(y);
}
KernelRun Half2Arithmetic() {
  auto a = Values<Half>(128, -9, 9, 4), b = Values<Half>(128, -9, 9, 5);
  const auto c = Values<Half>(128, -9, 9, 6);
  for (size_t i = 40; i < 60; ++i) b[i] = a[i];
  std::vector<Half> y;
  std::vector<uint32_t> bits(64);
  const auto column = [&](auto f) {
    for (size_t i = 0; i < 128; i += 2) {
      const auto pair = f(i, i + 1);
      y.push_back(Half(pair.first));
      y.push_back(Half(pair.second));
    }
  };
  const auto lanewise = [&](auto f) { column([&](size_t l, size_t h) { return std::pair(f(l), f(h)); }); };
  const auto A = [&](size_t i) { return double{a[i]}; };
  const auto B = [&](size_t i) { return double{b[i]}; };
  lanewise([&](size_t i) { return A(i) + B(i); });
  lanewise([&](size_t i) { return Fused(a[i], b[i], c[i]); });
  lanewise([&](size_t i) { return A(i) * B(i) == 0 ? 0.0 : Saturated(A(i) * B(i)); });
  lanewise([&](size_t i) { return Fused(a[i], b[i], c[i]) > 0 ? Fused(a[i], b[i], c[i]) : 0.0; });
  column([&](size_t l, size_t h) { return std::pair(Smaller(A(l), B(h)), Smaller(A(h), B(l))); });
  column([&](size_t l, size_t h) { return std::pair(A(h), B(l)); });
  lanewise([&](size_t i) { return A(i) > B(i) ? 1.0 : 0.0; });
  // The complex product and sum, as the header defines it: two fused operations in a row.
  column([&](size_t l, size_t h) {
    const Half re = Half(Fused(a[l], b[l], c[l])), im = Half(Fused(a[l], b[h], c[h]));
    return std::pair(Fused(-A(h), b[h], re), Fused(a[h], b[l], im));
  });
  for (size_t i = 0; i < 64; ++i) {
    const size_t l = 2 * i, h = l + 1;
    const uint32_t mask = (A(l) > B(l) ? 0xffffu : 0) | (A(h) > B(h) ? 0xffff0000u : 0);
    bits[i] = (A(l) == B(l) && A(h) == B(h) ? 1u : 0) | (A(l) < B(l) && A(h) < B(h) ? 2u : 0) | mask << 2;
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).In(c).Out(y).Out(bits);
}

std::vector<float> ConversionInputs(double range, uint64_t seed) {
  auto x = Reals<float>(64, -range, range, seed);
  const float edges[] = {0.0F, -0.0F, 1.0F, 2049.0F, -2051.0F, 0.5F, 1.5F, -2.5F, 1e-7F, -3e-8F, 1000.5F, 0.1F};
  for (size_t i = 0; i < std::size(edges); ++i) x[i] = edges[i];
  return x;
}
KernelRun HalfConversions() {
  const auto x = ConversionInputs(3000, 7);
  const auto k = Integers<int32_t>(64, -40000, 40000, 8);
  std::vector<Half> y;
  std::vector<int32_t> z(8 * 64);
  std::vector<float> f(64);
  for (float v : x) y.push_back(Half(v));
  for (int direction : {0, 1, -1}) {
    for (float v : x) y.push_back(Directed<Half>(v, direction));
  }
  for (int32_t v : k) y.push_back(Half(v));
  for (int32_t v : k) y.push_back(Half(static_cast<int16_t>(v)));
  for (float v : x) y.push_back(Half(double{v} * 3.0));
  for (auto round :
       {+[](double v) { return std::floor(v); }, +[](double v) { return std::ceil(v); }, +[](double v) { return std::trunc(v); }}) {
    for (float v : x) y.push_back(Half(round(double{Half(v)})));
  }
  for (size_t i = 0; i < 64; ++i) {
    const Half half(x[i]);
    const double h = half;
    z[i] = static_cast<int32_t>(std::nearbyint(h));
    z[64 + i] = static_cast<int32_t>(std::trunc(h));
    z[128 + i] = static_cast<int32_t>(std::ceil(h));
    z[192 + i] = static_cast<int32_t>(std::max(std::floor(h), 0.0));
    z[256 + i] = static_cast<int32_t>(std::max(std::nearbyint(h), 0.0));
    z[320 + i] = static_cast<int32_t>(std::trunc(h));
    z[384 + i] = static_cast<int16_t>(half.bits);
    z[448 + i] = 4 * (h == std::nearbyint(h) ? 1 : 0) + 8 * (h < double{y[64 + i]} ? 1 : 0);
    f[i] = static_cast<float>(h + h);
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).In(k).Out(y).Out(z).Out(f);
}

constexpr auto kTenToThe = [](double v) { return std::pow(10.0, v); };
template <class T>
KernelRun Functions(const std::vector<T>& x, const std::vector<std::function<double(double)>>& functions, Tolerance tolerance) {
  std::vector<T> y;
  for (const auto& f : functions) {
    for (const T v : x) y.push_back(T(f(v)));
  }
  return KernelRun({1, 1, 1}, {static_cast<uint32_t>(x.size()), 1, 1}).In(x).Out(y, tolerance);
}
KernelRun HalfFunctions() {  // one unit in the last place of a half, and what tanh.approx is off
  return Functions<Half>(
      Reals<Half>(64, 0.06, 4.5, 9),
      {[](double v) { return std::exp(v); }, [](double v) { return std::exp2(v); }, [](double v) { return std::log(v); },
       [](double v) { return std::log2(v); }, [](double v) { return std::sqrt(v); }, [](double v) { return 1 / std::sqrt(v); },
       [](double v) { return 1 / v; }, [](double v) { return std::sin(v); }, [](double v) { return std::cos(v); },
       [](double v) { return std::tanh(v); }, kTenToThe, [](double v) { return std::log10(v); }},
      {.relative = 0x1p-9, .absolute = 0x1p-10});
}
KernelRun Half2Dot() {
  const auto a = Integers<Half>(256, -4, 4, 10), b = Integers<Half>(256, -4, 4, 11);
  double sum[2] = {0, 0};
  for (size_t i = 0; i < 256; ++i) sum[i % 2] += double{a[i]} * double{b[i]};
  return KernelRun({1, 1, 1}, {32, 1, 1})
      .In(a)
      .In(b)
      .Out(std::vector<float>{static_cast<float>(sum[0] + sum[1])})
      .Out(std::vector<Half>{sum[0], sum[1]});
}

KernelRun BrainArithmetic() {
  const auto a = Values<Brain>(64, -9, 9, 12), b = Values<Brain>(64, -4, 4, 13), c = Values<Brain>(64, -9, 9, 14);
  const auto y = Columns<Brain>(
      a, b, c,
      {[](double p, double q, double) { return p + q; }, [](double p, double q, double) { return p - q; },
       [](double p, double q, double) { return p * q; }, Fused, [](double p, double q, double) { return p / q; },
       [](double p, double q, double) { return Larger(p, -q); }, [](double p, double q, double) { return Smaller(std::fabs(p), q); },
       [](double p, double q, double r) { return Fused(p, q, r) > 0 ? Fused(p, q, r) : 0.0; },
       [](double p, double q, double) { return p + q == 0 ? 0.0 : Saturated(p + q); },
       [](double p, double q, double r) { return p > q ? p : r; }});
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).In(c).Out(y);
}
KernelRun Brain2Arithmetic() {
  const auto a = Values<Brain>(128, -9, 9, 15), b = Values<Brain>(128, -9, 9, 16), c = Values<Brain>(128, -9, 9, 17);
  std::vector<Brain> y;
  std::vector<uint32_t> bits(64);
  for (size_t i = 0; i < 128; ++i) y.push_back(Brain(double{a[i]} + double{b[i]}));
  for (size_t i = 0; i < 128; ++i) y.push_back(Brain(Fused(a[i], b[i], c[i])));
  for (size_t i = 0; i < 128; ++i) y.push_back(Brain(Larger(a[i], b[i])));
  for (size_t i = 0; i < 128; ++i) y.push_back(Brain(double{a[i]} * double{b[i & ~size_t{1}]}));
  for (size_t i = 0; i < 128; ++i) y.push_back(i % 2 == 0 ? a[i + 1] : b[i]);
  for (size_t i = 0; i < 128; ++i) bits[i / 2] |= double{a[i]} <= double{b[i]} ? 0xffffu << (i % 2 * 16) : 0;
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).In(c).Out(y).Out(bits);
}
KernelRun BrainConversions() {
  const auto x = ConversionInputs(1e6, 18);
  const auto k = Integers<int32_t>(64, -(1 << 30), 1 << 30, 19);
  std::vector<Brain> y;
  std::vector<int32_t> z(4 * 64);
  for (float v : x) y.push_back(Brain(v));
  for (int direction : {0, 1, -1}) {
    for (float v : x) y.push_back(Directed<Brain>(v, direction));
  }
  for (int32_t v : k) y.push_back(Brain(v));
  for (float v : x) y.push_back(Brain(v));
  for (float v : x) y.push_back(Brain(-v));
  for (float v : x) y.push_back(Brain(v));
  for (size_t i = 0; i < 64; ++i) {
    const Brain p(x[i]);
    z[i] = static_cast<int32_t>(std::trunc(double{p}));
    z[64 + i] = static_cast<int32_t>(std::nearbyint(double{p}));
    z[128 + i] = Brain(-x[i]).bits;
    z[192 + i] = static_cast<int32_t>(uint32_t{p.bits} << 16);
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).In(k).Out(y).Out(z);
}
KernelRun BrainFunctions() {
  return Functions<Brain>(
      Reals<Brain>(64, 0.06, 4.5, 20),
      {[](double v) { return std::exp(v); }, [](double v) { return std::log(v); }, [](double v) { return std::sqrt(v); },
       [](double v) { return 1 / std::sqrt(v); }, [](double v) { return 1 / v; }, [](double v) { return std::sin(v); },
       [](double v) { return std::cos(v); }, [](double v) { return std::tanh(v); }, [](double v) { return std::floor(v); }},
      {.relative = 0x1p-7, .absolute = 0x1p-9});
}

KernelRun WidenFp8() {
  std::vector<float> e4m3, e5m2;
  std::vector<Half> pairs;
  for (uint32_t i = 0; i < 256; ++i) {
    e4m3.push_back(static_cast<float>(DecodeFloat(i, kE4m3)));
    e5m2.push_back(static_cast<float>(DecodeFloat(i, kE5m2)));
    pairs.push_back(Half(DecodeFloat(i, kE4m3)));
    pairs.push_back(Half(DecodeFloat(255 - i, kE4m3)));
  }
  return KernelRun({1, 1, 1}, {256, 1, 1}).Out(e4m3).Out(e5m2).Out(pairs);
}
std::vector<float> NarrowInputs(const FloatLayout& layout, uint64_t seed) {
  Numbers numbers(seed);
  std::vector<float> x{0.0F,   -0.0F,  1e9F,   -1e9F,   INFINITY, -INFINITY, NAN,      1e-30F,
                       -1e-5F, 464.0F, 465.0F, -448.0F, 480.0F,   57344.0F,  61440.0F, 61439.0F};
  // Halves between neighbours, and a little to each side of them.
  while (x.size() < 128) {
    const auto at = static_cast<uint32_t>(numbers.Integer(0, (1 << (layout.exponent + layout.mantissa)) - 2));
    const double half = (DecodeFloat(at, layout) + DecodeFloat(at + 1, layout)) / 2;
    if (!std::isfinite(half)) continue;
    const auto v = static_cast<float>(half * (numbers.Integer(0, 1) != 0 ? 1 : -1));
    x.push_back(x.size() % 3 == 0 ? v : std::nextafter(v, x.size() % 3 == 1 ? 1e30F : -1e30F));
  }
  return x;
}
uint8_t Narrowed(double v, const FloatLayout& layout, bool saturate) {
  return static_cast<uint8_t>(EncodeFloat(std::isnan(v) ? std::fabs(v) : v, layout, saturate));
}
KernelRun NarrowFp8() {
  auto x = NarrowInputs(kE4m3, 21);
  const auto more = NarrowInputs(kE5m2, 22);
  x.insert(x.end(), more.begin(), more.end());
  std::vector<uint8_t> e4m3, e5m2, open;
  std::vector<uint16_t> pairs;
  for (float v : x) {
    e4m3.push_back(Narrowed(v, kE4m3, true));
    e5m2.push_back(Narrowed(v, kE5m2, true));
    open.push_back(static_cast<uint8_t>(Narrowed(v, kE4m3, false) | (std::signbit(v) && !std::isnan(v) ? 0x80 : 0)));
    pairs.push_back(static_cast<uint16_t>(Narrowed(v, kE4m3, true) | Narrowed(-v, kE4m3, true) << 8));
  }
  return KernelRun({1, 1, 1}, {256, 1, 1}).In(x).Out(e4m3).Out(e5m2).Out(open).Out(pairs);
}
KernelRun Fp8OfHalf() {
  const auto x = Values<Half>(128, -60000, 60000, 23);
  std::vector<uint8_t> y;
  std::vector<uint32_t> four;
  for (const Half h : x) {
    const double v = h;
    y.push_back(Narrowed(v, kE5m2, true));
    four.push_back(Narrowed(v, kE5m2, true) | uint32_t{Narrowed(static_cast<float>(v) * 0.5F, kE5m2, true)} << 8 |
                   uint32_t{Narrowed(-v, kE5m2, true)} << 16 | uint32_t{Narrowed(static_cast<float>(v) + 1.0F, kE5m2, true)} << 24);
  }
  return KernelRun({1, 1, 1}, {128, 1, 1}).In(x).Out(y).Out(four);
}
KernelRun NarrowFp6Fp4() {
  auto x = NarrowInputs(kE2m3, 24);
  const auto more = NarrowInputs(kE3m2, 25), most = NarrowInputs(kE2m1, 26);
  x.insert(x.end(), more.begin(), more.end());
  x.insert(x.end(), most.begin(), most.end());
  // A NaN becomes the largest number: the formats have none (cuda_fp6.h, cuda_fp4.h).
  const auto narrow = [](double v, const FloatLayout& layout) {
    return static_cast<uint8_t>(EncodeFloat(std::isnan(v) ? layout.largest : v, layout, true));
  };
  std::vector<uint8_t> e2m3, e3m2, e2m1;
  std::vector<Half> widened;
  for (size_t i = 0; i < x.size(); ++i) {
    e2m3.push_back(narrow(x[i], kE2m3));
    e3m2.push_back(narrow(x[i], kE3m2));
    e2m1.push_back(static_cast<uint8_t>(narrow(x[i], kE2m1) | narrow(-x[i], kE2m1) << 4));
    widened.push_back(Half(DecodeFloat(i & 63, kE2m3)));
    widened.push_back(Half(DecodeFloat(i & 63, kE3m2)));
    widened.push_back(Half(DecodeFloat(i & 15, kE2m1)));
  }
  return KernelRun({1, 1, 1}, {static_cast<uint32_t>(x.size()), 1, 1}).In(x).Out(e2m3).Out(e3m2).Out(e2m1).Out(widened);
}
KernelRun QuantiseRows() {
  const auto x = Reals<float>(4 * 64, -3000, 3000, 27);
  std::vector<E4m3> q;
  std::vector<float> scale, back;
  for (size_t r = 0; r < 4; ++r) {
    float largest = 0;
    for (size_t i = 0; i < 64; ++i) largest = std::max(largest, std::fabs(x[64 * r + i]));
    const float s = std::exp2(std::ceil(std::log2(largest / 448.0F)));
    scale.push_back(s);
    for (size_t i = 0; i < 64; ++i) {
      q.push_back(E4m3(x[64 * r + i] / s));
      back.push_back(static_cast<float>(q.back()) * s);
    }
  }
  return KernelRun({4, 1, 1}, {32, 1, 1}).In(x).Out(q).Out(scale).Out(back);
}

constexpr CorpusKernel kTable[] = {
    {"half_arithmetic", HalfArithmetic},
    {"half2_arithmetic", Half2Arithmetic},
    {"half_conversions", HalfConversions},
    {"half_functions", HalfFunctions},
    {"half2_dot", Half2Dot},
    {"bf16_arithmetic", BrainArithmetic},
    {"bf162_arithmetic", Brain2Arithmetic},
    {"bf16_conversions", BrainConversions},
    {"bf16_functions", BrainFunctions},
    {"widen_fp8", WidenFp8},
    {"narrow_fp8", NarrowFp8},
    {"fp8_of_half", Fp8OfHalf},
    {"narrow_fp6_fp4", NarrowFp6Fp4},
    {"quantise_rows", QuantiseRows},
};

}  // namespace

CorpusTable NarrowFloatKernels() { return kTable; }

}  // namespace racer::corpus
