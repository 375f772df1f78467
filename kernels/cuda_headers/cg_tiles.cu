// Cooperative groups: tiles of a block, their shuffles, votes, reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern "C" __global__ void tile_reduce(const int* x, int* sum16, int* max32, unsigned* or8, float* min4) {
  auto block = cg::this_thread_block();
  auto t16 = cg::tiled_partition<16>(block);
  auto t32 = cg::tiled_partition<32>(block);
  auto t8 = cg::tiled_partition<8>(t32);
  auto t4 = cg::tiled_partition<4>(t8);
  int i = block.thread_rank(), v = x[i];
  sum16[i] = cg::reduce(t16, v, cg::plus<int>());
  max32[i] = cg::reduce(t32, v, cg::greater<int>());
  or8[i] = cg::reduce(t8, unsigned(v), cg::bit_or<unsigned>());
  min4[i] = cg::reduce(t4, v * 0.5f, cg::less<float>());
}

extern "C" __global__ void tile_scan(const int* x, int* inclusive, int* exclusive, long long* product) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, x[i]);
  exclusive[i] = cg::exclusive_scan(tile, x[i], cg::plus<int>());
  product[i] = cg::inclusive_scan(tile, (long long)x[i], [](long long a, long long b) { return a > b ? a : b; });
}

extern "C" __global__ void tile_shuffle(const int* x, int* y, const double* xd, double* yd) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = threadIdx.x, v = x[i];
  int a = tile.shfl(v, 5), b = tile.shfl_up(v, 2), c = tile.shfl_down(v, 3), d = tile.shfl_xor(v, 6);
  y[i] = a + 3 * b + 5 * c + 7 * d;
  yd[i] = tile.shfl_xor(xd[i], 1);
}

extern "C" __global__ void tile_votes(const int* x, unsigned* y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x, v = x[i];
  unsigned any = tile.any(v > 8), all = tile.all(v > 0), ballot = tile.ballot(v & 1), match = tile.match_any(v);
  y[4 * i] = any;
  y[4 * i + 1] = all;
  y[4 * i + 2] = ballot;
  y[4 * i + 3] = match + 65536 * tile.meta_group_rank() + (tile.meta_group_size() << 24);
}

// A tile larger than a warp meets through memory given to the block.
extern "C" __global__ void tile_of_two_warps(const int* x, int* y) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  int i = block.thread_rank();
  int sum = cg::reduce(tile, x[i], cg::plus<int>());
  y[i] = sum + tile.shfl(x[i], 40);
}

// Whoever comes last folds in every other lane: a reduction written by hand over a templated tile.
template <class Tile>
__device__ float FoldByHand(Tile tile, float v) {
  for (int step = tile.size() / 2; step > 0; step /= 2) v += tile.shfl_down(v, step);
  return tile.shfl(v, 0);
}
extern "C" __global__ void tile_fold(const float* x, float* y) {
  auto block = cg::this_thread_block();
  float a = FoldByHand(cg::tiled_partition<32>(block), x[threadIdx.x]);
  float b = FoldByHand(cg::tiled_partition<4>(block), x[threadIdx.x]);
  y[threadIdx.x] = a * 16.0f + b;
}
