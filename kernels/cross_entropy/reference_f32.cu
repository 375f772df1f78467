// Plain references, float: one thread a row of logits. loss[n] = log(sum exp(x - m)) + m - x[label]; the maximum starts at
// minus infinity, at -FLT_MAX or at the first element; naive_* have none.
#include "variants.cuh"

template <class Math>
__device__ void row_loss(const float* x, const int* label, float* loss, int N, int V, float start, bool from_first)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * V;
    float top = from_first ? x[0] : start;
#pragma unroll 1
    for (int i = 0; i < V; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) sum += Math::exp(x[i], top);
    loss[row] = Math::log(sum) + top - x[label[row]];
}

template <class Math>
__device__ void naive(const float* x, const int* label, float* loss, int N, int V)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * V;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) sum += Math::exp(x[i], 0.0f);
    loss[row] = -Math::log(Math::exp(x[label[row]], 0.0f) / sum);
}

#define PARAMETERS const float *x, const int *label, float *loss, int N, int V
#define KERNEL(name, Math, start, from_first)                                                      \
    extern "C" __global__ void name(PARAMETERS) { row_loss<Math>(x, label, loss, N, V, start, from_first); }
#define NAIVE(name, Math)                                                                          \
    extern "C" __global__ void name(PARAMETERS) { naive<Math>(x, label, loss, N, V); }

NAIVE(naive_precise, Precise)
NAIVE(naive_fast, Fast)
KERNEL(max_infinity_precise, Precise, -INFINITY, false)
KERNEL(max_infinity_fast, Fast, -INFINITY, false)
KERNEL(max_lowest_fast, Fast, -FLT_MAX, false)
KERNEL(max_first_precise, Precise, 0.0f, true)
KERNEL(max_first_fast, Fast, 0.0f, true)
