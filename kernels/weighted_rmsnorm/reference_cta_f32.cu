// Second plain reference, f32: one CTA of 128 threads a row, shared-memory tree, a barrier after every step.

extern "C" __global__ void reference_cta_f32(const float* x, const float* w, float* y, int N, int H, float eps)
{
    __shared__ float part[128];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int i = tid; i < H; i += 128) {
        float v = x[row * H + i];
        sum += v * v;
    }
    part[tid] = sum;
    __syncthreads();
    for (int width = 64; width > 0; width /= 2) {
        if (tid < width) part[tid] += part[tid + width];
        __syncthreads();
    }
    float scale = rsqrtf(part[0] / H + eps);
    for (int i = tid; i < H; i += 128)
        y[row * H + i] = x[row * H + i] * scale * w[i];
}
