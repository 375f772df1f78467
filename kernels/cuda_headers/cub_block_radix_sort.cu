// cub::BlockRadixSort of keys and pairs; BlockRadixRank inside.
#include <cub/block/block_radix_sort.cuh>

extern "C" __global__ void sort_unsigned(const unsigned* x, unsigned* y) {
  using Sort = cub::BlockRadixSort<unsigned, 64, 4>;
  __shared__ Sort::TempStorage storage;
  unsigned keys[4];
  int first = (blockIdx.x * 64 + threadIdx.x) * 4;
  for (int i = 0; i < 4; ++i) keys[i] = x[first + i];
  Sort(storage).Sort(keys);
  for (int i = 0; i < 4; ++i) y[first + i] = keys[i];
}
extern "C" __global__ void sort_floats_down(const float* x, float* y) {
  using Sort = cub::BlockRadixSort<float, 128, 2>;
  __shared__ Sort::TempStorage storage;
  float keys[2] = {x[threadIdx.x * 2], x[threadIdx.x * 2 + 1]};
  Sort(storage).SortDescendingBlockedToStriped(keys);
  y[threadIdx.x] = keys[0];
  y[threadIdx.x + 128] = keys[1];
}
// Pairs, by eight bits of the key: stable, so equal keys keep their order.
extern "C" __global__ void sort_pairs_by_byte(const int* x, int* keys_out, int* values_out) {
  using Sort = cub::BlockRadixSort<int, 32, 3, int>;
  __shared__ Sort::TempStorage storage;
  int keys[3], values[3];
  for (int i = 0; i < 3; ++i) {
    values[i] = threadIdx.x * 3 + i;
    keys[i] = x[values[i]];
  }
  Sort(storage).Sort(keys, values, 8, 16);
  for (int i = 0; i < 3; ++i) {
    keys_out[threadIdx.x * 3 + i] = keys[i];
    values_out[threadIdx.x * 3 + i] = values[i];
  }
}
extern "C" __global__ void sort_long(const long long* x, long long* y) {
  using Sort = cub::BlockRadixSort<long long, 64, 1>;
  __shared__ Sort::TempStorage storage;
  long long keys[1] = {x[threadIdx.x]};
  Sort(storage).SortDescending(keys);
  y[threadIdx.x] = keys[0];
}
