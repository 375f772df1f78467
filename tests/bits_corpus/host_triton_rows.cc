// Host computations of the Triton kernels that reduce rows: softmaxes, normalisations, losses.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

constexpr Tolerance kApproximate{.relative = 2e-5, .absolute = 2e-5};

// Row `row` of x in double.
template <class T>
std::vector<double> Row(const std::vector<T>& x, size_t row, size_t cols) {
  return Make<double>(cols, [&](size_t j) { return double{x[row * cols + j]}; });
}
double Sum(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double SumOfExponentials(const std::vector<double>& v) {
  double sum = 0;
  for (double e : v) sum += std::exp(e);
  return sum;
}
double Dot(const std::vector<double>& a, const std::vector<double>& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

KernelRun Softmax() {
  const auto x = Reals<float>(3 * 200, -9, 9, 1);
  const auto y = Make<float>(600, [&](size_t i) { return std::exp(double{x[i]}) / SumOfExponentials(Row(x, i / 200, 200)); });
  return KernelRun({3, 1, 1}).In(x).Out(y, {.relative = 2e-5}).Scalar<int32_t>(200);
}
KernelRun LogSoftmax() {
  const auto x = Reals<Half>(2 * 100, -6, 6, 2);
  const auto y = Make<Half>(200, [&](size_t i) { return double{x[i]} - std::log(SumOfExponentials(Row(x, i / 100, 100))); });
  return KernelRun({2, 1, 1}).In(x).Out(y, {.relative = 0x1p-10, .absolute = 1e-5}).Scalar<int32_t>(100);
}
KernelRun LogSumExpOnline() {
  const auto x = Reals<float>(2 * 150, -20, 20, 3);
  const auto y = Make<float>(2, [&](size_t row) { return std::log(SumOfExponentials(Row(x, row, 150))); });
  return KernelRun({2, 1, 1}).In(x).Out(y, kApproximate).Scalar<int32_t>(150);
}

struct Moments {
  double mean, variance;
  explicit Moments(const std::vector<double>& v) : mean(Sum(v) / static_cast<double>(v.size())), variance(0) {
    for (double e : v) variance += (e - mean) * (e - mean) / static_cast<double>(v.size());
  }
};
KernelRun LayerNorm() {
  const auto x = Reals<float>(2 * 200, -3, 5, 4), w = Reals<float>(200, -2, 2, 5), b = Reals<float>(200, -2, 2, 6);
  std::vector<float> y, mean, rstd;
  for (size_t row = 0; row < 2; ++row) {
    const Moments moments(Row(x, row, 200));
    const double r = 1 / std::sqrt(moments.variance + 1e-3F);
    for (size_t j = 0; j < 200; ++j) y.push_back(static_cast<float>((x[row * 200 + j] - moments.mean) * r * w[j] + b[j]));
    mean.push_back(static_cast<float>(moments.mean));
    rstd.push_back(static_cast<float>(r));
  }
  return KernelRun({2, 1, 1})
      .In(x)
      .In(w)
      .In(b)
      .Out(y, kApproximate)
      .Out(mean, kApproximate)
      .Out(rstd, kApproximate)
      .Scalar<int32_t>(200)
      .Scalar(1e-3F);
}
KernelRun LayerNormBackward() {
  constexpr size_t kCols = 90;
  const auto dy = Reals<float>(2 * kCols, -1, 1, 7), x = Reals<float>(2 * kCols, -2, 2, 8), w = Reals<float>(kCols, -1, 1, 9);
  std::vector<float> mean, rstd, dx;
  for (size_t row = 0; row < 2; ++row) {
    const Moments moments(Row(x, row, kCols));
    mean.push_back(static_cast<float>(moments.mean));
    rstd.push_back(static_cast<float>(1 / std::sqrt(moments.variance)));
    const double m = mean.back(), r = rstd.back();
    const auto h = Make<double>(kCols, [&](size_t j) { return (x[row * kCols + j] - m) * r; });
    const auto g = Make<double>(kCols, [&](size_t j) { return double{dy[row * kCols + j]} * w[j]; });
    for (size_t j = 0; j < kCols; ++j) dx.push_back(static_cast<float>((g[j] - h[j] * Dot(h, g) / kCols - Sum(g) / kCols) * r));
  }
  return KernelRun({2, 1, 1}).In(dy).In(x).In(w).In(mean).In(rstd).Out(dx, kApproximate).Scalar<int32_t>(kCols);
}
KernelRun RmsNormBackward() {
  constexpr size_t kRows = 3, kCols = 100;
  const auto dy = Reals<Brain>(kRows * kCols, -1, 1, 10), x = Reals<Brain>(kRows * kCols, -2, 2, 11), w = Reals<Brain>(kCols, -1, 1, 12);
  std::vector<Brain> dx;
  std::vector<double> dw(kCols);
  for (size_t row = 0; row < kRows; ++row) {
    const auto v = Row(x, row, kCols), d = Row(dy, row, kCols), g = Row(w, 0, kCols);
    const double r = 1 / std::sqrt(Dot(v, v) / kCols + 1e-5F);
    double m = 0;
    for (size_t j = 0; j < kCols; ++j) m += d[j] * g[j] * v[j] / kCols;
    for (size_t j = 0; j < kCols; ++j) {
      dx.push_back(Brain(r * (d[j] * g[j] - v[j] * r * r * m)));
      dw[j] += d[j] * v[j] * r;
    }
  }
  return KernelRun()
      .In(dy)
      .In(x)
      .In(w)
      .Out(dx, {.relative = 0x1p-8 + 1e-5, .absolute = 1e-5})
      .Out(std::vector<float>(dw.begin(), dw.end()), kApproximate)
      .Scalar<int32_t>(kRows)
      .Scalar<int32_t>(kCols)
      .Scalar(1e-5F);
}
KernelRun GroupNorm() {
  constexpr size_t kChannels = 8, kSize = 25, kGroup = 4 * kSize;
  const auto x = Reals<float>(2 * kChannels * kSize, -3, 3, 13);
  const auto y = Make<float>(x.size(), [&](size_t i) {
    const Moments moments(Row(x, i / kGroup, kGroup));
    return (x[i] - moments.mean) / std::sqrt(moments.variance + 1e-3F);
  });
  return KernelRun({2, 2, 1}).In(x).Out(y, kApproximate).Scalar<int32_t>(kChannels).Scalar<int32_t>(kSize).Scalar(1e-3F);
}
KernelRun Welford() {
  const auto x = Reals<float>(2 * 100, 100, 103, 14);
  std::vector<float> y;
  for (size_t row = 0; row < 2; ++row) {
    const Moments moments(Row(x, row, 100));
    y.push_back(static_cast<float>(moments.mean));
    y.push_back(static_cast<float>(moments.variance));
  }
  return KernelRun({2, 1, 1}).In(x).Out(y, {.relative = 1e-5}).Scalar<int32_t>(100);
}
KernelRun CrossEntropy() {
  constexpr size_t kCols = 100;
  const auto x = Reals<float>(3 * kCols, -6, 6, 15);
  const std::vector<int64_t> labels{17, -1, 99};
  std::vector<float> loss, grad;
  for (size_t row = 0; row < 3; ++row) {
    const auto v = Row(x, row, kCols);
    const double total = SumOfExponentials(v);
    const auto label = static_cast<size_t>(labels[row]);
    loss.push_back(labels[row] < 0 ? 0.0F : static_cast<float>(std::log(total) - v[label]));
    for (size_t j = 0; j < kCols; ++j) {
      grad.push_back(labels[row] < 0 ? 0.0F : static_cast<float>(std::exp(v[j]) / total - (j == label ? 1 : 0)));
    }
  }
  return KernelRun({3, 1, 1}).In(x).In(labels).Out(loss, kApproximate).Out(grad, kApproximate).Scalar<int32_t>(kCols);
}

constexpr CorpusKernel kTable[] = {
    {"tr_softmax", Softmax},
    {"tr_log_softmax", LogSoftmax},
    {"tr_logsumexp_online", LogSumExpOnline},
    {"tr_layernorm", LayerNorm},
    {"tr_layernorm_backward", LayerNormBackward},
    {"tr_rmsnorm_backward", RmsNormBackward},
    {"tr_groupnorm", GroupNorm},
    {"tr_welford", Welford},
    {"tr_cross_entropy", CrossEntropy},
};

}  // namespace

CorpusTable TritonRowKernels() { return kTable; }

}  // namespace racer::corpus
