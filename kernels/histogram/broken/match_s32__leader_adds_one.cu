// FAULT: the first lane adds one.

extern "C" __global__ void match_s32__leader_adds_one(const int* __restrict__ x, int* __restrict__ counts, int N, int B)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bin = i < N ? x[i] : -1;
    unsigned same = __match_any_sync(0xffffffffu, bin);
    int lane = threadIdx.x & 31;
    if (i < N && lane == __ffs(same) - 1) atomicAdd(&counts[bin], 1);
}
