// Fault: scores are not scaled by log2(e).
#include <cuda_fp16.h>
#include <math.h>

extern "C" __global__ void f16_three_pass(const __half* Q, const __half* K, const __half* V, __half* O, int M, int S, int D)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= M * D) return;
    int m = at / D;
    float scale = rsqrtf(D);
    float top = 0.0f, sum = 0.0f, result = 0.0f;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
#pragma unroll 1
        for (int j = 0; j < S; ++j) {
            float s = 0.0f;
#pragma unroll 1
            for (int d = 0; d < D; ++d) s += __half2float(Q[m * D + d]) * __half2float(K[j * D + d]);
            if (pass == 0) {
                top = j == 0 ? s : fmaxf(top, s);
            } else {
                float p = __expf((s - top) * scale);
                sum += p;
                result += p * __half2float(V[j * D + at % D]);
            }
        }
    }
    O[at] = __float2half_rn(result / sum);
}

template <bool half_weights>
__device__ void f16_online_of(const __half2* __restrict__ Q, const __half2* __restrict__ K, const __half2* __restrict__ V, __half2* __restrict__ O, int S, int D)
{
    int lane = threadIdx.x;
    int pairs = D / 2;
    bool live = lane < pairs;
    float factor = rsqrtf(D);
    float2 q = live ? __half22float2(Q[blockIdx.x * pairs + lane]) : make_float2(0.0f, 0.0f);
    float top = 0.0f, sum = 0.0f;
    float2 o = make_float2(0.0f, 0.0f);
#pragma unroll 1
    for (int j = 0; j < S; ++j) {
        float2 k = live ? __half22float2(K[j * pairs + lane]) : make_float2(0.0f, 0.0f);
        float2 v = live ? __half22float2(V[j * pairs + lane]) : make_float2(0.0f, 0.0f);
        float s = q.x * k.x + q.y * k.y;
        for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(0xffffffffu, s, offset);
        s *= factor;
        float next = j == 0 ? s : fmaxf(top, s);
        float old = j == 0 ? 0.0f : exp2f(top - next);
        float p = exp2f(s - next);
        sum = sum * old + p;
        if (half_weights) p = __half2float(__float2half_rn(p));
        o = make_float2(o.x * old + p * v.x, o.y * old + p * v.y);
        top = next;
    }
    if (live) O[blockIdx.x * pairs + lane] = __floats2half2_rn(o.x / sum, o.y / sum);
}

#define KERNEL(name, half_weights)                                                                 \
    extern "C" __global__ void name(const __half2* Q, const __half2* K, const __half2* V, __half2* O, int M, int S, int D) { f16_online_of<half_weights>(Q, K, V, O, S, D); }

KERNEL(f16_online, false)
KERNEL(f16_online_half_weights, true)
