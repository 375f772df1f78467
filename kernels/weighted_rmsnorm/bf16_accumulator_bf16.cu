// bf16, one CTA of 64 threads a row. Technique: bf16 multiply-add into a bf16 accumulator, partial sums in a bf16
// shared tree. Rounds far more than the reference; equal to it over the reals.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_accumulator_bf16(const __nv_bfloat16* __restrict__ x,
                                                 const __nv_bfloat16* __restrict__ w, __nv_bfloat16* __restrict__ y,
                                                 int N, int H, float eps)
{
    __shared__ __nv_bfloat16 tree[64];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    __nv_bfloat16 acc = __float2bfloat16_rn(0.0f);
    for (int i = tid; i < H; i += 64)
        acc = __hfma(x[base + i], x[base + i], acc);
    tree[tid] = acc;
    __syncthreads();
    for (int width = 32; width > 0; width /= 2) {
        if (tid < width) tree[tid] = __hadd(tree[tid], tree[tid + width]);
        __syncthreads();
    }
    float scale = rsqrtf(__bfloat162float(tree[0]) / H + eps);
    for (int i = tid; i < H; i += 64)
        y[base + i] = __float2bfloat16_rn(__bfloat162float(x[base + i]) * scale * __bfloat162float(w[i]));
}
