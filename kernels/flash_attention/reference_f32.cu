// Plain reference, float: one thread an element of O, three passes over the keys: maximum of the scores, sum of exponentials, weighted
// sum of V. Entries: three_pass_* (not causal), causal_three_pass_*; no_maximum and causal_no_maximum subtract nothing.
#include "variants.cuh"

__device__ float score(const float* q, const float* k, int D)
{
    float s = 0.0f;
#pragma unroll 1
    for (int d = 0; d < D; ++d) s += q[d] * k[d];
    return s;
}

template <class Mask, class Exp, bool with_maximum>
__device__ void three_pass(const float* Q, const float* K, const float* V, float* O, int M, int S, int D)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= M * D) return;
    int m = at / D;
    int keys = Mask::keys(m, M, S);
    float factor = Exp::factor(rsqrtf(D));
    const float* q = Q + m * D;
    float top = with_maximum ? -INFINITY : 0.0f;
    if (with_maximum) {
#pragma unroll 1
        for (int j = 0; j < keys; ++j) top = fmaxf(top, score(q, K + j * D, D));
    }
    float sum = 0.0f;
#pragma unroll 1
    for (int j = 0; j < keys; ++j) sum += Exp::of((score(q, K + j * D, D) - top) * factor);
    float result = 0.0f;
#pragma unroll 1
    for (int j = 0; j < keys; ++j) result += Exp::of((score(q, K + j * D, D) - top) * factor) / sum * V[j * D + at % D];
    O[at] = result;
}

#define KERNEL(name, Mask, Exp, with_maximum)                                                      \
    extern "C" __global__ void name(const float* Q, const float* K, const float* V, float* O, int M, int S, int D) { three_pass<Mask, Exp, with_maximum>(Q, K, V, O, M, S, D); }

KERNEL(three_pass_expf, Full, Expf, true)
KERNEL(three_pass_fast_expf, Full, FastExpf, true)
KERNEL(three_pass_exp2f, Full, Exp2f, true)
KERNEL(no_maximum, Full, FastExpf, false)
KERNEL(causal_three_pass_expf, Causal, Expf, true)
KERNEL(causal_three_pass_fast_expf, Causal, FastExpf, true)
KERNEL(causal_no_maximum, Causal, FastExpf, false)
