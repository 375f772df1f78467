// Source of sample.*.ptx, which regenerate.sh makes. Chosen for the constructs that it brings into the PTX, not for use.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Item {
  double weight;
  float value;
  char tag[5];
};

__constant__ float table[3] = {1.0f, -0.5f, 1e-20f};
__device__ Item items[2] = {{1.5, 2.0f, "ab"}, {}};
__device__ const float* where = &table[1];
extern __shared__ float dynamic[];

__noinline__ __device__ float weigh(Item item, float x) { return item.value * x + static_cast<float>(item.weight) + item.tag[1]; }
__noinline__ __device__ int halvings(int n) { return n <= 1 ? 0 : 1 + halvings(n / 2); }

extern "C" __global__ void __launch_bounds__(256, 2) reduce(const float* __restrict__ x, float* y, int n, Item item) {
  __shared__ float partial[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += weigh(item, x[i]) * __ldg(&where[i & 1]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
#pragma unroll 1
    for (int i = 0; i < 8; ++i) total += partial[i];
    y[blockIdx.x] = rsqrtf(total / n + table[halvings(n) % 3]);
    if (isnan(total)) printf("%d: %g\n", n, total);
  }
}

extern "C" __global__ void packed(const __half2* x, __nv_bfloat16* y, int n) {
  float local[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 v = __hmul2(x[i], x[i]);
  for (int k = 0; k < 4; ++k) local[(k * i) & 3] = __low2float(v) * k;
  switch (i % 6) {
    case 0: local[0] = 1; break;
    case 1: local[1] = sinf(local[0]); break;
    case 2: local[2] = expf(local[1]); break;
    case 3: dynamic[i % 32] = local[2]; break;
    case 4: atomicAdd(&dynamic[0], 1.0f); break;
    default: break;
  }
  float a = local[i & 3];
  asm("{ .reg .pred p;\n  setp.gt.f32 p, %0, 0f00000000;\n  @!p neg.f32 %0, %0;\n}" : "+f"(a));
  y[i] = __float2bfloat16(a);
}
