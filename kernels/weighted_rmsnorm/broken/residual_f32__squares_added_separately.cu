// Broken twin of residual_f32. The fault: x*x + r*r stands for (x + r) squared.

extern "C" __global__ void residual_f32__squares_added_separately(const float* __restrict__ x, const float* __restrict__ r,
                                        const float* __restrict__ w, float* __restrict__ y, float* __restrict__ s,
                                        int N, int H, float eps)
{
    __shared__ float partial[8];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 256) {
        float v = x[base + i] + r[base + i];
        s[base + i] = v;
        sum += x[base + i] * x[base + i] + r[base + i] * r[base + i];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < 8; ++k)
        total += partial[k];
    float scale = rsqrtf(total / H + eps);
    for (int i = tid; i < H; i += 256)
        y[base + i] = s[base + i] * scale * w[i];
}
