// Host computations of kernels/cuda_headers/cg_tiles.cu, cg_groups.cu, warp_intrinsics.cu, atomics.cu and pipeline.cu.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

using Ints = std::vector<int32_t>;

// Of the group of `size` lanes that lane i is in: f over all, over those up to i, over those before i.
template <class F>
int64_t Fold(const Ints& x, size_t from, size_t to, int64_t start, F f) {
  for (size_t i = from; i < to; ++i) start = f(start, int64_t{x[i]});
  return start;
}
int64_t Sum(const Ints& x, size_t from, size_t to) { return Fold(x, from, to, 0, std::plus<>()); }
constexpr auto kMax = [](int64_t a, int64_t b) { return std::max(a, b); };
constexpr auto kMin = [](int64_t a, int64_t b) { return std::min(a, b); };

KernelRun TileReduce() {
  const auto x = Integers<int32_t>(64, -100, 100, 1);
  return KernelRun({1, 1, 1}, {64, 1, 1})
      .In(x)
      .Out(Make<int32_t>(64, [&](size_t i) { return Sum(x, i / 16 * 16, i / 16 * 16 + 16); }))
      .Out(Make<int32_t>(64, [&](size_t i) { return Fold(x, i / 32 * 32, i / 32 * 32 + 32, -1000, kMax); }))
      .Out(Make<uint32_t>(64, [&](size_t i) { return Fold(x, i / 8 * 8, i / 8 * 8 + 8, 0, std::bit_or<>()); }))
      .Out(Make<float>(64, [&](size_t i) { return 0.5 * static_cast<double>(Fold(x, i / 4 * 4, i / 4 * 4 + 4, 1000, kMin)); }));
}
KernelRun TileScan() {
  const auto x = Integers<int32_t>(64, -100, 100, 2);
  return KernelRun({1, 1, 1}, {64, 1, 1})
      .In(x)
      .Out(Make<int32_t>(64, [&](size_t i) { return Sum(x, i / 16 * 16, i + 1); }))
      .Out(Make<int32_t>(64, [&](size_t i) { return Sum(x, i / 16 * 16, i); }))
      .Out(Make<int64_t>(64, [&](size_t i) { return Fold(x, i / 16 * 16, i + 1, -1000, kMax); }));
}
KernelRun TileShuffle() {
  const auto x = Integers<int32_t>(64, 0, 10000, 3);
  const auto d = Reals<double>(64, -1, 1, 4);
  const auto at = [&](size_t i, int lane) { return x[i / 8 * 8 + static_cast<size_t>(lane)]; };
  return KernelRun({1, 1, 1}, {64, 1, 1})
      .In(x)
      .Out(Make<int32_t>(64,
                         [&](size_t i) {
                           const int lane = static_cast<int>(i % 8);
                           return at(i, 5) + 3 * at(i, lane < 2 ? lane : lane - 2) + 5 * at(i, lane > 4 ? lane : lane + 3) +
                                  7 * at(i, lane ^ 6);
                         }))
      .In(d)
      .Out(Make<double>(64, [&](size_t i) { return d[i ^ 1]; }));
}
KernelRun TileVotes() {
  const auto x = Integers<int32_t>(64, 0, 9, 5);
  Ints y;
  std::vector<uint32_t> want;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t any = 0, all = 1, ballot = 0, match = 0;
    for (size_t l = 0; l < 16; ++l) {
      const int32_t v = x[i / 16 * 16 + l];
      any |= v > 8 ? 1 : 0;
      all &= v > 0 ? 1 : 0;
      ballot |= static_cast<uint32_t>(v & 1) << l;
      match |= static_cast<uint32_t>(v == x[i] ? 1 : 0) << l;
    }
    want.insert(want.end(), {any, all, ballot, match + 65536 * static_cast<uint32_t>(i / 16) + (4u << 24)});
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(want);
}
KernelRun TileOfTwoWarps() {
  const auto x = Integers<int32_t>(128, -100, 100, 6);
  const auto y = Make<int32_t>(128, [&](size_t i) { return Sum(x, i / 64 * 64, i / 64 * 64 + 64) + x[i / 64 * 64 + 40]; });
  return KernelRun({1, 1, 1}, {128, 1, 1}).In(x).Out(y);
}
KernelRun TileFold() {
  const auto x = Integers<int32_t>(64, 0, 100, 7);
  const auto y = Make<float>(64, [&](size_t i) { return Sum(x, i / 32 * 32, i / 32 * 32 + 32) * 16 + Sum(x, i / 4 * 4, i / 4 * 4 + 4); });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(std::vector<float>(x.begin(), x.end())).Out(y);
}

// One warp: the order in which its lanes take slots is theirs.
KernelRun CompactOdd() {
  const auto x = Integers<int32_t>(32, 0, 1000, 8);
  Ints y;
  std::copy_if(x.begin(), x.end(), std::back_inserter(y), [](int32_t v) { return v % 2 != 0; });
  const Ints count{static_cast<int32_t>(y.size())};
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y).Out(count);
}
template <class Label, class Reduce>
KernelRun Groups(const Ints& x, Label label, Reduce reduce) {
  Ints y;
  for (size_t i = 0; i < x.size(); ++i) {
    Ints group;
    int32_t rank = 0;
    for (size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      if (label(x[j]) != label(x[i])) continue;
      group.push_back(x[j]);
      rank += j < i ? 1 : 0;
    }
    y.push_back(reduce(group));
    y.push_back(rank * 100 + static_cast<int32_t>(group.size()));
  }
  return KernelRun({1, 1, 1}, {static_cast<uint32_t>(x.size()), 1, 1}).In(x).Out(y);
}
KernelRun BinaryGroups() {
  return Groups(
      Integers<int32_t>(64, 0, 20, 9), [](int32_t v) { return v > 10; },
      [](const Ints& group) { return std::accumulate(group.begin(), group.end(), 0); });
}
KernelRun LabelledGroups() {
  return Groups(
      Integers<int32_t>(64, 0, 99, 10), [](int32_t v) { return v % 5; },
      [](const Ints& group) { return *std::max_element(group.begin(), group.end()); });
}
KernelRun BlockGroup() {
  const auto x = Reals<float>(128, 0, 1, 11);
  return KernelRun({2, 1, 1}, {4, 8, 4}).In(x).Out(Make<float>(256, [&](size_t i) { return x[127 - i % 128]; }));
}
KernelRun CopyAsync() {
  const auto x = Integers<int32_t>(300, 0, 99999, 12);
  return KernelRun({3, 1, 1}, {32, 1, 1}).In(x).Out(Make<int32_t>(300, [&](size_t i) { return x[i / 100 * 100 + 99 - i % 100]; }));
}
KernelRun CopyAsyncStages() {
  const auto x = Integers<int32_t>(5 * 64, 0, 99999, 13);
  const auto y = Make<int32_t>(64, [&](size_t i) {
    int32_t sum = 0;
    for (size_t t = 0; t < 5; ++t) sum += x[t * 64 + (i + t) % 64];
    return sum;
  });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y).Scalar<int32_t>(5);
}
KernelRun GroupOfOne() {
  const auto x = Integers<int32_t>(64, 0, 50, 14);
  const auto y = Make<int32_t>(64, [&](size_t i) {
    if (i >= 40) return -1;
    const size_t from = i / 32 * 32, to = std::min<size_t>(from + 32, 40);
    const bool seven = std::find(&x[from], &x[from] + (to - from), 7) != &x[from] + (to - from);
    return x[i] + static_cast<int32_t>(to - from) + (seven ? 1000 : 0);
  });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}

KernelRun Shuffles() {
  const auto x = Integers<int32_t>(64, 0, 9999, 15);
  const auto d = Reals<double>(64, -9, 9, 16);
  Ints y(5 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const size_t w = i / 32 * 32, lane = i % 32;
    y[i] = x[w + i * 5 % 32];
    y[64 + i] = x[lane < 3 ? i : i - 3];
    y[128 + i] = x[lane % 16 + 9 > 15 ? i : i + 9];
    y[192 + i] = x[w + (lane ^ 21)];
    y[256 + i] = x[i / 8 * 8 + 2];
  }
  const auto e = Make<double>(64, [&](size_t i) { return d[i % 32 == 31 ? i : i + 1]; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y).In(d).Out(e);
}
KernelRun Votes() {
  const auto x = Integers<int32_t>(64, 0, 9, 17);
  std::vector<uint32_t> y(7 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const size_t w = i / 32 * 32;
    const auto mask = [&](auto condition, size_t lanes = 32) {
      uint32_t bits = 0;
      for (size_t l = 0; l < lanes; ++l) bits |= static_cast<uint32_t>(condition(x[w + l]) ? 1 : 0) << l;
      return bits;
    };
    y[i] = mask([](int v) { return v > 5; });
    y[64 + i] = (mask([](int v) { return v == 3; }) != 0 ? 1u : 0u) + 2;
    y[128 + i] = y[384 + i] = mask([&](int v) { return v == x[i]; });
    y[192 + i] = ~0u + 1;  // all lanes have the same v / 100
    y[256 + i] = i % 32 < 20 ? mask([](int v) { return (v & 1) != 0; }, 20) : 0;
    y[320 + i] = ~0u;
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun Reductions() {
  const auto x = Integers<int32_t>(64, -9999, 9999, 18);
  std::vector<int32_t> y(6 * 64);
  for (size_t i = 0; i < 64; ++i) {
    const size_t from = i / 32 * 32, to = from + 32;
    y[i] = static_cast<int32_t>(Sum(x, from, to));
    y[64 + i] = static_cast<int32_t>(Fold(x, from, to, 1 << 30, kMin));
    y[128 + i] = static_cast<int32_t>(Fold(x, from, to, 0, [](int64_t a, int64_t b) { return std::max(a, b & 0xffffffff); }));
    y[192 + i] = static_cast<int32_t>(Fold(x, from, to, -1, [](int64_t a, int64_t b) { return a & (b | 0xf0); }));
    y[256 + i] = static_cast<int32_t>(Fold(x, from, to, 0, std::bit_or<>()));
    y[320 + i] = static_cast<int32_t>(Fold(x, from, to, 0, std::bit_xor<>()));
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun CountedBarriers() {
  const auto x = Integers<int32_t>(96, 0, 9, 19);
  const auto above = static_cast<int32_t>(std::count_if(x.begin(), x.end(), [](int32_t v) { return v > 4; }));
  const bool seven = std::find(x.begin(), x.end(), 7) != x.end();
  const auto y = Make<int32_t>(4 * 96, [&](size_t i) {
    return i < 96 ? above : i < 192 ? 1 : i < 288 ? (seven ? 1 : 0) : x[(i - 288) ^ 1];
  });
  return KernelRun({1, 1, 1}, {96, 1, 1}).In(x).Out(y);
}
KernelRun DivergentShuffles() {
  const auto x = Integers<int32_t>(32, 0, 999, 20);
  std::vector<int32_t> r(32);
  for (size_t i = 0; i < 32; ++i) {
    if (i % 2 == 0)
      r[i] = x[i ^ 2] + 10;
    else if (i % 4 == 3)
      r[i] = x[i + 4 > 31 ? i : i + 4];
    else
      for (size_t l = 1; l < 32; l += 4) r[i] += x[l] & 1;
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(Make<int32_t>(32, [&](size_t i) { return r[i] + r[31]; }));
}

KernelRun AtomicHistogram() {
  const auto x = Integers<int32_t>(300, 0, 31, 21);
  Ints counts(32, 1000);
  for (int32_t v : x) ++counts[static_cast<size_t>(v)];
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).InOut(Ints(32, 1000), counts).Scalar<int32_t>(300);
}
KernelRun AtomicIntegers() {
  const auto x = Integers<int32_t>(128, -5000, 5000, 22);
  const Ints y0{3, 3, 100, 100, -1, 0, 0x5555, -1, 4, 4};
  const std::vector<uint64_t> z0{7, 0, 0};
  auto y = y0;
  auto z = z0;
  for (int32_t v : x) {
    y[0] += v;
    y[1] -= v;
    y[2] = std::min(y[2], v);
    y[3] = std::max(y[3], v);
    y[4] &= v | 0xff00;
    y[5] |= v;
    y[6] ^= v;
    y[7] = static_cast<int32_t>(std::min(static_cast<uint32_t>(y[7]), static_cast<uint32_t>(v)));
    y[8] = y[8] >= 9 ? 0 : y[8] + 1;
    y[9] = y[9] == 0 || y[9] > 6 ? 6 : y[9] - 1;
    z[0] += static_cast<uint64_t>(int64_t{v}) << 20;
    z[1] = std::max(z[1], static_cast<uint64_t>(int64_t{v} * v));
    z[2] ^= uint64_t{1} << (v & 63);
  }
  return KernelRun({2, 1, 1}, {64, 1, 1}).In(x).InOut(y0, y).InOut(z0, z);
}
KernelRun AtomicFloats() {  // sums of small integers: exact in every order
  const auto x = Integers<int32_t>(32, -9, 9, 23);
  const auto sum = static_cast<double>(Sum(x, 0, 32));
  return KernelRun({1, 1, 1}, {32, 1, 1})
      .In(std::vector<float>(x.begin(), x.end()))
      .InOut(std::vector<float>{1, 2, 3, 4, 5}, std::vector<float>{1 + static_cast<float>(sum), 10, 11, 12, 13})
      .InOut(std::vector<double>{0.25}, std::vector<double>{0.25 + sum * 0.5})
      .InOut(std::vector<Half>{0.0, 1.0}, std::vector<Half>{sum, 1 - sum});
}
KernelRun AtomicBrain2() {
  const auto x = Integers<int32_t>(32, -9, 9, 29);
  const auto sum = static_cast<double>(Sum(x, 0, 32));
  return KernelRun({1, 1, 1}, {32, 1, 1})
      .In(std::vector<float>(x.begin(), x.end()))
      .InOut(std::vector<Brain>{0.0, 0.0}, std::vector<Brain>{sum, 32.0});
}
KernelRun SwapLoops() {
  const auto x = Integers<int32_t>(32, 1, 500, 24);
  uint32_t product = 3;
  for (int32_t v : x) product *= static_cast<uint32_t>(v | 1);
  const auto largest = std::bit_cast<int32_t>(static_cast<float>(*std::max_element(x.begin(), x.end())));
  return KernelRun({1, 1, 1}, {32, 1, 1})
      .In(x)
      .InOut(Ints{3}, Ints{static_cast<int32_t>(product)})
      .Out(Ints{largest})
      .InOut(Ints(8, 0), Ints(8, 5));
}
KernelRun Tickets() { return KernelRun({2, 1, 1}, {32, 1, 1}).InOut(Ints{0}, Ints{64}).Out(Ints(64, 1)); }
KernelRun LastBlockSums() {
  const auto x = Integers<int32_t>(4 * 32, -50, 99, 25);
  const auto partial = Make<int32_t>(4, [&](size_t b) { return Sum(x, 32 * b, 32 * b + 32); });
  return KernelRun({4, 1, 1}, {32, 1, 1})
      .In(x)
      .Out(partial)
      .InOut(std::vector<uint32_t>{0}, std::vector<uint32_t>{4})
      .Out(Ints{static_cast<int32_t>(Sum(x, 0, 128))});
}

KernelRun PipelinePrimitives() {
  const auto x = Integers<int32_t>(7 * 128, 0, 99, 26);
  const auto y = Make<float>(32, [&](size_t i) {
    int32_t sum = 0;
    for (size_t t = 0; t < 7; ++t) {
      for (size_t k = 0; k < 4; ++k) sum += static_cast<int32_t>(k + 1) * x[t * 128 + (31 - i) * 4 + k];
    }
    return sum;
  });
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(std::vector<float>(x.begin(), x.end())).Out(y).Scalar<int32_t>(7);
}
KernelRun PipelineZeroFill() {
  const auto x = Reals<float>(75, 1, 2, 27);
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(Make<float>(128, [&](size_t i) { return i < 75 ? x[i] : 0.0F; })).Scalar<int32_t>(75);
}
KernelRun PipelineOfThread() {
  const auto x = Integers<int32_t>(4 * 64, 0, 999, 28);
  const auto y = Make<int32_t>(64, [&](size_t i) { return ((x[i] * 3 + x[64 + i]) * 3 + x[128 + i]) * 3 + x[192 + i]; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y).Scalar<int32_t>(4);
}

constexpr CorpusKernel kTable[] = {
    {"tile_reduce", TileReduce},
    {"tile_scan", TileScan},
    {"tile_shuffle", TileShuffle},
    {"tile_votes", TileVotes},
    {"tile_of_two_warps", TileOfTwoWarps},
    {"tile_fold", TileFold},
    {"compact_odd", CompactOdd},
    {"binary_groups", BinaryGroups},
    {"labelled_groups", LabelledGroups},
    {"block_group", BlockGroup},
    {"copy_async", CopyAsync},
    {"copy_async_stages", CopyAsyncStages},
    {"group_of_one", GroupOfOne},
    {"shuffles", Shuffles},
    {"votes", Votes},
    {"reductions", Reductions},
    {"counted_barriers", CountedBarriers},
    {"divergent_shuffles", DivergentShuffles},
    {"atomic_histogram", AtomicHistogram},
    {"atomic_integers", AtomicIntegers},
    {"atomic_floats", AtomicFloats},
    {"atomic_bf162", AtomicBrain2},
    {"swap_loops", SwapLoops},
    {"tickets", Tickets},
    {"last_block_sums", LastBlockSums},
    {"pipeline_primitives", PipelinePrimitives},
    {"pipeline_zero_fill", PipelineZeroFill},
    {"pipeline_of_thread", PipelineOfThread},
};

}  // namespace

CorpusTable CooperativeKernels() { return kTable; }

}  // namespace racer::corpus
