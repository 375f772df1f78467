// Broken twin of register_row_f16. The fault: the load guard lets element H through.
#include <cuda_fp16.h>

extern "C" __global__ void register_row_f16__guard_off_by_one(const __half* __restrict__ x, const __half* __restrict__ w,
                                            __half* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[8];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    float held[8];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int i = tid + k * 256;
        held[k] = i <= H ? __half2float(x[base + i]) : 0.0f;
        sum += held[k] * held[k];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = partial[tid % 8];  // every group of eight lanes adds the eight partial sums
    for (int offset = 4; offset > 0; offset /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, offset);
    float scale = rsqrtf(total / H + eps);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int i = tid + k * 256;
        if (i < H) y[base + i] = __float2half_rn(held[k] * scale * __half2float(w[i]));
    }
}
