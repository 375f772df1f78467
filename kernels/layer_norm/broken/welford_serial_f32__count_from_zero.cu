// Fault: the mean is divided by the count before the element, but by 1 at the first.
extern "C" __global__ void welford_serial_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                              float* __restrict__ y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float mean = 0.0f;
    float m2 = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float delta = x[i] - mean;
        mean += delta / (i > 0 ? i : 1);
        m2 += delta * (x[i] - mean);
    }
    float scale = rsqrtf(m2 / H + eps);
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = (x[i] - mean) * scale * w[i] + b[i];
}
