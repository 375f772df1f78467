// f32, one CTA of 64 threads a row; y may be the same buffer as x. Technique: no __restrict__, plain global loads,
// all reads of a row's sum before the barrier, all writes after it.

extern "C" __global__ void may_alias_f32(const float* x, const float* w, float* y, int N, int H, float eps)
{
    __shared__ float partial[64];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 64)
        sum += x[base + i] * x[base + i];
    partial[tid] = sum;
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < 64; ++k)
        total += partial[k];
    float scale = rsqrtf(total / H + eps);
    for (int i = tid; i < H; i += 64)
        y[base + i] = x[base + i] * scale * w[i];
}
