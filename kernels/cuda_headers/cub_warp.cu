// cub::WarpReduce, WarpScan, WarpExchange, WarpLoad and WarpStore, of whole and logical warps.
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

extern "C" __global__ void warp_sums(const int* x, int* whole, int* half, int* segmented, const int* heads) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  {
    using Reduce = cub::WarpReduce<int>;
    __shared__ Reduce::TempStorage storage[2];
    int sum = Reduce(storage[warp]).Sum(x[threadIdx.x]);
    if (lane == 0) whole[warp] = sum;
  }
  {
    using Reduce = cub::WarpReduce<int, 16>;
    __shared__ Reduce::TempStorage storage[4];
    int sum = Reduce(storage[threadIdx.x / 16]).Reduce(x[threadIdx.x], cuda::minimum<>());
    if (threadIdx.x % 16 == 0) half[threadIdx.x / 16] = sum;
  }
  {
    using Reduce = cub::WarpReduce<int>;
    __shared__ Reduce::TempStorage storage[2];
    int sum = Reduce(storage[warp]).HeadSegmentedSum(x[threadIdx.x], heads[threadIdx.x]);
    segmented[threadIdx.x] = heads[threadIdx.x] || lane == 0 ? sum : 0;
  }
}

// A logical warp whose size is no power of two goes through shared memory, one to a warp.
extern "C" __global__ void warp_of_twelve(const float* x, float* sums, float* scans) {
  using Reduce = cub::WarpReduce<float, 12>;
  using Scan = cub::WarpScan<float, 12>;
  __shared__ Reduce::TempStorage reduce[2];
  __shared__ Scan::TempStorage scan[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane >= 12) return;
  float v = x[warp * 12 + lane], s;
  float sum = Reduce(reduce[warp]).Sum(v);
  if (lane == 0) sums[warp] = sum;
  Scan(scan[warp]).InclusiveSum(v, s);
  scans[warp * 12 + lane] = s;
}

extern "C" __global__ void warp_scans(const int* x, int* inclusive, int* exclusive, int* total, unsigned* bits) {
  using Scan = cub::WarpScan<int, 8>;
  __shared__ Scan::TempStorage storage[8];
  int a, b, all;
  Scan scan(storage[threadIdx.x / 8]);
  scan.Scan(x[threadIdx.x], a, b, cuda::std::plus<>());
  inclusive[threadIdx.x] = a;
  exclusive[threadIdx.x] = threadIdx.x % 8 == 0 ? 0 : b;
  scan.ExclusiveSum(x[threadIdx.x], b, all);
  total[threadIdx.x] = all + scan.Broadcast(x[threadIdx.x], 3);
  bits[threadIdx.x] = threadIdx.x % 8 == 7 ? cub::WarpMask<8>(threadIdx.x / 8 % 4) : 0;
}

extern "C" __global__ void warp_transposes(const int* x, int* y, int* z) {
  using Load = cub::WarpLoad<int, 4, cub::WARP_LOAD_TRANSPOSE, 16>;
  using Store = cub::WarpStore<int, 4, cub::WARP_STORE_STRIPED, 16>;
  using Exchange = cub::WarpExchange<int, 4, 16>;
  int warp = threadIdx.x / 16;
  __shared__ Load::TempStorage load[2];
  __shared__ Store::TempStorage store[2];
  __shared__ Exchange::TempStorage exchange[2];
  int items[4];
  Load(load[warp]).Load(x + warp * 64, items);
  for (int i = 0; i < 4; ++i) y[threadIdx.x * 4 + i] = items[i] * 3;
  Exchange(exchange[warp]).BlockedToStriped(items, items);
  Store(store[warp]).Store(z + warp * 64, items);
}
