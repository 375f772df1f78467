// FAULT: every CTA stores its sums over those of the others.

extern "C" __global__ void weighted_shared_f32__stored_not_added(const int* __restrict__ x,
                                                                 const float* __restrict__ w,
                                                                 float* __restrict__ sums, int N, int B)
{
    __shared__ float local[64];
    for (int b = threadIdx.x; b < B; b += blockDim.x) local[b] = 0.0f;
    __syncthreads();
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], w[i]);
    __syncthreads();
    for (int b = threadIdx.x; b < B; b += blockDim.x) sums[b] = local[b];
}
