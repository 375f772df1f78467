// Cooperative groups: coalesced threads, binary and labelled partitions, block synchronisation, memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

// Each odd value takes a slot; one atomic a warp, by the leader of the lanes that are there.
extern "C" __global__ void compact_odd(const int* x, int* y, int* count) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  int v = x[threadIdx.x];
  if (v & 1) {
    auto here = cg::coalesced_threads();
    int first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(&next, here.size());
    y[here.shfl(first, 0) + here.thread_rank()] = v;
  }
  __syncthreads();
  if (threadIdx.x == 0) *count = next;
}

extern "C" __global__ void binary_groups(const int* x, int* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = x[threadIdx.x];
  auto mine = cg::binary_partition(tile, v > 10);
  y[2 * threadIdx.x] = cg::reduce(mine, v, cg::plus<int>());
  y[2 * threadIdx.x + 1] = mine.thread_rank() * 100 + mine.size();
}

extern "C" __global__ void labelled_groups(const int* x, int* y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = x[threadIdx.x];
  auto mine = cg::labeled_partition(tile, v % 5);
  y[2 * threadIdx.x] = cg::reduce(mine, v, cg::greater<int>());
  y[2 * threadIdx.x + 1] = mine.thread_rank() * 100 + mine.size();
}

extern "C" __global__ void block_group(const float* x, float* y) {
  __shared__ float tile[4][8][4];
  auto block = cg::this_thread_block();
  dim3 at = block.thread_index();
  tile[at.z][at.y][at.x] = x[block.thread_rank()];
  cg::sync(block);
  dim3 size = block.group_dim();
  y[block.group_index().x * block.size() + block.thread_rank()] = tile[size.z - 1 - at.z][size.y - 1 - at.y][size.x - 1 - at.x];
}

// 100 integers into shared memory without a thread's registers, then back to front.
extern "C" __global__ void copy_async(const int* x, int* y) {
  __shared__ alignas(16) int tile[100];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x + blockIdx.x * 100, cuda::aligned_size_t<16>(sizeof tile));
  cg::wait(block);
  for (int i = threadIdx.x; i < 100; i += block.size()) y[blockIdx.x * 100 + i] = tile[99 - i];
}
// Element by element, two stages in flight.
extern "C" __global__ void copy_async_stages(const int* x, int* y, int tiles) {
  __shared__ int tile[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], x, sizeof tile[0]);
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) % 2], x + (t + 1) * 64, sizeof tile[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += tile[t % 2][(threadIdx.x + t) % 64];
    block.sync();
  }
  y[threadIdx.x] = sum;
}

extern "C" __global__ void group_of_one(const int* x, int* y) {
  auto me = cg::this_thread();
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 40) {
    auto here = cg::coalesced_threads();
    y[threadIdx.x] = x[threadIdx.x] * me.size() + here.size() + (here.any(x[threadIdx.x] == 7) ? 1000 : 0);
  } else {
    y[threadIdx.x] = -1;
  }
}
