// f32. Technique: a grid-stride loop in the order of y, so that stores are coalesced.

extern "C" __global__ void write_order_f32(const float* __restrict__ x, float* __restrict__ y, int M, int N)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += gridDim.x * blockDim.x) y[i] = x[i % M * N + i / M];
}
