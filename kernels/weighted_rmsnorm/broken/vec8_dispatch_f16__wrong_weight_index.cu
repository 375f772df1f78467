// Broken twin of vec8_dispatch_f16. The fault: the weights are taken one vector further on.
#include <cuda_fp16.h>

union Pack8 {
    uint4 bits;
    __half2 pair[4];
    __device__ Pack8() {}
};

extern "C" __global__ void vec8_dispatch_f16__wrong_weight_index(const uint4* __restrict__ x, const uint4* __restrict__ w,
                                             uint4* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[2];
    int tid = threadIdx.x;
    int vectors = H / 8;
    size_t base = (size_t)blockIdx.x * vectors;
    float sum = 0.0f;
    for (int v = tid; v < vectors; v += 64) {
        Pack8 q;
        q.bits = x[base + v];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 f = __half22float2(q.pair[k]);
            sum += f.x * f.x + f.y * f.y;
        }
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float scale = rsqrtf((partial[0] + partial[1]) / H + eps);
    for (int v = tid; v < vectors; v += 64) {
        Pack8 q, g;
        q.bits = x[base + v];
        g.bits = w[(v + 1) % vectors];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 f = __half22float2(q.pair[k]);
            float2 m = __half22float2(g.pair[k]);
            q.pair[k] = __floats2half2_rn(f.x * scale * m.x, f.y * scale * m.y);
        }
        y[base + v] = q.bits;
    }
}
