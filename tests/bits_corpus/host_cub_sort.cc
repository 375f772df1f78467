// Host computations of kernels/cuda_headers/cub_block_radix_sort.cu and cub_merge_sort.cu.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

KernelRun SortUnsigned() {
  const auto x = Words<uint32_t>(512, 1);
  auto y = x;
  for (int b = 0; b < 2; ++b) std::sort(y.begin() + 256 * b, y.begin() + 256 * (b + 1));
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun SortFloatsDown() {
  const auto x = Reals<float>(256, -1e6, 1e6, 2);
  auto y = x;
  std::sort(y.begin(), y.end(), std::greater<>());
  return KernelRun({1, 1, 1}, {128, 1, 1}).In(x).Out(y);
}

// Keys in a stable order, and where each came from.
template <class Key>
KernelRun StablePairs(const std::vector<int32_t>& x, uint32_t threads, Key key) {
  std::vector<int32_t> values(x.size());
  std::iota(values.begin(), values.end(), 0);
  const auto at = [&](int32_t i) { return x[static_cast<size_t>(i)]; };
  std::stable_sort(values.begin(), values.end(), [&](int32_t a, int32_t b) { return key(at(a)) < key(at(b)); });
  const auto keys = Make<int32_t>(x.size(), [&](size_t i) { return at(values[i]); });
  return KernelRun({1, 1, 1}, {threads, 1, 1}).In(x).Out(keys).Out(values);
}
KernelRun SortPairsByByte() {
  return StablePairs(Integers<int32_t>(96, 0, 0x3fff, 3), 32, [](int32_t v) { return v >> 8 & 255; });
}
KernelRun MergeSortPairs() {
  return StablePairs(Integers<int32_t>(128, 0, 200, 4), 64, [](int32_t v) { return v / 10; });
}

KernelRun SortLong() {
  const auto x = Make<int64_t>(64, [](size_t i) { return static_cast<int64_t>((i * 0x9E3779B97F4A7C15u) >> 1) - (int64_t{1} << 62); });
  auto y = x;
  std::sort(y.begin(), y.end(), std::greater<>());
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun MergeSortWarps() {
  constexpr int32_t kValid = 41;  // of the 48 items of each logical warp
  const auto x = Reals<float>(192, -100, 100, 5);
  const std::vector<float> before(192, 7.0F);
  auto y = before;
  for (size_t w = 0; w < 4; ++w) {
    const auto first = y.begin() + static_cast<ptrdiff_t>(48 * w);
    std::copy_n(x.begin() + static_cast<ptrdiff_t>(48 * w), kValid, first);
    std::sort(first, first + kValid, std::greater<>());
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).InOut(before, y).Scalar(kValid);
}

constexpr CorpusKernel kTable[] = {
    {"sort_unsigned", SortUnsigned}, {"sort_floats_down", SortFloatsDown}, {"sort_pairs_by_byte", SortPairsByByte},
    {"sort_long", SortLong},         {"merge_sort_pairs", MergeSortPairs}, {"merge_sort_warps", MergeSortWarps},
};

}  // namespace

CorpusTable CubSortKernels() { return kTable; }

}  // namespace racer::corpus
