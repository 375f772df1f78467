// Plain references, float: one thread a row.
#include <float.h>
#include <math.h>

#define ROW                                                                                        \
    int row = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    if (row >= N) return;                                                                          \
    x += row * H;

extern "C" __global__ void sum_serial(const float* x, float* y, int N, int H)
{
    ROW
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += x[i];
    y[row] = sum;
}

extern "C" __global__ void mean_serial(const float* x, float* y, int N, int H)
{
    ROW
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += x[i];
    y[row] = sum / H;
}

extern "C" __global__ void max_infinity_serial(const float* x, float* y, int N, int H)
{
    ROW
    float top = -INFINITY;
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = fmaxf(top, x[i]);
    y[row] = top;
}

extern "C" __global__ void max_lowest_serial(const float* x, float* y, int N, int H)
{
    ROW
    float top = -FLT_MAX;
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = x[i] > top ? x[i] : top;
    y[row] = top;
}

extern "C" __global__ void max_first_serial(const float* x, float* y, int N, int H)
{
    ROW
    float top = x[0];
#pragma unroll 1
    for (int i = 1; i < H; ++i) top = fmaxf(top, x[i]);
    y[row] = top;
}

extern "C" __global__ void absolute_max_serial(const float* x, float* y, int N, int H)
{
    ROW
    float top = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = fmaxf(top, fabsf(x[i]));
    y[row] = top;
}
