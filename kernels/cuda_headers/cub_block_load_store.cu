// cub::BlockLoad and BlockStore: every algorithm, whole and partial tiles.
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
__device__ void Copy(const int* x, int* y, int valid) {
  constexpr int kThreads = 64, kItems = 4;
  using Load = cub::BlockLoad<int, kThreads, kItems, kLoad>;
  using Store = cub::BlockStore<int, kThreads, kItems, kStore>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[kItems], tile = blockIdx.x * kThreads * kItems;
  int left = valid - tile;
  if (left >= kThreads * kItems) Load(storage.load).Load(x + tile, items);
  else Load(storage.load).Load(x + tile, items, left, -1);
  __syncthreads();
  for (int i = 0; i < kItems; ++i) items[i] = items[i] * 2 + (threadIdx.x * kItems + i);
  if (left >= kThreads * kItems) Store(storage.store).Store(y + tile, items);
  else Store(storage.store).Store(y + tile, items, left);
}
#define COPY(name, load, store) \
  extern "C" __global__ void copy_##name(const int* x, int* y, int n) { Copy<cub::load, cub::store>(x, y, n); }
COPY(direct, BLOCK_LOAD_DIRECT, BLOCK_STORE_DIRECT)
COPY(vectorize, BLOCK_LOAD_VECTORIZE, BLOCK_STORE_VECTORIZE)
COPY(transpose, BLOCK_LOAD_TRANSPOSE, BLOCK_STORE_TRANSPOSE)
COPY(warp_transpose, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE)
COPY(timesliced, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED)

// Striped: thread t holds t, t + 64, ...; here the arrangement shows in what is added.
extern "C" __global__ void copy_striped(const short* x, short* y, int n) {
  using Load = cub::BlockLoad<short, 64, 4, cub::BLOCK_LOAD_STRIPED>;
  using Store = cub::BlockStore<short, 64, 4, cub::BLOCK_STORE_STRIPED>;
  __shared__ Load::TempStorage load;
  __shared__ Store::TempStorage store;
  short items[4];
  Load(load).Load(x, items, n, short(7));
  for (int i = 0; i < 4; ++i) items[i] += 100 * i;
  Store(store).Store(y, items, n);
}
