// Plain reference, float: one thread a row, two sequential passes, binary32 accumulator.
// No __restrict__: the same pointer may be passed for x and y (in-place contracts do).

extern "C" __global__ void reference_f32(const float* x, const float* w, float* y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = x[row * H + i];
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * H + i] = x[row * H + i] * scale * w[i];
}
