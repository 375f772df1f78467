// Fault: each warp subtracts its own maximum, and the sums are added as they are.
#include <math.h>

__device__ float over_block(float v, bool maximum, float* part)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, v, offset);
        v = maximum ? fmaxf(v, other) : v + other;
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    return maximum ? part[threadIdx.x / 32] : part[0] + part[1];
}

extern "C" __global__ void block_shuffle_vec4_f32(const float4* __restrict__ x, float4* __restrict__ y, int N, int H)
{
    __shared__ float tops[2], sums[2];
    int quads = H / 4;
    x += blockIdx.x * quads;
    y += blockIdx.x * quads;
    float4 v[2];
    float top = -INFINITY;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int q = threadIdx.x + 64 * k;
        if (q < quads) {
            v[k] = x[q];
            top = fmaxf(top, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
        }
    }
    top = over_block(top, true, tops);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        if (threadIdx.x + 64 * k < quads) {
            v[k] = make_float4(__expf(v[k].x - top), __expf(v[k].y - top), __expf(v[k].z - top), __expf(v[k].w - top));
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
        }
    }
    float inverse = 1.0f / over_block(sum, false, sums);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int q = threadIdx.x + 64 * k;
        if (q < quads) y[q] = make_float4(v[k].x * inverse, v[k].y * inverse, v[k].z * inverse, v[k].w * inverse);
    }
}
