// FAULT: bins are counted from one.

extern "C" __global__ void global_atomics_s32__bin_shifted(const int* __restrict__ x, int* __restrict__ counts, int N,
                                                           int B)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&counts[x[i] + 1], 1);
}
