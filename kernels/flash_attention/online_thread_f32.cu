// float, one thread a query, D = 4 in registers (float4). Technique: online softmax key by key; sum and output are rescaled with every
// key; the maximum starts at minus infinity, -FLT_MAX or the first score.
#include "variants.cuh"

enum class Start { kInfinity, kLowest, kFirst };

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

template <class Mask, class Exp, Start start>
__device__ void online_thread(const float4* __restrict__ Q, const float4* __restrict__ K, const float4* __restrict__ V, float4* __restrict__ O, int M, int S)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= M) return;
    int keys = Mask::keys(m, M, S);
    float factor = Exp::factor(0.5f);
    float4 q = Q[m];
    float top = start == Start::kInfinity ? -INFINITY : start == Start::kLowest ? -FLT_MAX : dot(q, K[0]) * factor;
    float sum = 0.0f;
    float4 o = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
    for (int j = 0; j < keys; ++j) {
        float s = dot(q, K[j]) * factor;
        float next = fmaxf(top, s);
        float old = Exp::of(top - next);
        float p = Exp::of(s - next);
        float4 v = V[j];
        sum = sum * old + p;
        o = make_float4(o.x * old + p * v.x, o.y * old + p * v.y, o.z * old + p * v.z, o.w * old + p * v.w);
        top = next;
    }
    float inverse = 1.0f / sum;
    O[m] = make_float4(o.x * inverse, o.y * inverse, o.z * inverse, o.w * inverse);
}

#define KERNEL(name, Mask, Exp, start)                                                             \
    extern "C" __global__ void name(const float4* Q, const float4* K, const float4* V, float4* O, int M, int S, int D) { online_thread<Mask, Exp, Start::start>(Q, K, V, O, M, S); }

KERNEL(online_thread_infinity_expf, Full, Expf, kInfinity)
KERNEL(online_thread_infinity_fast, Full, FastExpf, kInfinity)
KERNEL(online_thread_lowest_fast, Full, FastExpf, kLowest)
KERNEL(online_thread_lowest_exp2f, Full, Exp2f, kLowest)
KERNEL(online_thread_first_fast, Full, FastExpf, kFirst)
KERNEL(online_thread_first_expf, Full, Expf, kFirst)
KERNEL(online_thread_causal_first_fast, Causal, FastExpf, kFirst)
KERNEL(online_thread_causal_infinity_exp2f, Causal, Exp2f, kInfinity)
