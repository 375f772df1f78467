// Fault: r^2 for r.
extern "C" __global__ void dw_atomic_f32(const float* __restrict__ x, const float* __restrict__ dy, float* dw, int N, int H, float eps)
{
    int lane = threadIdx.x;
    x += blockIdx.x * H;
    dy += blockIdx.x * H;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) squares += x[i] * x[i];
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    float r = rsqrtf(squares / H + eps);
#pragma unroll 1
    for (int i = lane; i < H; i += 32) atomicAdd(&dw[i], dy[i] * x[i] * r * r);
}
