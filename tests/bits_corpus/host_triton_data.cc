// Host computations of the Triton kernels that reduce, scan, sort, move and count.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

using Ints = std::vector<int32_t>;

KernelRun SumAxes() {
  const auto x = Integers<float>(32 * 64, -50, 50, 1);
  std::vector<float> columns(64), rows(32);
  for (size_t k = 0; k < x.size(); ++k) {
    columns[k % 64] += x[k];
    rows[k / 64] += x[k];
  }
  return KernelRun().In(x).Out(columns).Out(rows);
}
KernelRun Extremes() {
  const auto x = Integers<int32_t>(16 * 128, -100000, 100000, 2);
  const auto y = Make<int32_t>(16, [&](size_t i) {
    const auto [low, high] = std::minmax_element(&x[i * 128], &x[i * 128] + 128);
    return *high - *low;
  });
  Ints z(128);
  for (size_t k = 0; k < x.size(); ++k) z[k % 128] ^= x[k];
  return KernelRun().In(x).Out(y).Out(z);
}
KernelRun Argmax() {  // of equal values the first
  const auto x = Integers<float>(3 * 200, 0, 60, 3);
  const auto y = Make<int32_t>(3, [&](size_t r) { return std::max_element(&x[r * 200], &x[r * 200] + 200) - &x[r * 200]; });
  const auto z = Make<int32_t>(3, [&](size_t r) { return std::min_element(&x[r * 200], &x[r * 200] + 200) - &x[r * 200]; });
  return KernelRun({3, 1, 1}).In(x).Out(y).Out(z).Scalar<int32_t>(200);
}
KernelRun Cumsum() {
  const auto x = Integers<int32_t>(4 * 128, -99, 99, 4);
  auto y = x, z = x;
  for (size_t k = 0; k < x.size(); ++k) y[k] += k % 128 == 0 ? 0 : y[k - 1];
  for (size_t k = x.size() - 128; k-- > 0;) z[k] += z[k + 128];
  return KernelRun().In(x).Out(y).Out(z);
}
KernelRun LinearRecurrence() {
  const auto a = Integers<uint32_t>(256, 0, 3, 5), b = Integers<uint32_t>(256, 0, 99, 6);
  auto y = b;
  for (size_t i = 1; i < 256; ++i) y[i] = a[i] * y[i - 1] + b[i];
  return KernelRun().In(a).In(b).Out(y);
}
KernelRun Cummax() {
  const auto x = Reals<float>(64 * 8, -9, 9, 7);
  auto y = x;
  std::vector<float> z;
  for (size_t k = 0; k < x.size(); ++k) {
    if (k >= 8) y[k] = std::max(y[k], y[k - 8]);
    z.push_back((x[k] > 0 ? 1.0F : -1.0F) * (k % 8 == 0 ? 1.0F : z.back()));
  }
  return KernelRun().In(x).Out(y).Out(z);
}
KernelRun Sort() {
  const auto x = Integers<int32_t>(2 * 64, -500, 500, 8);
  auto up = x, down = x;
  for (ptrdiff_t r = 0; r < 2; ++r) {
    std::sort(up.begin() + 64 * r, up.begin() + 64 * (r + 1));
    std::sort(down.begin() + 64 * r, down.begin() + 64 * (r + 1), std::greater<>());
  }
  return KernelRun().In(x).Out(up).Out(down);
}
KernelRun TopK() {
  const auto x = Reals<float>(4 * 64, -9, 9, 9);
  std::vector<float> y;
  for (size_t r = 0; r < 4; ++r) {
    std::vector<float> row(&x[64 * r], &x[64 * r] + 64);
    std::sort(row.begin(), row.end(), std::greater<>());
    y.insert(y.end(), row.begin(), row.begin() + 8);
  }
  return KernelRun().In(x).Out(y);
}

KernelRun Transpose() {
  constexpr size_t kRows = 40, kCols = 70;
  const auto x = Reals<float>(kRows * kCols, 0, 1, 10);
  const auto y = Make<float>(kRows * kCols, [&](size_t k) { return x[k % kRows * kCols + k / kRows]; });
  return KernelRun({2, 3, 1}).In(x).Out(y).Scalar<int32_t>(kRows).Scalar<int32_t>(kCols);
}
KernelRun Embedding() {
  const auto table = Reals<Half>(20 * 50, -1, 1, 11);
  const auto ids = Integers<int32_t>(6, 0, 19, 12);
  const auto y = Make<Half>(6 * 50, [&](size_t k) { return table[static_cast<size_t>(ids[k / 50]) * 50 + k % 50]; });
  return KernelRun({6, 1, 1}).In(table).In(ids).Out(y).Scalar<int32_t>(50);
}
KernelRun ScatterAdd() {
  const auto x = Integers<float>(256, -9, 9, 13);
  const auto index = Integers<int32_t>(256, 0, 39, 14);
  const std::vector<float> before(40, 100.0F);
  auto y = before;
  for (size_t i = 0; i < 256; ++i) y[static_cast<size_t>(index[i])] += x[i];
  return KernelRun().In(x).In(index).InOut(before, y);
}
KernelRun Gather() {
  const auto x = Integers<int32_t>(1024, 0, 9999, 15);
  const auto index = Integers<int32_t>(1024, 0, 31, 16);
  return KernelRun().In(x).In(index).Out(Make<int32_t>(1024, [&](size_t k) { return x[static_cast<size_t>(index[k]) * 32 + k % 32]; }));
}
KernelRun Interleave() {
  const auto x = Integers<Half>(256, -99, 99, 17);
  return KernelRun().In(x).Out(Make<Half>(256, [&](size_t i) { return x[i % 2 * 128 + i / 2]; })).Out(Make<Half>(128, [&](size_t i) {
    return double{x[2 * (127 - i)]} - double{x[2 * i + 1]};
  }));
}
KernelRun Permute() {
  const auto x = Integers<int32_t>(512, 0, 9999, 18);
  Ints y(512);
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 8; ++b) {
      for (size_t c = 0; c < 16; ++c) y[(c * 4 + a) * 8 + b] = x[(a * 8 + b) * 16 + c];
    }
  }
  return KernelRun().In(x).Out(y);
}

KernelRun Histogram() {
  const auto x = Integers<int32_t>(500, 0, 63, 19);
  const Ints before(64, 7);
  auto y = before;
  for (int32_t v : x) ++y[static_cast<size_t>(v)];
  return KernelRun({2, 1, 1}).In(x).InOut(before, y).Scalar<int32_t>(500);
}
KernelRun Atomics() {
  const auto x = Integers<int32_t>(256, -5000, 5000, 20);
  Ints before(24);
  for (size_t s = 0; s < 4; ++s) {
    before[8 + s] = -1;
    before[20 + s] = 5;
  }
  const std::vector<float> f0{-1e9F, -2.5F, 7000.0F, 0.0F};
  auto y = before;
  auto f = f0;
  for (size_t i = 0; i < 256; ++i) {
    const size_t s = i % 4;
    y[s] = std::max(y[s], x[i]);
    y[4 + s] = std::min(y[4 + s], x[i]);
    y[8 + s] &= x[i] | 255;
    y[12 + s] |= x[i];
    y[16 + s] ^= x[i];
    y[20 + s] += x[i];
    f[s] = std::max(f[s], static_cast<float>(x[i]));
  }
  return KernelRun({2, 1, 1}).In(x).InOut(before, y).InOut(f0, f);
}
KernelRun Lock() {
  const auto x = Integers<int32_t>(256, -50, 50, 21);
  return KernelRun({4, 1, 1}).InOut(Ints{0}, Ints{0}).InOut(Ints{1000}, Ints{std::accumulate(x.begin(), x.end(), 1000)}).In(x);
}
KernelRun AtomicHalf() {
  const auto x = Integers<Half>(128, -9, 9, 22);
  const std::vector<Half> before(32, Half(3.0));
  auto y = before;
  for (size_t i = 0; i < 128; ++i) y[i % 32] = Half(double{y[i % 32]} + double{x[i]});
  return KernelRun().In(x).InOut(before, y);
}

constexpr CorpusKernel kTable[] = {
    {"tr_sum_axes", SumAxes},
    {"tr_extremes", Extremes},
    {"tr_argmax", Argmax},
    {"tr_cumsum", Cumsum},
    {"tr_linear_recurrence", LinearRecurrence},
    {"tr_cummax", Cummax},
    {"tr_sort", Sort},
    {"tr_topk", TopK},
    {"tr_transpose", Transpose},
    {"tr_embedding", Embedding},
    {"tr_scatter_add", ScatterAdd},
    {"tr_gather", Gather},
    {"tr_interleave", Interleave},
    {"tr_permute", Permute},
    {"tr_histogram", Histogram},
    {"tr_atomics", Atomics},
    {"tr_lock", Lock},
    {"tr_atomic_half", AtomicHalf},
};

}  // namespace

CorpusTable TritonDataKernels() { return kTable; }

}  // namespace racer::corpus
