// float, O = softmax(Q K^T / 8) V with Q and O 16 x 64, K and V 512 x 64: one CTA of 64 threads a query. The scores as a row in shared
// memory, then three plain passes over it by every thread: maximum, sum of exponentials, weighted sum of a column of V.
#include <math.h>

extern "C" __global__ void flash_naive_f32(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V, float* __restrict__ O)
{
    __shared__ float score[512];
    int tid = threadIdx.x;
    const float* q = Q + blockIdx.x * 64;
#pragma unroll 1
    for (int j = tid; j < 512; j += 64) {
        float s = 0.0f;
#pragma unroll 8
        for (int d = 0; d < 64; ++d) s += q[d] * K[j * 64 + d];
        score[j] = s * 0.125f;
    }
    __syncthreads();
    float top = -INFINITY;
#pragma unroll 4
    for (int j = 0; j < 512; ++j) top = fmaxf(top, score[j]);
    float sum = 0.0f;
    float result = 0.0f;
#pragma unroll 4
    for (int j = 0; j < 512; ++j) sum += __expf(score[j] - top);
#pragma unroll 4
    for (int j = 0; j < 512; ++j) result += __expf(score[j] - top) * V[j * 64 + tid];
    O[blockIdx.x * 64 + tid] = result / sum;
}
