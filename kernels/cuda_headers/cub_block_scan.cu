// cub::BlockScan: its three algorithms, sums and maxima, exclusive and inclusive, with a carry between tiles.
#include <cub/block/block_scan.cuh>

constexpr int kThreads = 64;

template <cub::BlockScanAlgorithm kAlgorithm>
__device__ void ExclusiveSum(const int* x, int* y, int* total) {
  using Scan = cub::BlockScan<int, kThreads, kAlgorithm>;
  __shared__ typename Scan::TempStorage storage;
  int items[4], sum;
  int first = (blockIdx.x * kThreads + threadIdx.x) * 4;
  for (int i = 0; i < 4; ++i) items[i] = x[first + i];
  Scan(storage).ExclusiveSum(items, items, sum);
  for (int i = 0; i < 4; ++i) y[first + i] = items[i];
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}
extern "C" __global__ void scan_raking(const int* x, int* y, int* t) { ExclusiveSum<cub::BLOCK_SCAN_RAKING>(x, y, t); }
extern "C" __global__ void scan_memoize(const int* x, int* y, int* t) { ExclusiveSum<cub::BLOCK_SCAN_RAKING_MEMOIZE>(x, y, t); }
extern "C" __global__ void scan_warps(const int* x, int* y, int* t) { ExclusiveSum<cub::BLOCK_SCAN_WARP_SCANS>(x, y, t); }

struct Carry {
  int total;
  __device__ int operator()(int tile) {
    int old = total;
    total += tile;
    return old;
  }
};
// One block over several tiles: the running prefix comes from a callback of the first warp.
extern "C" __global__ void scan_tiles(const int* x, int* y, int n) {
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ Scan::TempStorage storage;
  Carry carry{100};
  for (int tile = 0; tile < n; tile += kThreads) {
    int v = tile + threadIdx.x < n ? x[tile + threadIdx.x] : 0;
    Scan(storage).InclusiveSum(v, v, carry);
    __syncthreads();
    if (tile + threadIdx.x < n) y[tile + threadIdx.x] = v;
  }
}

struct Larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
extern "C" __global__ void scan_max(const float* x, float* inclusive, float* exclusive) {
  using Scan = cub::BlockScan<float, 128, cub::BLOCK_SCAN_RAKING>;
  __shared__ Scan::TempStorage storage;
  float v = x[threadIdx.x], a, b;
  Scan(storage).InclusiveScan(v, a, Larger());
  __syncthreads();
  Scan(storage).ExclusiveScan(v, b, -1000.0f, Larger());
  inclusive[threadIdx.x] = a;
  exclusive[threadIdx.x] = b;
}
extern "C" __global__ void scan_long(const long long* x, long long* y) {
  using Scan = cub::BlockScan<long long, 96>;
  __shared__ Scan::TempStorage storage;
  long long v;
  Scan(storage).InclusiveSum(x[threadIdx.x], v);
  y[threadIdx.x] = v;
}
