// Fault: query m sees keys 0 to m, also where there are more keys than queries.
#include "../variants.cuh"

template <class Mask>
__device__ void scores(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V, float* __restrict__ O, int M, int S, int D)
{
    extern __shared__ float row[];
    int m = blockIdx.x;
    int lane = threadIdx.x;
    int keys = Mask::keys(m, M, M);
    float scale = rsqrtf(D);
    float top = -INFINITY;
#pragma unroll 1
    for (int j = lane; j < S; j += 32) {
        float s = 0.0f;
#pragma unroll 1
        for (int d = 0; d < D; ++d) s += Q[m * D + d] * K[j * D + d];
        row[j] = j < keys ? s * scale : -INFINITY;
        top = fmaxf(top, row[j]);
    }
    for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, offset));
    float sum = 0.0f;
#pragma unroll 1
    for (int j = lane; j < S; j += 32) {
        row[j] = __expf(row[j] - top);
        sum += row[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    __syncthreads();
#pragma unroll 1
    for (int d = lane; d < D; d += 32) {
        float result = 0.0f;
#pragma unroll 1
        for (int j = 0; j < S; ++j) result += row[j] * V[j * D + d];
        O[m * D + d] = result / sum;
    }
}

#define KERNEL(name, Mask)                                                                         \
    extern "C" __global__ void name(const float* Q, const float* K, const float* V, float* O, int M, int S, int D) { scores<Mask>(Q, K, V, O, M, S, D); }

KERNEL(scores_causal, Causal)
