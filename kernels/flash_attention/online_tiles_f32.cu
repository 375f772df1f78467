// float, one CTA of 32 threads for 4 queries, 8 lanes a query; D at most 16. Technique: flash attention. Tiles of 8 keys of K and V in
// shared memory; each lane has one score of a tile; maximum and sum of a tile by shuffles among the 8 lanes; O is kept in
// registers, two columns a lane, and rescaled once a tile. Keys past the end and masked ones have weight 0.
#include "variants.cuh"

constexpr int kKeys = 8;
constexpr int kDepth = 16;

template <class Mask, class Exp>
__device__ void online_tiles(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V, float* __restrict__ O, int M, int S, int D, float start)
{
    __shared__ float q[4][kDepth], k[kKeys][kDepth], v[kKeys][kDepth], p[4][kKeys];
    int tid = threadIdx.x;
    int own = tid / 8;
    int lane = tid % 8;
    int m = blockIdx.x * 4 + own;
    int keys = min(Mask::keys(min(m, M - 1), M, S), S);
    float factor = Exp::factor(rsqrtf(D));
#pragma unroll 1
    for (int i = tid; i < 4 * D; i += 32) {
        int row = blockIdx.x * 4 + i / D;
        q[i / D][i % D] = row < M ? Q[row * D + i % D] : 0.0f;
    }
    float top = start;
    float sum = 0.0f;
    float o0 = 0.0f, o1 = 0.0f;
#pragma unroll 1
    for (int first = 0; first < S; first += kKeys) {
        __syncthreads();
#pragma unroll 1
        for (int i = tid; i < kKeys * D; i += 32) {
            int j = first + i / D;
            k[i / D][i % D] = j < S ? K[j * D + i % D] : 0.0f;
            v[i / D][i % D] = j < S ? V[j * D + i % D] : 0.0f;
        }
        __syncthreads();
        float s = 0.0f;
#pragma unroll 1
        for (int d = 0; d < D; ++d) s += q[own][d] * k[lane][d];
        bool live = first + lane < keys;
        s = live ? s * factor : start;
        float next = s;
        for (int offset = 4; offset > 0; offset /= 2) next = fmaxf(next, __shfl_xor_sync(0xffffffffu, next, offset, 8));
        next = fmaxf(next, top);
        float weight = live ? Exp::of(s - next) : 0.0f;
        p[own][lane] = weight;
        for (int offset = 4; offset > 0; offset /= 2) weight += __shfl_xor_sync(0xffffffffu, weight, offset, 8);
        float old = Exp::of(top - next);
        sum = sum * old + weight;
        top = next;
        __syncwarp();
        o0 *= old;
        o1 *= old;
#pragma unroll 1
        for (int j = 0; j < kKeys; ++j) {
            if (lane < D) o0 += p[own][j] * v[j][lane];
            if (lane + 8 < D) o1 += p[own][j] * v[j][lane + 8];
        }
        __syncwarp();
    }
    if (m >= M) return;
    if (lane < D) O[m * D + lane] = o0 / sum;
    if (lane + 8 < D) O[m * D + lane + 8] = o1 / sum;
}

#define KERNEL(name, Mask, Exp, start)                                                             \
    extern "C" __global__ void name(const float* Q, const float* K, const float* V, float* O, int M, int S, int D) { online_tiles<Mask, Exp>(Q, K, V, O, M, S, D, start); }

KERNEL(online_tiles_infinity_fast, Full, FastExpf, -INFINITY)
KERNEL(online_tiles_lowest_expf, Full, Expf, -FLT_MAX)
KERNEL(online_tiles_lowest_exp2f, Full, Exp2f, -FLT_MAX)
KERNEL(online_tiles_lowest_fast, Full, FastExpf, -FLT_MAX)
KERNEL(online_tiles_causal_lowest_fast, Causal, FastExpf, -FLT_MAX)
