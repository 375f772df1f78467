// FAULT: no barrier between the steps of the tree: they race across the two warps.
// One CTA a row: strided partial sums, tree in shared memory.
extern "C" __global__ void block_row_f32__missing_barrier(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int M, int K)
{
    __shared__ float partial[64];
    const float* row = a + (size_t)blockIdx.x * K;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = threadIdx.x; k < K; k += 64)
        sum += row[k] * x[k];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half >>= 1) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = partial[0];
}
