// FAULT: a load, an addition and a store, not an atomic addition.

extern "C" __global__ void global_atomics_s32__not_atomic(const int* __restrict__ x, int* __restrict__ counts, int N,
                                                          int B)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) counts[x[i]] += 1;
}
