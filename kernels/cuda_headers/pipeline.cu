// cuda_pipeline.h and cuda::pipeline of a thread: asynchronous copies into shared memory in several stages.
#include <cuda/pipeline>
#include <cuda_pipeline.h>

extern "C" __global__ void pipeline_primitives(const float* x, float* y, int tiles) {
  __shared__ float4 stage[3][32];
  const float4* from = reinterpret_cast<const float4*>(x);
  for (int s = 0; s < 2; ++s) {
    if (s < tiles) __pipeline_memcpy_async(&stage[s][threadIdx.x], from + s * 32 + threadIdx.x, 16);
    __pipeline_commit();
  }
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 2 < tiles) __pipeline_memcpy_async(&stage[(t + 2) % 3][threadIdx.x], from + (t + 2) * 32 + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    float4 v = stage[t % 3][31 - threadIdx.x];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The last tile is short: what is not there is filled with zeros.
extern "C" __global__ void pipeline_zero_fill(const float* x, float* y, int n) {
  __shared__ float4 stage[32];
  int left = n - int(threadIdx.x) * 4, bytes = left >= 4 ? 16 : left > 0 ? left * 4 : 0;
  __pipeline_memcpy_async(&stage[threadIdx.x], x + (bytes ? threadIdx.x * 4 : 0), 16, 16 - bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 32) y[i] = reinterpret_cast<float*>(stage)[i];
}
extern "C" __global__ void pipeline_of_thread(const int* x, int* y, int tiles) {
  __shared__ int stage[2][64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][threadIdx.x], x + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[(t + 1) % 2][threadIdx.x], x + (t + 1) * 64 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    sum = sum * 3 + stage[t % 2][threadIdx.x];
    pipe.consumer_release();
  }
  y[threadIdx.x] = sum;
}
