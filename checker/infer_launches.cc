// Which launches are tried, and at which sizes.
#include <algorithm>
#include <set>
#include <tuple>

#include "checker/infer_trial.h"

namespace racer {
namespace {

constexpr std::array<uint32_t, 6> kBlocks = {256, 128, 512, 64, 1024, 32};  // in order of preference
constexpr std::array<uint32_t, 3> kBlockWidths = {32, 64, 128};
constexpr std::array<uint32_t, 3> kBlockHeights = {4, 2, 8};
constexpr std::array<Dim3, 4> kTiles = {Dim3{16, 16, 1}, {8, 8, 1}, {32, 32, 1}, {16, 8, 1}};
constexpr Sizes kReferenceSizes = {37, 67};
constexpr int64_t kMostPerThread = 8;                // elements, in one go
constexpr Sizes kLargeSizes = {37 * 256, 67 * 256};  // where launches of one CTA at the reference sizes have several

}  // namespace

std::vector<LaunchForm> LaunchSearch::Launches() const {
  const KernelFacts& facts = *subject_.facts;
  const ir::LaunchBounds& bounds = subject_.entry->bounds;
  std::vector<Dim3> blocks;
  if (bounds.reqntid) {
    blocks.push_back(*bounds.reqntid);
  } else if (facts.block_y) {
    for (uint32_t height : kBlockHeights) {
      for (uint32_t width : kBlockWidths) blocks.push_back({width, height, 1});
    }
    blocks.insert(blocks.end(), kTiles.begin(), kTiles.end());
  } else {
    if (bounds.maxntid) blocks.push_back({(*bounds.maxntid)[0] * (*bounds.maxntid)[1] * (*bounds.maxntid)[2], 1, 1});
    for (uint32_t width : kBlocks) blocks.push_back({width, 1, 1});
  }
  std::vector<LaunchForm> launches;
  std::set<std::vector<int64_t>> seen;
  auto add = [&](const GridForm& grid, const Dim3& block, const GridForm& grid_y = {}) {
    uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
    if (bounds.maxntid && threads > uint64_t{(*bounds.maxntid)[0]} * (*bounds.maxntid)[1] * (*bounds.maxntid)[2]) return;
    if (threads > 1024 || threads == 0 || grid.divisor < 1) return;
    if (seen.insert({grid.over, grid.divisor, grid.most, block[0], block[1], block[2], grid_y.over, grid_y.divisor}).second) {
      launches.push_back({grid, block, grid_y, {facts.dynamic_shared ? kRoomyShared : 0, {0, 0}}});
    }
  };
  size_t sizes = size_count();
  for (const Dim3& block : blocks) {
    auto threads = static_cast<int64_t>(uint64_t{block[0]} * block[1] * block[2]);
    if (facts.grid_y) {
      // One size across, the other down: an element a thread or a few, or a row of threads, a CTA an item.
      for (SizeMask over : {SizeMask{2}, SizeMask{1}}) {
        auto width = static_cast<int64_t>(block[0]), height = static_cast<int64_t>(block[1]);
        // A square tile that few threads walk down.
        if (sizes == 2 && width > height && height > 1) add({over, width, 0}, block, {static_cast<SizeMask>(3 - over), width, 0});
        for (int64_t across : {width, int64_t{2} * width, int64_t{4} * width, int64_t{8} * width, int64_t{1}}) {
          for (int64_t down : {height, int64_t{1}}) {
            if (sizes == 2) add({over, across, 0}, block, {static_cast<SizeMask>(3 - over), down, 0});
          }
        }
      }
      continue;
    }
    for (unsigned bits = 1; bits < (1u << sizes); ++bits) {
      const auto over = static_cast<SizeMask>(bits);
      if (facts.grid_size) add({over, 1, 2}, block);
      // A size or all sizes an element a thread, or a vector of elements a thread.
      for (int64_t per_thread = 1; per_thread <= kMostPerThread; per_thread *= 2) add({over, threads * per_thread, 0}, block);
      if (over == 3) continue;
      // A row an item of the CTA: a warp, half a warp, a row of threads, a fixed number.
      for (int64_t rows : {int64_t{1}, threads / 32, threads / 16, static_cast<int64_t>(block[1]), int64_t{2}, int64_t{4}, int64_t{8}}) {
        add({over, rows, 0}, block);
      }
    }
    add({0, 1, 0}, block);
  }
  // Blocks in the order above; for each, a loop over a few CTAs first where the kernel can do that, then few CTAs before many.
  size_t at = 0;
  while (at < launches.size()) {
    size_t end = at;
    while (end < launches.size() && launches[end].block == launches[at].block) ++end;
    std::stable_sort(launches.begin() + static_cast<ptrdiff_t>(at), launches.begin() + static_cast<ptrdiff_t>(end),
                     [](const LaunchForm& a, const LaunchForm& b) {
                       auto rank = [](const LaunchForm& launch) {
                         return std::tuple(launch.grid.most == 0 ? 1 : 0, launch.Ctas(kReferenceSizes), launch.Ctas(kLargeSizes));
                       };
                       return rank(a) < rank(b);
                     });
    at = end;
  }
  return launches;
}

// Sizes whose products are all different. The first weeds out, the second is the same for every launch; then enough rows for
// three CTAs, and rows for three passes of a CTA.
std::vector<Sizes> LaunchSearch::ShapesFor(const LaunchForm& launch) const {
  const GridForm& grid = launch.grid;
  bool two = size_count() == 2, single = grid.over == 0 && launch.grid_y.over == 0;
  auto threads = static_cast<int64_t>(uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]);
  auto sized = [&](int64_t a, int64_t b) { return Sizes{a, two ? b : 1}; };
  // What a CTA takes without a loop: an element a thread, or a vector, or a few one after another.
  int64_t once = threads * kMostPerThread;
  if (two && !single) {
    int64_t vector = 1;
    size_t pointer = 0;
    for (const ParameterFacts& parameter : subject_.facts->parameters) {
      if (parameter.kind != ParameterFacts::Kind::kPointer) continue;
      int64_t bytes = BitWidth(subject_.dtypes[pointer++]) / 8;
      vector = std::max(vector, static_cast<int64_t>(parameter.widest_access) / bytes);
    }
    once = threads * std::min(vector, kMostPerThread);
  }
  std::vector<Sizes> shapes;
  if (two) {
    shapes.push_back({5, 7});
    shapes.push_back(kReferenceSizes);
    int64_t many = 2 * grid.divisor + 1;
    if (launch.grid_y.over != 0) {
      int64_t down = 2 * launch.grid_y.divisor + 1;
      shapes.push_back(launch.grid_y.over == 1 ? sized(down, 3) : sized(3, down));
    }
    if (grid.over == 1) shapes.push_back(sized(many, 3));
    if (grid.over == 2) shapes.push_back(sized(3, many));
    if (grid.over == 3) shapes.push_back(sized(3, many / 3 + 5));
    // A single CTA has to loop over both sizes: one that takes a row a thread would serve no more rows than it has threads.
    if (grid.over == 2 || single) shapes.push_back(sized(2 * once + 5, 3));
    if (grid.over != 2) shapes.push_back(sized(3, 2 * once + 5));
  } else {
    shapes.push_back(sized(5, 1));
    shapes.push_back(sized(kReferenceSizes[0], 1));
    shapes.push_back(sized(2 * std::max(grid.divisor, once) + 5, 1));
  }
  for (Sizes& sizes : shapes) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t multiple = subject_.multiples[i];
      sizes[i] = (sizes[i] + multiple - 1) / multiple * multiple;
    }
    if (sizes[0] == sizes[1]) sizes[0] += subject_.multiples[0];
  }
  return shapes;
}

}  // namespace racer
