// Atomic functions in global and shared memory: every operation whose result does not hang on the order, and loops of
// compare-and-swap.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void atomic_histogram(const int* x, int* counts, int n) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
extern "C" __global__ void atomic_integers(const int* x, int* y, unsigned long long* z) {
  int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&y[0], v);
  atomicSub(&y[1], v);
  atomicMin(&y[2], v);
  atomicMax(&y[3], v);
  atomicAnd(&y[4], v | 0xff00);
  atomicOr(&y[5], v);
  atomicXor(&y[6], v);
  atomicMin((unsigned*)&y[7], unsigned(v));
  atomicInc((unsigned*)&y[8], 9);
  atomicDec((unsigned*)&y[9], 6);
  atomicAdd(&z[0], (unsigned long long)v << 20);
  atomicMax((long long*)&z[1], (long long)v * v);
  atomicXor(&z[2], 1ull << (v & 63));
}
extern "C" __global__ void atomic_floats(const float* x, float* f, double* d, __half2* h) {
  float v = x[threadIdx.x];
  atomicAdd(f, v);
  atomicAdd(d, double(v) * 0.5);
  atomicAdd(h, __floats2half2_rn(v, -v));
  atomicAdd(&f[1 + threadIdx.x % 4], 1.0f);
}
// The header's own loop where the architecture has no such instruction: it reads the location first, and not atomically.
extern "C" __global__ void atomic_bf162(const float* x, __nv_bfloat162* b) { atomicAdd(b, __floats2bfloat162_rn(x[threadIdx.x], 1.0f)); }
// A product by compare-and-swap, which also tells what is there, and a float maximum through integers.
extern "C" __global__ void swap_loops(const int* x, int* product, int* largest, int* owner) {
  __shared__ int best;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  int v = x[threadIdx.x], seen = 0;
  for (;;) {
    int old = atomicCAS(product, seen, seen * (v | 1));
    if (old == seen) break;
    seen = old;
  }
  atomicMax(&best, __float_as_int(float(v)));
  atomicExch(&owner[threadIdx.x % 8], 5);
  __syncthreads();
  if (threadIdx.x == 0) *largest = best;
}
// Every thread takes a ticket; each ticket is taken once, whoever has it.
extern "C" __global__ void tickets(int* next, int* taken) {
  int mine = atomicAdd(next, 1);
  taken[mine] = 1;
}
// The last block to arrive adds up what the others left.
extern "C" __global__ void last_block_sums(const int* x, int* partial, unsigned* arrived, int* total) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += ((volatile int*)partial)[b];
    *total = all;
  }
}
