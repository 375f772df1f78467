// Broken twin of inplace_f32. The fault: the second pass reads the element at the mirrored place.

extern "C" __global__ void inplace_f32__reads_mirrored(float* x, const float* w, int N, int H, float eps)
{
    __shared__ float partial[4];
    int tid = threadIdx.x;
    float* xr = x + (size_t)blockIdx.x * H;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 128)
        sum += xr[i] * xr[i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = partial[0] + partial[1] + partial[2] + partial[3];
    float scale = rsqrtf(total / H + eps);
    for (int i = tid; i < H; i += 128)
        xr[i] = xr[H - 1 - i] * scale * w[i];
}
