// Fault: the two normalised outputs are averaged.
#include "../variants.cuh"

extern "C" __global__ void split_keys_f32(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V, float* __restrict__ O, int M, int S, int D)
{
    __shared__ float tops[2], sums[2], outputs[2][32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int m = blockIdx.x;
    int half = (S + 1) / 2;
    int begin = warp * half;
    int end = min(begin + half, S);
    float scale = rsqrtf(D);
    float q = lane < D ? Q[m * D + lane] * scale : 0.0f;
    float top = -FLT_MAX;
    float sum = 0.0f;
    float o = 0.0f;
#pragma unroll 1
    for (int j = begin; j < end; ++j) {
        float s = lane < D ? q * K[j * D + lane] : 0.0f;
        for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(0xffffffffu, s, offset);
        float next = j == begin ? s : fmaxf(top, s);
        float old = j == begin ? 0.0f : __expf(top - next);
        float p = __expf(s - next);
        sum = sum * old + p;
        o = o * old + (lane < D ? p * V[j * D + lane] : 0.0f);
        top = next;
    }
    if (lane == 0) {
        tops[warp] = top;
        sums[warp] = sum;
    }
    outputs[warp][lane] = o;
    __syncthreads();
    if (warp == 0 && lane < D) {
        O[m * D + lane] = S > half ? 0.5f * (outputs[0][lane] / sums[0] + outputs[1][lane] / sums[1]) : outputs[0][lane] / sums[0];
    }
}
