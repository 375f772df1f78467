// Broken twin of bf16_accumulator_bf16. The fault: no barrier between the steps of the tree.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_accumulator_bf16__tree_without_barrier(const __nv_bfloat16* __restrict__ x,
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
    }
    float scale = rsqrtf(__bfloat162float(tree[0]) / H + eps);
    for (int i = tid; i < H; i += 64)
        y[base + i] = __float2bfloat16_rn(__bfloat162float(x[base + i]) * scale * __bfloat162float(w[i]));
}
