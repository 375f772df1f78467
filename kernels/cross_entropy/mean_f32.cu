// float, the mean over all rows that are not ignored (label -1), loss[0] = sum / count. Entries: mean_serial, one thread
// for everything; mean_block, a warp a row of a single CTA, sum and count in shared memory; the label's row is skipped by
// a branch that all lanes of a warp take.
#include <math.h>

extern "C" __global__ void mean_serial(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ loss, int N, int V)
{
    if (threadIdx.x != 0) return;
    float total = 0.0f;
    int count = 0;
#pragma unroll 1
    for (int row = 0; row < N; ++row) {
        if (label[row] < 0) continue;
        float top = x[row * V];
#pragma unroll 1
        for (int i = 1; i < V; ++i) top = fmaxf(top, x[row * V + i]);
        float sum = 0.0f;
#pragma unroll 1
        for (int i = 0; i < V; ++i) sum += __expf(x[row * V + i] - top);
        total += __logf(sum) + top - x[row * V + label[row]];
        ++count;
    }
    loss[0] = count > 0 ? total / count : 0.0f;
}

extern "C" __global__ void mean_block(const float* __restrict__ x, const int* __restrict__ label, float* __restrict__ loss, int N, int V)
{
    __shared__ float totals[4];
    __shared__ int counts[4];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float total = 0.0f;
    int count = 0;
#pragma unroll 1
    for (int row = warp; row < N; row += 4) {
        int target = label[row];
        if (target < 0) continue;
        const float* r = x + row * V;
        float top = r[0];
#pragma unroll 1
        for (int i = lane; i < V; i += 32) top = fmaxf(top, r[i]);
        for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, offset));
        float sum = 0.0f;
#pragma unroll 1
        for (int i = lane; i < V; i += 32) sum += __expf(r[i] - top);
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        total += __logf(sum) + top - r[target];
        ++count;
    }
    if (lane == 0) {
        totals[warp] = total;
        counts[warp] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        total = totals[0] + totals[1] + totals[2] + totals[3];
        count = counts[0] + counts[1] + counts[2] + counts[3];
        loss[0] = count > 0 ? __fdividef(total, count) : 0.0f;
    }
}
