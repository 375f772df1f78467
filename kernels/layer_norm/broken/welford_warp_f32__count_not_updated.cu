// Fault: the count stays that of the lane's own columns.
extern "C" __global__ void welford_warp_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                            float* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float count = 0.0f;
    float mean = 0.0f;
    float m2 = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
        count += 1.0f;
        float delta = x[i] - mean;
        mean += delta / count;
        m2 += delta * (x[i] - mean);
    }
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        float other_count = __shfl_xor_sync(0xffffffffu, count, offset);
        float other_mean = __shfl_xor_sync(0xffffffffu, mean, offset);
        float other_m2 = __shfl_xor_sync(0xffffffffu, m2, offset);
        float total = count + other_count;
        float share = total > 0.0f ? other_count / total : 0.0f;
        float delta = other_mean - mean;
        mean += delta * share;
        m2 += other_m2 + delta * delta * count * share;
    }
    float scale = rsqrtf(m2 / H + eps);
#pragma unroll 1
    for (int i = lane; i < H; i += 32) y[i] = (x[i] - mean) * scale * w[i] + b[i];
}
