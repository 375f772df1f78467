// FAULT: a plain addition in place of atomicAdd: the slices race.
// K in slices of 16, a CTA a slice: each adds its part of every row to y (zero before the launch) with atomicAdd.
extern "C" __global__ void split_k_atomic_f32__plain_add(const float* __restrict__ a, const float* __restrict__ x, float* y, int M, int K)
{
    int first = blockIdx.x * 16;
    int last = min(first + 16, K);
    for (int row = threadIdx.x; row < M; row += blockDim.x) {
        float sum = 0.0f;
#pragma unroll 1
        for (int k = first; k < last; ++k)
            sum += a[row * K + k] * x[k];
        y[row] += sum;
    }
}
