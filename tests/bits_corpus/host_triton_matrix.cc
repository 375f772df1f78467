// Host computations of the Triton kernels with matrices, and of those that quantise. Products of small integers: exact in every order
// of summation and in every format that the tensor cores take.
#include <algorithm>
#include <cmath>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

template <class T>
std::vector<double> Widened(const std::vector<T>& v) {
  return Make<double>(v.size(), [&](size_t i) { return static_cast<double>(v[i]); });
}
// a[M,K] times b[K,N].
std::vector<double> Product(const std::vector<double>& a, const std::vector<double>& b, size_t n, size_t k) {
  return Make<double>(a.size() / k * n, [&](size_t at) {
    double sum = 0;
    for (size_t i = 0; i < k; ++i) sum += a[at / n * k + i] * b[i * n + at % n];
    return sum;
  });
}
template <class In, class Out>
KernelRun Matmul(const std::vector<In>& a, const std::vector<In>& b, uint32_t m, uint32_t n, uint32_t tile, Tolerance tolerance = {}) {
  const size_t k = a.size() / m;
  const auto product = Product(Widened(a), Widened(b), n, k);
  return KernelRun({m / tile, n / tile, 1})
      .In(a)
      .In(b)
      .Out(Make<Out>(product.size(), [&](size_t i) { return product[i]; }), tolerance)
      .Scalar(static_cast<int32_t>(n))
      .Scalar(static_cast<int32_t>(k));
}
template <class In, class Out>
KernelRun IntegerMatmul(uint32_t m, uint32_t n, size_t k, uint32_t tile, int64_t limit) {
  return Matmul<In, Out>(Integers<In>(m * k, -limit, limit, 1), Integers<In>(k * n, -limit, limit, 2), m, n, tile);
}
KernelRun MatmulF16() { return IntegerMatmul<Half, Half>(64, 64, 96, 32, 4); }
KernelRun MatmulBf16() { return IntegerMatmul<Brain, float>(64, 64, 96, 32, 50); }
KernelRun MatmulTf32() { return IntegerMatmul<float, float>(64, 64, 96, 32, 300); }
KernelRun MatmulTf32x3() {  // 21 bits of significand, which one tf32 product would lose
  const auto values = [](uint64_t seed) {
    return Make<float>(64 * 64,
                       [r = Numbers(seed)](size_t) mutable { return static_cast<double>(r.Integer(-(1 << 20), 1 << 20)) * 0x1p-18; });
  };
  return Matmul<float, float>(values(3), values(4), 64, 64, 32, {.relative = 1e-5, .absolute = 2e-4});
}
KernelRun MatmulFma() { return IntegerMatmul<float, float>(32, 32, 48, 16, 300); }
KernelRun MatmulS8() { return IntegerMatmul<int8_t, int32_t>(64, 64, 96, 32, 127); }
KernelRun MatmulF64() { return IntegerMatmul<double, double>(32, 32, 48, 16, 100000); }
KernelRun MatmulE5m2() { return IntegerMatmul<E5m2, float>(64, 64, 96, 32, 4); }

KernelRun MatmulInt4() {
  constexpr size_t kM = 16, kN = 64, kK = 64;
  const auto a = Integers<Half>(kM * kK, -3, 3, 5);
  const auto w = Integers<uint8_t>(kK / 2 * kN, 0, 255, 6);
  const auto scale = Make<Half>(kK / 32 * kN, [](size_t i) { return std::ldexp(1.0, static_cast<int>(i * 7 % 3) - 2); });
  const auto b = Make<double>(kK * kN, [&](size_t at) {
    const size_t k = at / kN, n = at % kN;
    return ((w[k / 2 * kN + n] >> (k % 2 * 4) & 15) - 8) * double{scale[k / 32 * kN + n]};
  });
  const auto c = Product(Widened(a), b, kN, kK);
  return KernelRun({kN / 32, 1, 1})
      .In(a)
      .In(w)
      .In(scale)
      .Out(Make<Half>(c.size(), [&](size_t i) { return c[i]; }))
      .Scalar<int32_t>(kN)
      .Scalar<int32_t>(kK);
}
KernelRun Attention() {
  constexpr size_t kRows = 32, kDim = 32;
  const auto q = Reals<Half>(kRows * kDim, -1, 1, 7), k = Reals<Half>(kRows * kDim, -1, 1, 8), v = Reals<Half>(kRows * kDim, -1, 1, 9);
  constexpr double kScale = 0.1767767;
  std::vector<float> y;
  for (size_t i = 0; i < kRows; ++i) {
    double total = 0;
    std::vector<double> row(kDim);
    for (size_t j = 0; j <= i; ++j) {
      double s = 0;
      for (size_t d = 0; d < kDim; ++d) s += double{q[i * kDim + d]} * double{k[j * kDim + d]};
      const double p = std::exp(s * kScale);
      total += p;
      for (size_t d = 0; d < kDim; ++d) row[d] += p * double{v[j * kDim + d]};
    }
    for (double e : row) y.push_back(static_cast<float>(e / total));
  }
  return KernelRun({2, 1, 1}).In(q).In(k).In(v).Out(y, {.absolute = 1e-3}).Scalar<int32_t>(kRows).Scalar(static_cast<float>(kScale));
}
KernelRun Gemv() {
  const auto a = Integers<float>(24 * 150, -20, 20, 10), x = Integers<float>(150, -20, 20, 11);
  const auto y = Product(Widened(a), Widened(x), 1, 150);
  return KernelRun({3, 1, 1}).In(a).In(x).Out(Make<float>(24, [&](size_t i) { return y[i]; })).Scalar<int32_t>(150);
}

KernelRun QuantiseInt8() {  // near integers times the scale: no quotient is near a tie
  constexpr size_t kCols = 100;
  auto q = Integers<int8_t>(2 * kCols, -127, 127, 12);
  q[5] = 127;
  q[kCols + 7] = -127;
  const float scale[2] = {0.37F, 12.5F};
  const auto x = Make<float>(2 * kCols, [&](size_t i) { return static_cast<float>(q[i]) * scale[i / kCols]; });
  return KernelRun({2, 1, 1}).In(x).Out(q).Out(std::vector<float>(scale, scale + 2), {.relative = 1e-6}).Scalar<int32_t>(kCols);
}
KernelRun QuantiseE5m2() {
  const auto halves = Reals<Half>(512, -3, 3, 13);
  const auto x = Make<float>(512, [&](size_t i) { return double{halves[i]} * (i % 5 == 0 ? 0x1p12 : i % 7 == 0 ? 0x1p-14 : 1.0); });
  const auto q = Make<E5m2>(512, [&](size_t i) { return double{x[i]}; });
  return KernelRun().In(x).Out(q).Out(Make<float>(512, [&](size_t i) { return double{q[i]}; }));
}
KernelRun QuantiseE4m3() {
  const auto x = Make<Half>(512, [r = Numbers(14)](size_t i) mutable {
    return r.Real(-3, 3) * (i % 5 == 0 ? 0x1p7 : i % 7 == 0 ? 0x1p-8 : 1.0);
  });
  const auto q = Make<E4m3>(512, [&](size_t i) { return double{x[i]}; });
  return KernelRun().In(x).Out(q).Out(Make<Brain>(512, [&](size_t i) { return double{q[i]}; }));
}
KernelRun DequantiseInt4() {
  const auto w = Words<int32_t>(3 * 32, 15);
  const std::vector<Half> scale{0.25, 1.5, 3.0};
  const std::vector<int32_t> zero{8, 0, 15};
  const auto y = Make<Half>(3 * 256, [&](size_t i) { return ((w[i / 8] >> (i % 8 * 4) & 15) - zero[i / 256]) * double{scale[i / 256]}; });
  return KernelRun({3, 1, 1}).In(w).In(scale).In(zero).Out(y);
}

constexpr CorpusKernel kTable[] = {
    {"tr_matmul_f16", MatmulF16},
    {"tr_matmul_bf16", MatmulBf16},
    {"tr_matmul_tf32", MatmulTf32},
    {"tr_matmul_tf32x3", MatmulTf32x3},
    {"tr_matmul_fma", MatmulFma},
    {"tr_matmul_s8", MatmulS8},
    {"tr_matmul_f64", MatmulF64},
    {"tr_matmul_e5m2", MatmulE5m2},
    {"tr_matmul_int4", MatmulInt4},
    {"tr_attention", Attention},
    {"tr_gemv", Gemv},
    {"tr_quantise_int8", QuantiseInt8},
    {"tr_quantise_e5m2", QuantiseE5m2},
    {"tr_quantise_e4m3", QuantiseE4m3},
    {"tr_dequantise_int4", DequantiseInt4},
};

}  // namespace

CorpusTable TritonMatrixKernels() { return kTable; }

}  // namespace racer::corpus
