// bf16, one CTA of 128 threads a row. Technique: the row is converted once and kept in dynamic shared memory; the
// partial sums follow it there (at the row's width rounded up to 128) and are added by a shared-memory tree.
#include <cuda_bf16.h>

extern __shared__ float staged[];

extern "C" __global__ void shared_row_bf16(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ w,
                                           __nv_bfloat16* __restrict__ y, int N, int H, float eps)
{
    int tid = threadIdx.x;
    int padded = (H + 127) / 128 * 128;
    float* tree = staged + padded;
    size_t base = (size_t)blockIdx.x * H;
    for (int i = tid; i < H; i += 128)
        staged[i] = __bfloat162float(x[base + i]);
    __syncthreads();
    float sum = 0.0f;
    for (int i = 127 - tid; i < H; i += 128)  // not the elements that this thread staged
        sum += staged[i] * staged[i];
    tree[tid] = sum;
    __syncthreads();
    for (int width = 64; width > 0; width /= 2) {
        if (tid < width) tree[tid] += tree[tid + width];
        __syncthreads();
    }
    float scale = rsqrtf(tree[0] / H + eps);
    for (int i = tid; i < H; i += 128)
        y[base + i] = __float2bfloat16_rn(staged[i] * scale * __bfloat162float(w[i]));
}
