// Plain reference of the fused residual add, f32: s = x + r, y = rmsnorm(s) * w. One thread a row.

extern "C" __global__ void reference_residual_f32(const float* x, const float* r, const float* w, float* y, float* s,
                                                  int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
    for (int i = 0; i < H; ++i) {
        float v = x[row * H + i] + r[row * H + i];
        s[row * H + i] = v;
        sum += v * v;
    }
    float scale = rsqrtf(sum / H + eps);
    for (int i = 0; i < H; ++i)
        y[row * H + i] = s[row * H + i] * scale * w[i];
}
