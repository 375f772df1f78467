// FAULT: the last tile is summed over all its 32 columns: A is read in the next row and past its end.
// One thread a row; x goes through shared memory in tiles of 32 that the whole CTA loads. Rows past M only help to load.
extern "C" __global__ void x_shared_f32__edge_not_cut(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int M, int K)
{
    __shared__ float tile[32];
    int row = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int base = 0; base < K; base += 32) {
        int k = base + threadIdx.x;
        tile[threadIdx.x] = k < K ? x[k] : 0.0f;
        __syncthreads();
        int count = 32;
        if (row < M) {
#pragma unroll 1
            for (int j = 0; j < count; ++j)
                sum += a[(size_t)row * K + base + j] * tile[j];
        }
        __syncthreads();
    }
    if (row < M) y[row] = sum;
}
