// FAULT: the bins of the last warp are not added.

extern "C" __global__ void warp_private_s32__last_warp_dropped(const int* __restrict__ x, int* __restrict__ counts,
                                                               int N, int B)
{
    extern __shared__ int bins[];
    int warps = blockDim.x / 32;
    int* mine = bins + threadIdx.x / 32 * B;
    for (int b = threadIdx.x; b < warps * B; b += blockDim.x) bins[b] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < N; i += blockDim.x) atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < B; b += blockDim.x) {
        int count = 0;
#pragma unroll 1
        for (int w = 0; w < warps - 1; ++w) count += bins[w * B + b];
        counts[b] = count;
    }
}
