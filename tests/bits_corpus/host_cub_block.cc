// Host computations of kernels/cuda_headers/cub_block_{reduce,scan,load_store,misc}.cu and cub_warp.cu.
#include <algorithm>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

KernelRun BlockSum() {
  const auto x = Integers<int32_t>(3 * 288, -1000, 1000);
  const auto y = Make<int32_t>(3, [&](size_t b) { return std::accumulate(&x[b * 288], &x[b * 288] + 288, 0); });
  return KernelRun({3, 1, 1}, {96, 1, 1}).In(x).Out(y);
}
KernelRun BlockMaxOfValid() {
  const auto x = Reals<float>(128, 0, 1000, 2);
  const std::vector<float> y{*std::max_element(x.begin(), x.begin() + 77)};
  return KernelRun({1, 1, 1}, {128, 1, 1}).In(x).Out(y).Scalar<int32_t>(77);
}
KernelRun BlockArgmin() {
  const auto x = Integers<int32_t>(256, 0, 40, 3);
  std::vector<int32_t> y;
  for (int b = 0; b < 2; ++b) {
    const auto first = x.begin() + b * 128, least = std::min_element(first, first + 128);
    y.push_back(static_cast<int32_t>(least - first));
    y.push_back(*least);
  }
  return KernelRun({2, 1, 1}, {8, 8, 2}).In(x).Out(y);
}
KernelRun BlockSumDouble() {
  const auto x = Make<double>(128, [](size_t i) { return static_cast<double>(i * i) * 0.25; });
  const auto y = Make<double>(2, [&](size_t b) { return std::accumulate(&x[b * 64], &x[b * 64] + 64, 0.0); });
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).Out(y);
}

KernelRun ScanExclusive() {
  const auto x = Integers<int32_t>(512, -50, 90, 4);
  std::vector<int32_t> y, total;
  for (int b = 0; b < 2; ++b) {
    int32_t sum = 0;
    for (int i = 0; i < 256; ++i) {
      y.push_back(sum);
      sum += x[static_cast<size_t>(b * 256 + i)];
    }
    total.push_back(sum);
  }
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).Out(y).Out(total);
}
KernelRun ScanTiles() {
  const auto x = Integers<int32_t>(150, 0, 9, 5);
  std::vector<int32_t> y(x.size());
  std::inclusive_scan(x.begin(), x.end(), y.begin(), std::plus<>(), 100);
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y).Scalar<int32_t>(150);
}
KernelRun ScanMax() {
  const auto x = Reals<float>(128, -5, 5, 6);
  std::vector<float> inclusive, exclusive;
  float seen = -1000;
  for (float v : x) {
    exclusive.push_back(seen);
    inclusive.push_back(seen = std::max(seen, v));
  }
  return KernelRun({1, 1, 1}, {128, 1, 1}).In(x).Out(inclusive).Out(exclusive);
}
KernelRun ScanLong() {
  const auto x = Integers<int64_t>(96, -(int64_t{1} << 40), int64_t{1} << 40, 7);
  std::vector<int64_t> y(x.size());
  std::partial_sum(x.begin(), x.end(), y.begin());
  return KernelRun({1, 1, 1}, {96, 1, 1}).In(x).Out(y);
}

KernelRun WarpSums() {
  const auto x = Integers<int32_t>(64, -99, 99, 8);
  const auto heads = Make<int32_t>(64, [](size_t i) { return i % 7 == 3 || i % 11 == 5 ? 1 : 0; });
  const auto whole = Make<int32_t>(2, [&](size_t w) { return std::accumulate(&x[w * 32], &x[w * 32] + 32, 0); });
  const auto half = Make<int32_t>(4, [&](size_t w) { return *std::min_element(&x[w * 16], &x[w * 16] + 16); });
  const auto segmented = Make<int32_t>(64, [&](size_t i) {
    if (i % 32 != 0 && heads[i] == 0) return 0;
    int32_t sum = x[i];
    for (size_t j = i + 1; j % 32 != 0 && heads[j] == 0; ++j) sum += x[j];
    return sum;
  });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(whole).Out(half).Out(segmented).In(heads);
}
KernelRun WarpOfTwelve() {
  const auto x = Integers<float>(24, 0, 60, 9);
  const auto sums = Make<float>(2, [&](size_t w) { return std::accumulate(&x[w * 12], &x[w * 12] + 12, 0.0F); });
  const auto scans = Make<float>(24, [&](size_t i) { return std::accumulate(&x[i / 12 * 12], &x[i] + 1, 0.0F); });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(sums).Out(scans);
}
KernelRun WarpScans() {
  const auto x = Integers<int32_t>(64, -9, 20, 10);
  const auto sum = [&](size_t from, size_t to) { return std::accumulate(&x[0] + from, &x[0] + to, 0); };
  const auto inclusive = Make<int32_t>(64, [&](size_t i) { return sum(i / 8 * 8, i + 1); });
  const auto exclusive = Make<int32_t>(64, [&](size_t i) { return sum(i / 8 * 8, i); });
  const auto total = Make<int32_t>(64, [&](size_t i) { return sum(i / 8 * 8, i / 8 * 8 + 8) + x[i / 8 * 8 + 3]; });
  const auto bits = Make<uint32_t>(64, [](size_t i) { return i % 8 == 7 ? 0xffu << (i / 8 % 4 * 8) : 0; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(inclusive).Out(exclusive).Out(total).Out(bits);
}
KernelRun WarpTransposes() {
  const auto x = Integers<int32_t>(128, 0, 1 << 20, 11);
  const auto y = Make<int32_t>(128, [&](size_t i) { return x[i] * 3; });
  // Load gives blocked items; Exchange makes them striped; the striped store puts them back where they were.
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y).Out(x);
}

KernelRun CopyTiles() {
  constexpr int32_t kValid = 256 + 150;
  const auto x = Integers<int32_t>(kValid, 0, 1 << 20, 12);
  const auto y = Make<int32_t>(kValid, [&](size_t i) { return x[i] * 2 + static_cast<int32_t>(i % 256); });
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).Out(y).Scalar(kValid);
}
KernelRun CopyStriped() {
  const auto x = Integers<int16_t>(200, -3000, 3000, 13);
  const auto y = Make<int16_t>(200, [&](size_t i) { return x[i] + static_cast<int>(100 * (i / 64)); });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y).Scalar<int32_t>(200);
}

KernelRun BlockHistogram() {
  const auto x = Integers<uint8_t>(256, 0, 63, 14);
  std::vector<uint32_t> counts(64);
  for (uint8_t v : x) ++counts[v];
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(counts);
}
KernelRun BlockExchange() {
  const auto x = Integers<int32_t>(256, 0, 99999, 15);
  const auto ranks = Make<int32_t>(256, [](size_t i) { return i * 77 % 256; });
  const auto striped = Make<int32_t>(256, [&](size_t i) { return x[i % 4 * 64 + i / 4]; });
  const auto warp_striped = Make<int32_t>(256, [&](size_t i) { return x[i / 128 * 128 + i % 4 * 32 + i / 4 % 32]; });
  std::vector<int32_t> scattered(256);
  for (size_t i = 0; i < 256; ++i) scattered[static_cast<size_t>(ranks[i])] = x[i];
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(striped).Out(warp_striped).Out(scattered).In(ranks);
}
KernelRun BlockShuffle() {
  const auto x = Integers<int32_t>(64, 0, 99999, 16);
  const auto offset = Make<int32_t>(64, [&](size_t i) { return i < 3 ? -1 : x[i - 3]; });
  const auto rotate = Make<int32_t>(64, [&](size_t i) { return x[(i + 5) % 64]; });
  // Up: everything moves one item on; the first keeps what the last thread would pass on.
  const auto item = [&](size_t i) { return x[i / 2] * static_cast<int32_t>(i % 2 + 1); };
  const auto up = Make<int32_t>(128, [&](size_t i) { return i == 0 ? item(127) : item(i - 1); });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(offset).Out(rotate).Out(up);
}
KernelRun HeadsAndTails() {
  const auto x = Integers<int32_t>(192, 0, 2, 17);
  const auto heads = Make<int32_t>(192, [&](size_t i) { return i == 0 || x[i - 1] != x[i] ? 1 : 0; });
  const auto tails = Make<int32_t>(192, [&](size_t i) { return i == 191 || x[i + 1] != x[i] ? 1 : 0; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(heads).Out(tails);
}
KernelRun Differences() {
  const auto x = Integers<int32_t>(128, -500, 500, 18);
  const auto left = Make<int32_t>(128, [&](size_t i) { return x[i] - (i == 0 ? 1000 : x[i - 1]); });
  const auto right = Make<int32_t>(128, [&](size_t i) { return i == 127 ? x[i] : x[i] - x[i + 1]; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(left).Out(right);
}
KernelRun DecodeRuns() {
  const auto values = Integers<int32_t>(64, 0, 9999, 19);
  const auto lengths = Integers<uint32_t>(64, 1, 12, 20);
  std::vector<int32_t> y;
  for (size_t i = 0; i < 64; ++i) y.insert(y.end(), lengths[i], values[i]);
  const std::vector<uint32_t> total{static_cast<uint32_t>(y.size())};
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(values).In(lengths).Out(y).Out(total);
}

constexpr CorpusKernel kTable[] = {
    {"block_sum_raking", BlockSum},
    {"block_sum_commutative", BlockSum},
    {"block_sum_warps", BlockSum},
    {"block_max_of_valid", BlockMaxOfValid},
    {"block_argmin", BlockArgmin},
    {"block_sum_double", BlockSumDouble},
    {"scan_raking", ScanExclusive},
    {"scan_memoize", ScanExclusive},
    {"scan_warps", ScanExclusive},
    {"scan_tiles", ScanTiles},
    {"scan_max", ScanMax},
    {"scan_long", ScanLong},
    {"warp_sums", WarpSums},
    {"warp_of_twelve", WarpOfTwelve},
    {"warp_scans", WarpScans},
    {"warp_transposes", WarpTransposes},
    {"copy_direct", CopyTiles},
    {"copy_vectorize", CopyTiles},
    {"copy_transpose", CopyTiles},
    {"copy_warp_transpose", CopyTiles},
    {"copy_timesliced", CopyTiles},
    {"copy_striped", CopyStriped},
    {"histogram_sort", BlockHistogram},
    {"histogram_atomic", BlockHistogram},
    {"exchange", BlockExchange},
    {"shuffle", BlockShuffle},
    {"heads_and_tails", HeadsAndTails},
    {"differences", Differences},
    {"decode_runs", DecodeRuns},
};

}  // namespace

CorpusTable CubBlockKernels() { return kTable; }

}  // namespace racer::corpus
