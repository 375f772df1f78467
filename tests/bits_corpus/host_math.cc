// Host computations of kernels/cuda_headers/math_f32.cu, math_f64.cu and fast_math.cu: the functions in long double, within the
// error that the CUDA C++ Programming Guide states (appendix "Mathematical Functions").
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

using Real = long double;
using Function = Real (*)(Real);

constexpr double kUlp32 = 0x1p-23, kUlp64 = 0x1p-52;

// Column k of y is f[k] of x.
template <class T>
std::vector<T> Columns(const std::vector<T>& x, std::initializer_list<Function> functions) {
  std::vector<T> y;
  for (const Function f : functions) {
    for (const T v : x) y.push_back(static_cast<T>(f(v)));
  }
  return y;
}
template <class T>
KernelRun Run(const std::vector<T>& x, const std::vector<T>& y, Tolerance tolerance) {
  return KernelRun({1, 1, 1}, {static_cast<uint32_t>(x.size()), 1, 1}).In(x).Out(y, tolerance);
}

KernelRun Exponentials() {
  auto x = Reals<float>(64, -6, 6, 1);
  x[0] = 0;
  x[1] = 1;
  x[2] = -1e-4F;
  x[3] = 3e-5F;
  return Run(x,
             Columns(x, {[](Real v) { return std::exp(v); }, [](Real v) { return std::exp2(v); },
                         [](Real v) { return std::pow(Real{10}, v * Real{0.25}); }, [](Real v) { return std::expm1(v); },
                         [](Real v) { return std::tanh(v); }, [](Real v) { return std::sinh(v); }, [](Real v) { return std::cosh(v); },
                         [](Real v) { return 1 / (1 + std::exp(-v)); }, [](Real v) { return std::erf(v); },
                         [](Real v) { return std::erfc(v); }, [](Real v) { return std::erfc(-v / std::sqrt(Real{2})) / 2; },
                         // The inverse of erf at the float nearest to tanh v, by bisection.
                         [](Real v) {
                           const auto at = static_cast<float>(std::tanh(v));
                           Real low = -4, high = 4;
                           for (int i = 0; i < 90; ++i) {
                             const Real middle = (low + high) / 2;
                             (std::erf(middle) < at ? low : high) = middle;
                           }
                           return low;
                         }}),
             {.relative = 8 * kUlp32, .absolute = 1e-20});
}
KernelRun Logarithms() {
  auto x = Reals<float>(64, 0.001, 20, 2);
  x[0] = 1;
  x[1] = 0.5F;
  x[2] = 1e-30F;
  x[3] = 3e30F;
  for (size_t i = 4; i < 8; ++i) x[i] = 1 + static_cast<float>(i) * 1e-5F;
  const auto y = Columns(
      x, {[](Real v) { return std::log(v); }, [](Real v) { return std::log2(v); }, [](Real v) { return std::log10(v); },
          [](Real v) { return std::log1p(v); }, [](Real v) { return std::pow(v, Real{1.7F}); }, [](Real v) { return 1 / (v * v * v); },
          [](Real v) { return std::cbrt(v); }, [](Real v) { return 1 / std::cbrt(v); }, [](Real v) { return std::lgamma(v); },
          [](Real v) { return std::tgamma(Real{std::fma(static_cast<float>(v), 0.1F, 0.5F)}); }, [](Real v) { return std::asinh(v); },
          [](Real v) { return std::acosh(Real{static_cast<float>(v) + 1.0F}); }});
  return Run(x, y, {.relative = 12 * kUlp32, .absolute = 2 * kUlp32});
}
KernelRun Trigonometry() {
  auto x = Reals<float>(64, -10, 10, 3);
  const float edges[] = {0, 1e-6F, 105615.0F, -1e6F, 3e8F, 1e22F, 3.0e38F, 3.14159274F, -1.57079637F};
  for (size_t i = 0; i < std::size(edges); ++i) x[i] = edges[i];
  static const auto u = [](Real v) { return static_cast<float>(v) / (1.0F + std::fabs(static_cast<float>(v))); };
  const auto y =
      Columns(x, {[](Real v) { return std::sin(v); }, [](Real v) { return std::cos(v); }, [](Real v) { return std::tan(v); },
                  [](Real v) { return std::atan(v); }, [](Real v) { return std::atan2(v, Real{3.0F - static_cast<float>(v)}); },
                  [](Real v) { return std::sin(std::remainder(v, Real{2}) * 3.14159265358979323846L); },
                  [](Real v) { return std::sin(v / 2); }, [](Real v) { return std::cos(v / 2); },
                  [](Real v) { return std::asin(Real{u(v)}); }, [](Real v) { return std::acos(Real{u(v)}); },
                  [](Real v) { return std::atanh(Real{u(v) * 0.999F}); }, [](Real v) { return Real{j0(double{u(v) * 10.0F})}; }});
  return Run(x, y, {.relative = 8 * kUlp32, .absolute = 4 * kUlp32});
}

// One float operation under a rounding mode.
template <class F>
auto Rounded(int mode, F f) -> decltype(f()) {
  std::fesetround(mode);
  const volatile auto result = f();  // computed before the mode changes back
  std::fesetround(FE_TONEAREST);
  return result;
}
template <class T>
T Volatile(T v) {  // keeps the compiler from folding at its own rounding
  const volatile T copy = v;
  return copy;
}
KernelRun ExactSingle() {
  auto x = Reals<float>(64, -1000, 1000, 4), z = Reals<float>(64, -30, 30, 5);
  const float edges[] = {0.5F, -0.5F, 2.5F, -3.5F, 1e-41F, 8388609.0F, 16777217.0F, -1e-38F, 0.49999997F};
  for (size_t i = 0; i < std::size(edges); ++i) x[i] = edges[i];
  z[0] = 3e-40F;
  z[1] = -7;
  std::vector<float> y(20 * 64);
  std::vector<int32_t> k(4 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const float a = x[i], b = z[i];
    int e = 0;
    float whole = 0;
    const float values[20] = {
        a / b,
        std::sqrt(std::fabs(a)),
        std::fmod(a, b),
        std::remainder(a, b),
        std::floor(a) + std::ceil(b),
        std::rint(a) - std::trunc(b),
        std::round(a),
        std::copysign(a, b) + std::fdim(a, b),
        std::nextafter(a, b),
        std::ldexp(a, 5) + std::scalbn(b, -3),
        std::frexp(a, &e),
        std::modf(a, &whole),
        Rounded(FE_TOWARDZERO, [&] { return Volatile(a) + Volatile(b); }),
        Rounded(FE_UPWARD, [&] { return Volatile(a) * Volatile(b); }),
        Rounded(FE_DOWNWARD, [&] { return std::fma(Volatile(a), Volatile(b), Volatile(a)); }),
        Rounded(FE_UPWARD, [&] { return Volatile(a) / Volatile(b); }),
        Rounded(FE_TOWARDZERO, [&] { return Volatile(1.0F) / Volatile(b); }),
        Rounded(FE_DOWNWARD, [&] { return std::sqrt(Volatile(std::fabs(a))); }),
        std::fma(a, b, -a * b),
        a > 0 ? std::min(a, 1.0F) : 0.0F,
    };
    for (size_t c = 0; c < 20; ++c) y[64 * c + i] = values[c];
    k[i] = e;
    k[64 + i] = std::ilogb(b);
    k[128 + i] = static_cast<int32_t>(std::nearbyint(a)) ^ static_cast<int32_t>(static_cast<uint32_t>(std::fabs(b)));
    k[192 + i] = 2 + (std::signbit(b) ? 4 : 0);
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).In(z).Out(y).Out(k);
}
KernelRun Norms() {
  const auto x = Reals<float>(64, -8, 8, 6);
  const auto y =
      Columns(x, {[](Real v) { return std::hypot(v, Real{3}); },
                  [](Real v) { return 1 / std::sqrt(Real{std::fabs(static_cast<float>(v)) + 0.01F}); },
                  [](Real v) { return 1 / std::hypot(v, Real{1}); }, [](Real v) { return std::sqrt(v * v + 5); },
                  [](Real v) { return std::max(v, Real{0}) + std::min(v, Real{1}); },
                  [](Real v) { return v / 2 * std::erfc(-v * std::sqrt(Real{0.5})); }, [](Real v) { return std::log1p(std::exp(v)); }});
  return Run(x, y, {.relative = 8 * kUlp32, .absolute = 8 * kUlp32});
}

KernelRun DoubleFunctions() {
  auto x = Reals<double>(64, -5, 5, 7);
  x[0] = 0;
  x[1] = 1e-9;
  x[2] = -0.3;
  for (size_t i = 3; i < 6; ++i) x[i] = 0.1 * static_cast<double>(i);
  const auto y = Columns(x, {[](Real v) { return std::exp(v); }, [](Real v) { return std::exp2(v); }, [](Real v) { return std::expm1(v); },
                             [](Real v) { return std::tanh(v); }, [](Real v) { return std::erf(v); }, [](Real v) { return std::sin(v); },
                             [](Real v) { return std::cos(v); }, [](Real v) { return std::tan(v); }, [](Real v) { return std::atan(v); },
                             [](Real v) { return std::atan2(v, Real{2.0 - static_cast<double>(v)}); },
                             [](Real v) { return std::sin(v * 3.14159265358979323846L); }, [](Real v) { return std::cbrt(v); }});
  return Run(x, y, {.relative = 4 * kUlp64, .absolute = 0x1p-54});
}
KernelRun PositiveDoubles() {
  auto x = Reals<double>(64, 0.01, 9, 8);
  x[0] = 1;
  x[1] = 1e-300;
  x[2] = 1 + 1e-9;
  const auto y =
      Columns(x, {[](Real v) { return std::log(v); }, [](Real v) { return std::log2(v); }, [](Real v) { return std::log1p(v); },
                  [](Real v) { return std::pow(v, Real{0.3}); }, [](Real v) { return 1 / (v * v * v * v); },
                  [](Real v) { return 1 / std::sqrt(v); }, [](Real v) { return std::erfc(v); },
                  [](Real v) { return std::lgamma(Real{static_cast<double>(v) + 0.5}); },
                  [](Real v) { return std::acosh(Real{static_cast<double>(v) + 1.0}); }, [](Real v) { return std::hypot(v, Real{4}); },
                  [](Real v) { return std::asin(Real{static_cast<double>(v) / (static_cast<double>(v) + 1.0)}); }});
  return Run(x, y, {.relative = 6 * kUlp64, .absolute = 4 * kUlp64});
}
KernelRun ExactDouble() {
  auto a = Reals<double>(64, -1e5, 1e5, 9), b = Reals<double>(64, -300, 300, 10);
  a[0] = 1e-310;
  a[1] = 0.5;
  a[2] = -2.5;
  b[2] = 7e-309;
  std::vector<double> y(11 * 64);
  std::vector<int64_t> k(4 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const double p = a[i], q = b[i];
    const double values[11] = {
        p / q,
        std::sqrt(std::fabs(p)),
        std::fma(p, q, p),
        std::fmod(p, q),
        std::floor(p) + std::rint(q),
        Rounded(FE_UPWARD, [&] { return Volatile(p) + Volatile(q); }),
        Rounded(FE_TOWARDZERO, [&] { return Volatile(p) * Volatile(q); }),
        1.0 / q,
        std::round(p) - std::trunc(q),
        std::ldexp(p, 7),
        double{static_cast<float>(p)} + double{Rounded(FE_DOWNWARD, [&] { return static_cast<float>(Volatile(q)); })},
    };
    for (size_t c = 0; c < 11; ++c) y[64 * c + i] = values[c];
    k[i] = static_cast<int64_t>(std::nearbyint(p)) + static_cast<int64_t>(q);
    k[64 + i] = std::bit_cast<int64_t>(std::max(p, q));
    k[128 + i] = std::llrint(p * 1e6);
    k[192 + i] =
        static_cast<int32_t>(static_cast<uint32_t>(std::bit_cast<uint64_t>(p) >> 32) ^ static_cast<uint32_t>(std::bit_cast<uint64_t>(q)));
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(a).In(b).Out(y).Out(k);
}

KernelRun FastFunctions() {
  const auto x = Reals<float>(64, -3, 3, 11);
  const auto y = Columns(x, {[](Real v) { return std::exp(v); }, [](Real v) { return std::log(std::fabs(v) + Real{0.1F}); },
                             [](Real v) { return std::sin(v); }, [](Real v) { return std::cos(v); },
                             [](Real v) { return std::pow(std::fabs(v) + Real{0.1F}, Real{1.5}); }, [](Real v) { return std::tanh(v); },
                             [](Real v) { return v / (v * v + 1); }, [](Real v) { return std::sqrt(std::fabs(v)); },
                             [](Real v) { return 1 / std::sqrt(std::fabs(v) + Real{0.1F}); }, [](Real v) { return 1 / (v + 20); },
                             [](Real v) { return std::exp(v) + std::log2(std::fabs(v) + 1); },
                             [](Real v) { return std::exp2(v) * std::min(std::max(v, Real{0}), Real{1}); }});
  return Run(x, y, {.relative = 0x1p-10, .absolute = 0x1p-20});
}
KernelRun Flushed() {
  const std::vector<float> x{1e-40F, -1e-40F, 1.5e-38F, -1.5e-38F, 1.0F, 3e38F, 0.0F, -0.0F};
  std::vector<float> y;
  const auto flush = [](float v) { return std::fabs(v) < std::numeric_limits<float>::min() ? std::copysign(0.0F, v) : v; };
  for (float v : x) y.push_back(flush(v) + 0.0F);
  for (float v : x) y.push_back(flush(flush(v) * 0.5F));
  for (float v : x) y.push_back(flush(v) + flush(v));
  for (float v : x) y.push_back(std::max(flush(v), -1.0F));
  return Run(x, y, {});
}
KernelRun FastSoftmax() {
  const auto x = Reals<float>(256, -9, 9, 12);
  std::vector<float> y;
  for (size_t row = 0; row < 2; ++row) {
    Real sum = 0;
    for (size_t i = 0; i < 128; ++i) sum += std::exp(Real{x[row * 128 + i]});
    for (size_t i = 0; i < 128; ++i) y.push_back(static_cast<float>(std::exp(Real{x[row * 128 + i]}) / sum));
  }
  return KernelRun({2, 1, 1}, {128, 1, 1}).In(x).Out(y, {.relative = 1e-5});
}

constexpr CorpusKernel kTable[] = {
    {"exponentials_f32", Exponentials},
    {"logarithms_f32", Logarithms},
    {"trigonometry_f32", Trigonometry},
    {"exact_f32", ExactSingle},
    {"norms_f32", Norms},
    {"functions_f64", DoubleFunctions},
    {"positive_f64", PositiveDoubles},
    {"exact_f64", ExactDouble},
    {"fast_functions", FastFunctions},
    {"flushed", Flushed},
    {"fast_softmax", FastSoftmax},
};

}  // namespace

CorpusTable MathKernels() { return kTable; }

}  // namespace racer::corpus
