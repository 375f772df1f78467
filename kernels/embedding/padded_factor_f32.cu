// f32, padding. Technique: a CTA a token, the scale is zero for padding, the row is read all the same.

extern "C" __global__ void padded_factor_f32(const float* __restrict__ table, const int* __restrict__ ids,
                                             float* __restrict__ y,
                                             int T, int H, float scale)
{
    int id = ids[blockIdx.x];
    float factor = id > 0 ? scale : 0.0f;
    for (int i = threadIdx.x; i < H; i += blockDim.x) y[blockIdx.x * H + i] = table[id * H + i] * factor;
}
