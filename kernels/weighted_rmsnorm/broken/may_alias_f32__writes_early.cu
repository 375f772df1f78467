// Broken twin of may_alias_f32. The fault: the first pass already stores x * w in y.

extern "C" __global__ void may_alias_f32__writes_early(const float* x, const float* w, float* y, int N, int H, float eps)
{
    __shared__ float partial[64];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 64)
    {
        sum += x[base + i] * x[base + i];
        y[base + i] = x[base + i] * w[i];
    }
    partial[tid] = sum;
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < 64; ++k)
        total += partial[k];
    float scale = rsqrtf(total / H + eps);
    for (int i = tid; i < H; i += 64)
        y[base + i] = x[base + i] * scale * w[i];
}
