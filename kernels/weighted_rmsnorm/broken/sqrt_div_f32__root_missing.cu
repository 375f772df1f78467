// Broken twin of sqrt_div_f32. The fault: the mean square itself is the divisor.

extern "C" __global__ void sqrt_div_f32__root_missing(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                        int N, int H, float eps)
{
    int lane = threadIdx.x;
    const float* xr = x + (size_t)blockIdx.x * H;
    float* yr = y + (size_t)blockIdx.x * H;
    float width = (float)H;
    float mean = 0.0f;
    for (int i = lane; i < H; i += 32)
        mean += xr[i] * xr[i] / width;
    for (int offset = 16; offset > 0; offset /= 2)
        mean += __shfl_xor_sync(0xffffffffu, mean, offset);
    float root = (mean + eps);
    for (int i = lane; i < H; i += 32)
        yr[i] = w[i] * (xr[i] / root);
}
