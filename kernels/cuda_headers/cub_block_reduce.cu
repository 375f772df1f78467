// cub::BlockReduce: its three algorithms, partial tiles, and an operator of our own.
#include <cub/block/block_reduce.cuh>

constexpr int kThreads = 96;

template <cub::BlockReduceAlgorithm kAlgorithm>
__device__ void Sum(const int* x, int* y) {
  using Reduce = cub::BlockReduce<int, kThreads, kAlgorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int items[3];
  for (int i = 0; i < 3; ++i) items[i] = x[(blockIdx.x * kThreads + threadIdx.x) * 3 + i];
  int sum = Reduce(storage).Sum(items);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
extern "C" __global__ void block_sum_raking(const int* x, int* y) { Sum<cub::BLOCK_REDUCE_RAKING>(x, y); }
extern "C" __global__ void block_sum_commutative(const int* x, int* y) { Sum<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, y); }
extern "C" __global__ void block_sum_warps(const int* x, int* y) { Sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, y); }

struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
extern "C" __global__ void block_max_of_valid(const float* x, float* y, int valid) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ Reduce::TempStorage storage;
  float mine = threadIdx.x < valid ? x[threadIdx.x] : -1.0f;
  float all = Reduce(storage).Reduce(mine, Largest(), valid);
  if (threadIdx.x == 0) *y = all;
}

// The position of the smallest value, the first of equals: not commutative unless the operator says so.
extern "C" __global__ void block_argmin(const int* x, int* y) {
  using Pair = cub::KeyValuePair<int, int>;
  using Reduce = cub::BlockReduce<Pair, 8, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8, 2>;
  __shared__ Reduce::TempStorage storage;
  int at = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
  Pair best = Reduce(storage).Reduce(Pair(at, x[blockIdx.x * 128 + at]), cub::ArgMin());
  if (at == 0) {
    y[2 * blockIdx.x] = best.key;
    y[2 * blockIdx.x + 1] = best.value;
  }
}

extern "C" __global__ void block_sum_double(const double* x, double* y) {
  using Reduce = cub::BlockReduce<double, 64>;
  __shared__ Reduce::TempStorage storage;
  double sum = Reduce(storage).Sum(x[blockIdx.x * 64 + threadIdx.x]);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
