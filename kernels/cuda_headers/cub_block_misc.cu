// cub::BlockHistogram, BlockExchange, BlockShuffle, BlockDiscontinuity, BlockAdjacentDifference, BlockRunLengthDecode.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>

constexpr int kThreads = 64;

template <cub::BlockHistogramAlgorithm kAlgorithm>
__device__ void Histogram(const unsigned char* x, unsigned* counts) {
  using Counter = cub::BlockHistogram<unsigned char, kThreads, 4, 64, kAlgorithm>;
  __shared__ typename Counter::TempStorage storage;
  __shared__ unsigned bins[64];
  unsigned char items[4];
  for (int i = 0; i < 4; ++i) items[i] = x[threadIdx.x * 4 + i];
  Counter(storage).Histogram(items, bins);
  __syncthreads();
  counts[threadIdx.x] = bins[threadIdx.x];
}
extern "C" __global__ void histogram_sort(const unsigned char* x, unsigned* c) { Histogram<cub::BLOCK_HISTO_SORT>(x, c); }
extern "C" __global__ void histogram_atomic(const unsigned char* x, unsigned* c) { Histogram<cub::BLOCK_HISTO_ATOMIC>(x, c); }

extern "C" __global__ void exchange(const int* x, int* striped, int* warp_striped, int* scattered, const int* ranks) {
  using Exchange = cub::BlockExchange<int, kThreads, 4>;
  __shared__ Exchange::TempStorage storage;
  int items[4], a[4], r[4];
  for (int i = 0; i < 4; ++i) {
    items[i] = x[threadIdx.x * 4 + i];
    r[i] = ranks[threadIdx.x * 4 + i];
  }
  Exchange(storage).BlockedToStriped(items, a);
  for (int i = 0; i < 4; ++i) striped[threadIdx.x * 4 + i] = a[i];
  __syncthreads();
  Exchange(storage).BlockedToWarpStriped(items, a);
  for (int i = 0; i < 4; ++i) warp_striped[threadIdx.x * 4 + i] = a[i];
  __syncthreads();
  Exchange(storage).ScatterToBlocked(items, a, r);
  for (int i = 0; i < 4; ++i) scattered[threadIdx.x * 4 + i] = a[i];
}

extern "C" __global__ void shuffle(const int* x, int* offset, int* rotate, int* up) {
  using Shuffle = cub::BlockShuffle<int, kThreads>;
  __shared__ Shuffle::TempStorage storage;
  int v = x[threadIdx.x], a = -1;
  Shuffle(storage).Offset(v, a, -3);
  offset[threadIdx.x] = threadIdx.x < 3 ? -1 : a;
  __syncthreads();
  Shuffle(storage).Rotate(v, a, 5);
  rotate[threadIdx.x] = a;
  __syncthreads();
  int items[2] = {v, v * 2}, moved[2], suffix;
  Shuffle(storage).Up(items, moved, suffix);
  up[threadIdx.x * 2] = threadIdx.x == 0 ? suffix : moved[0];
  up[threadIdx.x * 2 + 1] = moved[1];
}

extern "C" __global__ void heads_and_tails(const int* x, int* heads_out, int* tails_out) {
  using Discontinuity = cub::BlockDiscontinuity<int, kThreads>;
  __shared__ Discontinuity::TempStorage storage;
  int items[3], heads[3], tails[3];
  for (int i = 0; i < 3; ++i) items[i] = x[threadIdx.x * 3 + i];
  Discontinuity(storage).FlagHeadsAndTails(heads, tails, items, cuda::std::not_equal_to<>());
  for (int i = 0; i < 3; ++i) {
    heads_out[threadIdx.x * 3 + i] = heads[i];
    tails_out[threadIdx.x * 3 + i] = tails[i];
  }
}

struct Less {
  __device__ int operator()(int a, int b) const { return a - b; }
};
extern "C" __global__ void differences(const int* x, int* left, int* right) {
  using Difference = cub::BlockAdjacentDifference<int, kThreads>;
  __shared__ Difference::TempStorage storage;
  int items[2] = {x[threadIdx.x * 2], x[threadIdx.x * 2 + 1]}, out[2];
  Difference(storage).SubtractLeft(items, out, Less(), 1000);
  left[threadIdx.x * 2] = out[0];
  left[threadIdx.x * 2 + 1] = out[1];
  __syncthreads();
  Difference(storage).SubtractRight(items, out, Less());
  right[threadIdx.x * 2] = out[0];
  right[threadIdx.x * 2 + 1] = out[1];
}

extern "C" __global__ void decode_runs(const int* values, const unsigned* lengths, int* y, unsigned* total) {
  using Decode = cub::BlockRunLengthDecode<int, kThreads, 1, 4>;
  __shared__ Decode::TempStorage storage;
  int value[1] = {values[threadIdx.x]};
  unsigned length[1] = {lengths[threadIdx.x]}, all = 0;
  Decode decode(storage, value, length, all);
  for (unsigned window = 0; window < all; window += kThreads * 4) {
    int items[4];
    decode.RunLengthDecode(items, window);
    for (int i = 0; i < 4; ++i) {
      unsigned at = window + threadIdx.x * 4 + i;
      if (at < all) y[at] = items[i];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = all;
}
