// FAULT: the last token of a tile is not copied.

extern "C" __global__ void warp_ids_f32__one_token_short(const float* __restrict__ table, const int* __restrict__ ids,
                                                         float* __restrict__ y, int T, int H)
{
    int lane = threadIdx.x, first = blockIdx.x * 32;
    int mine = first + lane < T ? ids[first + lane] : 0;
    int tokens = min(32, T - first);
#pragma unroll 1
    for (int t = 0; t < tokens - 1; ++t) {
        int id = __shfl_sync(0xffffffffu, mine, t);
#pragma unroll 1
        for (int i = lane; i < H; i += 32) y[(first + t) * H + i] = table[id * H + i];
    }
}
