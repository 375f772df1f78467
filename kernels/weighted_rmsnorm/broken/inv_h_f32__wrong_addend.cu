// Broken twin of inv_h_f32. The fault: the multiply-add takes inv_h for its addend.

extern "C" __global__ void inv_h_f32__wrong_addend(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                     int N, int H, float eps, float inv_h)
{
    __shared__ float partial[4];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 128) {
        float v = x[base + i];
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = partial[0] + partial[1] + partial[2] + partial[3];
    float scale = rsqrtf(fmaf(total, inv_h, inv_h));
    for (int i = tid; i < H; i += 128)
        y[base + i] = x[base + i] * scale * w[i];
}
