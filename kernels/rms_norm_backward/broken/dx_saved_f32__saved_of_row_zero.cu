// Fault: every row takes the first row's r.
extern "C" __global__ void dx_saved_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ dy,
                                        const float* __restrict__ r, float* __restrict__ dx, int N, int H)
{
    int lane = threadIdx.x;
    int row = blockIdx.x;
    float scale = r[0];
    float dot = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) dot += (x[row * H + i] * scale) * (w[i] * dy[row * H + i]);
    for (int offset = 16; offset > 0; offset /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, offset);
    float share = -dot * scale * scale / H;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) dx[row * H + i] = fmaf(share, x[row * H + i], scale * w[i] * dy[row * H + i]);
}
