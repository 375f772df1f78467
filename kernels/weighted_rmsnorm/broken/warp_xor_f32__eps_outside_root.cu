// Broken twin of warp_xor_f32. The fault: eps is added to the reciprocal root instead of under it.

extern "C" __global__ void warp_xor_f32__eps_outside_root(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                        int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= N) return;  // the same for all lanes of a warp
    const float* xr = x + (size_t)row * H;
    float* yr = y + (size_t)row * H;
    float sum = 0.0f;
    for (int i = lane; i < H; i += 32) {
        float v = xr[i];
        sum += v * v;
    }
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float scale = rsqrtf(sum / H) + eps;
    for (int i = lane; i < H; i += 32)
        yr[i] = xr[i] * scale * w[i];
}
