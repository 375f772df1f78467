// Bytes that are data. Technique: atomic additions in shared memory.

extern "C" __global__ void bytes_atomics_s32(const unsigned char* __restrict__ x, int* __restrict__ counts, int N)
{
    __shared__ int local[8];
    if (threadIdx.x < 8) local[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < N; i += blockDim.x) atomicAdd(&local[x[i] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8) counts[threadIdx.x] = local[threadIdx.x];
}
