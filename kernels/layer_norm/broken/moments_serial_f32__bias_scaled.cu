// Fault: the bias is multiplied by the weight.
extern "C" __global__ void moments_serial_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                              float* __restrict__ y, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 2
    for (int i = 0; i < H; ++i) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    float mean = sum / H;
    float scale = rsqrtf(squares / H - mean * mean + eps);
    float shift = -mean * scale;
#pragma unroll 2
    for (int i = 0; i < H; ++i) y[i] = (x[i] * scale + shift + b[i]) * w[i];
}
