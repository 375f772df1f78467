// Fault: the sum leaves out the last column.
#include <math.h>

extern "C" __global__ void block_tree_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    extern __shared__ float buffer[];
    float* row = buffer;
    float* part = buffer + H;
    int tid = threadIdx.x;
    int threads = blockDim.x;
    x += blockIdx.x * H;
    y += blockIdx.x * H;
    float top = -INFINITY;
    for (int i = tid; i < H; i += threads) {
        row[i] = x[i];
        top = fmaxf(top, row[i]);
    }
    part[tid] = top;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half) part[tid] = fmaxf(part[tid], part[tid + half]);
    }
    __syncthreads();
    top = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = tid; i < H - 1; i += threads) sum += __expf(row[i] - top);
    part[tid] = sum;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half) part[tid] += part[tid + half];
    }
    __syncthreads();
    float log_sum = __logf(part[0]);
    for (int i = tid; i < H; i += threads) y[i] = row[i] - top - log_sum;
}
