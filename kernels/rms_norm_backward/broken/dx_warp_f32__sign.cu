// Fault: the second term is added.
extern "C" __global__ void dx_warp_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ dy,
                                       float* __restrict__ dx, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;
    x += row * H;
    dy += row * H;
    dx += row * H;
    float squares = 0.0f;
    float dot = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
        squares += x[i] * x[i];
        dot += x[i] * (w[i] * dy[i]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
        dot += __shfl_xor_sync(0xffffffffu, dot, offset);
    }
    float r = rsqrtf(squares / H + eps);
    float mean = dot * r / H;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
        float xn = x[i] * r;
        dx[i] = r * (w[i] * dy[i] + xn * mean);
    }
}
