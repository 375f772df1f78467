// FAULT: every lane adds the number of lanes.

extern "C" __global__ void match_s32__every_lane_adds(const int* __restrict__ x, int* __restrict__ counts, int N, int B)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bin = i < N ? x[i] : -1;
    unsigned same = __match_any_sync(0xffffffffu, bin);
    int lane = threadIdx.x & 31;
    if (i < N) atomicAdd(&counts[bin], __popc(same));
}
