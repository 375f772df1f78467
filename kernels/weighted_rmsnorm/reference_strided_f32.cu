// Plain reference for rows with a pitch, f32: one thread a row; consecutive rows are `pitch` elements apart.

extern "C" __global__ void reference_strided_f32(const float* x, const float* w, float* y, int N, int H, int pitch,
                                                 float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = x[row * pitch + i];
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * pitch + i] = x[row * pitch + i] * scale * w[i];
}
