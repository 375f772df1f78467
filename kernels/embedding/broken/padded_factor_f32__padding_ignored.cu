// FAULT: the row of padding is taken as any other.

extern "C" __global__ void padded_factor_f32__padding_ignored(const float* __restrict__ table,
                                                              const int* __restrict__ ids, float* __restrict__ y,
                                             int T, int H, float scale)
{
    int id = ids[blockIdx.x];
    float factor = scale;
    for (int i = threadIdx.x; i < H; i += blockDim.x) y[blockIdx.x * H + i] = table[id * H + i] * factor;
}
