// Fault: the label's class gets 1 - s only.
#include <float.h>
#include <math.h>

extern "C" __global__ void smoothing_serial(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ loss,
                                            int N, int V, float s)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * V;
    float top = x[0];
#pragma unroll 1
    for (int i = 1; i < V; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) sum += __expf(x[i] - top);
    float log_sum = __logf(sum) + top;
    float all = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) all += log_sum - x[i];
    loss[row] = (1.0f - s) * (log_sum - x[label[row]]) + s * (all / V);
}

extern "C" __global__ void smoothing_warp(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ loss,
                                          int N, int V, float s)
{
    int lane = threadIdx.x;
    int row = blockIdx.x;
    x += row * V;
    int target = label[row];
    float each = s / V;
    float top = x[0];
#pragma unroll 1
    for (int i = lane; i < V; i += 32) top = fmaxf(top, x[i]);
    for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, offset));
    float sum = 0.0f;
    float weighted = 0.0f;
#pragma unroll 1
    for (int i = lane; i < V; i += 32) {
        float v = x[i] - top;
        sum += __expf(v);
        weighted += v * (i == target ? 1.0f - s : each);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        weighted += __shfl_xor_sync(0xffffffffu, weighted, offset);
    }
    if (lane == 0) loss[row] = __logf(sum) - weighted;
}
