// Warp intrinsics: shuffles, votes, matches, reductions, and the barriers that count.
extern "C" __global__ void shuffles(const int* x, int* y, const double* d, double* e) {
  int i = threadIdx.x, n = blockDim.x, v = x[i];
  y[i] = __shfl_sync(~0u, v, (i * 5) & 31);
  y[n + i] = __shfl_up_sync(~0u, v, 3);
  y[2 * n + i] = __shfl_down_sync(~0u, v, 9, 16);
  y[3 * n + i] = __shfl_xor_sync(~0u, v, 21);
  y[4 * n + i] = __shfl_sync(~0u, v, 2, 8);
  e[i] = __shfl_down_sync(~0u, d[i], 1);
}
extern "C" __global__ void votes(const int* x, unsigned* y) {
  int i = threadIdx.x, n = blockDim.x, v = x[i];
  y[i] = __ballot_sync(~0u, v > 5);
  y[n + i] = __any_sync(~0u, v == 3) + 2 * __all_sync(~0u, v < 20);
  y[2 * n + i] = __match_any_sync(~0u, v);
  int same;
  y[3 * n + i] = __match_all_sync(~0u, v / 100, &same) + same;
  y[4 * n + i] = i % 32 < 20 ? __ballot_sync(0xfffff, v & 1) : 0;
  y[5 * n + i] = __activemask();
  y[6 * n + i] = __match_any_sync(~0u, (long long)v << 40);
}
extern "C" __global__ void reductions(const int* x, int* y) {
  int i = threadIdx.x, n = blockDim.x, v = x[i];
  y[i] = __reduce_add_sync(~0u, v);
  y[n + i] = __reduce_min_sync(~0u, v);
  y[2 * n + i] = __reduce_max_sync(~0u, unsigned(v));
  y[3 * n + i] = __reduce_and_sync(~0u, unsigned(v) | 0xf0);
  y[4 * n + i] = __reduce_or_sync(~0u, unsigned(v));
  y[5 * n + i] = __reduce_xor_sync(~0u, unsigned(v));
}
extern "C" __global__ void counted_barriers(const int* x, int* y) {
  int i = threadIdx.x, n = blockDim.x, v = x[i];
  y[i] = __syncthreads_count(v > 4);
  y[n + i] = __syncthreads_and(v < 100);
  y[2 * n + i] = __syncthreads_or(v == 7);
  __shared__ int tile[96];
  tile[i] = v;
  __threadfence_block();
  __syncwarp();
  y[3 * n + i] = tile[i ^ 1];
}
extern "C" __global__ void divergent_shuffles(const int* x, int* y) {
  int i = threadIdx.x, v = x[i], r;
  if (i % 2 == 0) {
    r = __shfl_xor_sync(0x55555555, v, 2) + 10;
  } else if (i % 4 == 1) {
    r = __popc(__ballot_sync(0x22222222, v & 1));
  } else {
    r = __shfl_down_sync(0x88888888, v, 4);
  }
  __syncwarp();
  y[i] = r + __shfl_sync(~0u, r, 31);
}
