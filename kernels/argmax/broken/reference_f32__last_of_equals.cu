// Fault: >= keeps the highest index of equal maxima.
#include <float.h>
#include <math.h>

__device__ void forward(const float* x, float* value, int* index, int N, int H, float start, bool from_first)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float best = from_first ? x[0] : start;
    int at = 0;
#pragma unroll 1
    for (int i = from_first ? 1 : 0; i < H; ++i) {
        if (x[i] >= best) {
            best = x[i];
            at = i;
        }
    }
    value[row] = best;
    index[row] = at;
}

#define PARAMETERS const float *x, float *value, int *index, int N, int H

extern "C" __global__ void from_first(PARAMETERS) { forward(x, value, index, N, H, 0.0f, true); }
extern "C" __global__ void from_infinity(PARAMETERS) { forward(x, value, index, N, H, -INFINITY, false); }
extern "C" __global__ void from_lowest(PARAMETERS) { forward(x, value, index, N, H, -FLT_MAX, false); }

extern "C" __global__ void backward(PARAMETERS)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float best = x[H - 1];
    int at = H - 1;
#pragma unroll 1
    for (int i = H - 2; i >= 0; --i) {
        float v = x[i];
        at = v >= best ? i : at;
        best = fmaxf(v, best);
    }
    value[row] = best;
    index[row] = at;
}
