// FAULT: the barrier between counting and adding up is missing.

extern "C" __global__ void shared_atomics_s32__missing_barrier(const int* __restrict__ x, int* __restrict__ counts,
                                                               int N, int B)
{
    __shared__ int local[64];
    for (int b = threadIdx.x; b < B; b += blockDim.x) local[b] = 0;
    __syncthreads();
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], 1);
    for (int b = threadIdx.x; b < B; b += blockDim.x)
        if (local[b] != 0) atomicAdd(&counts[b], local[b]);
}
