// Fault: the label's share is added.
#include <math.h>

extern "C" __global__ void backward_serial(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ dx, int N, int V)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * V;
    dx += row * V;
    float top = x[0];
#pragma unroll 1
    for (int i = 1; i < V; ++i) top = fmaxf(top, x[i]);
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) sum += __expf(x[i] - top);
#pragma unroll 1
    for (int i = 0; i < V; ++i) dx[i] = (__expf(x[i] - top) / sum - (i == label[row] ? 1.0f : 0.0f)) / N;
}

extern "C" __global__ void backward_block(const float* __restrict__ x, const int* __restrict__ label, float* dx, int N, int V)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    x += blockIdx.x * V;
    dx += blockIdx.x * V;
    float top = x[0];
#pragma unroll 1
    for (int i = tid; i < V; i += 64) top = fmaxf(top, x[i]);
    part[tid] = top;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) part[tid] = fmaxf(part[tid], part[tid + half]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 1
    for (int i = tid; i < V; i += 64) sum += __expf(x[i] - top);
    part[tid] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) part[tid] += part[tid + half];
        __syncthreads();
    }
    float scale = 1.0f / (part[0] * N);
#pragma unroll 1
    for (int i = tid; i < V; i += 64) dx[i] = __expf(x[i] - top) * scale;
    __syncthreads();
    if (tid == 0) dx[label[blockIdx.x]] += 1.0f / N;
}
