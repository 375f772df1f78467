// cub::BlockMergeSort and WarpMergeSort: comparison sorts, stable.
#include <cub/block/block_merge_sort.cuh>
#include <cub/warp/warp_merge_sort.cuh>

struct ByTens {
  __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
extern "C" __global__ void merge_sort_pairs(const int* x, int* keys_out, int* values_out) {
  using Sort = cub::BlockMergeSort<int, 64, 2, int>;
  __shared__ Sort::TempStorage storage;
  int keys[2], values[2];
  for (int i = 0; i < 2; ++i) {
    values[i] = threadIdx.x * 2 + i;
    keys[i] = x[values[i]];
  }
  Sort(storage).StableSort(keys, values, ByTens());
  for (int i = 0; i < 2; ++i) {
    keys_out[threadIdx.x * 2 + i] = keys[i];
    values_out[threadIdx.x * 2 + i] = values[i];
  }
}
struct Greater {
  __device__ bool operator()(float a, float b) const { return a > b; }
};
extern "C" __global__ void merge_sort_warps(const float* x, float* y, int valid) {
  using Sort = cub::WarpMergeSort<float, 3, 16>;
  __shared__ Sort::TempStorage storage[4];
  float keys[3];
  int warp = threadIdx.x / 16, rank = threadIdx.x % 16 * 3;
  for (int i = 0; i < 3; ++i) keys[i] = rank + i < valid ? x[warp * 48 + rank + i] : -1e30f;
  Sort(storage[warp]).Sort(keys, Greater(), valid, -1e30f);
  for (int i = 0; i < 3; ++i) {
    if (rank + i < valid) y[warp * 48 + rank + i] = keys[i];
  }
}
