// f32. Technique: a CTA a token, the index read once a thread, 64-bit row addresses.

extern "C" __global__ void row_f32(const float* __restrict__ table, const int* __restrict__ ids,
                                   float* __restrict__ y, int T, int H)
{
    const float* row = table + (size_t)ids[blockIdx.x] * H;
    float* out = y + (size_t)blockIdx.x * H;
#pragma unroll 2
    for (int i = threadIdx.x; i < H; i += blockDim.x) out[i] = row[i];
}
