// FAULT: a plain store: the slices race, and the last one wins.
// Split-K: a CTA in z takes a slice of K and adds its part to C (zero before the launch) with atomicAdd.
extern "C" __global__ void split_k_atomic_f32__store_for_atomic(const float* __restrict__ a, const float* __restrict__ b, float* c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    int slice = (K + gridDim.z - 1) / gridDim.z;
    int first = blockIdx.z * slice, last = min(first + slice, K);
    float sum = 0.0f;
#pragma unroll 1
    for (int k = first; k < last; ++k)
        sum += a[row * K + k] * b[k * N + col];
    c[row * N + col] = sum;
}
