// Plain reference, float, rows of H gates followed by H ups: one thread an element.

extern "C" __global__ void reference_packed_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H) return;
    int row = i / H, column = i % H;
    float g = x[row * 2 * H + column];
    float u = x[row * 2 * H + H + column];
    y[i] = g / (1.0f + expf(-g)) * u;
}
