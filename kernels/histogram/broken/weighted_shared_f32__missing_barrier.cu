// FAULT: the barrier after clearing is missing.

extern "C" __global__ void weighted_shared_f32__missing_barrier(const int* __restrict__ x,
                                                                const float* __restrict__ w, float* __restrict__ sums,
                                                                int N, int B)
{
    __shared__ float local[64];
    for (int b = threadIdx.x; b < B; b += blockDim.x) local[b] = 0.0f;
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], w[i]);
    __syncthreads();
    for (int b = threadIdx.x; b < B; b += blockDim.x) atomicAdd(&sums[b], local[b]);
}
