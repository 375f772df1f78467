// Fault: the low half of the label's pair, whichever it is.
#include <cuda_fp16.h>
#include <math.h>

extern "C" __global__ void int64_serial(const __half* __restrict__ x, const long long* __restrict__ label, float* __restrict__ loss, int N, int V)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * V;
    float top = __half2float(x[0]);
#pragma unroll 1
    for (int i = 1; i < V; ++i) top = fmaxf(top, __half2float(x[i]));
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < V; ++i) sum += expf(__half2float(x[i]) - top);
    loss[row] = logf(sum) + top - __half2float(x[label[row]]);
}

extern "C" __global__ void int64_half2(const __half2* __restrict__ x, const long long* __restrict__ label, float* __restrict__ loss, int N, int V)
{
    int pairs = V / 2;
    x += blockIdx.x * pairs;
    float top = __low2float(x[0]);
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) top = fmaxf(top, fmaxf(__low2float(x[p]), __high2float(x[p])));
    for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, offset));
    float sum = 0.0f;
#pragma unroll 1
    for (int p = threadIdx.x; p < pairs; p += 32) sum += __expf(__low2float(x[p]) - top) + __expf(__high2float(x[p]) - top);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) {
        long long target = label[blockIdx.x];
        float2 pair = __half22float2(x[target / 2]);
        loss[blockIdx.x] = __logf(sum) + top - (pair.x);
    }
}
