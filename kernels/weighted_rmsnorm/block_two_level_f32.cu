// f32, one CTA of 256 threads a row. Technique: two-level reduction, shuffles inside a warp, then the eight partial
// sums through shared memory and warp 0.

extern "C" __global__ void block_two_level_f32(const float* __restrict__ x, const float* __restrict__ w,
                                               float* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[8];
    int tid = threadIdx.x;
    int lane = tid % 32;
    int warp = tid / 32;
    size_t base = (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 256) {
        float v = x[base + i];
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        float part = lane < 8 ? partial[lane] : 0.0f;
        for (int offset = 4; offset > 0; offset /= 2)
            part += __shfl_down_sync(0xffffffffu, part, offset);
        if (lane == 0) partial[0] = part;
    }
    __syncthreads();
    float scale = rsqrtf(partial[0] / H + eps);
    for (int i = tid; i < H; i += 256)
        y[base + i] = x[base + i] * scale * w[i];
}
