// Plain reference, float, exclusive: one thread a row, one element after another.

extern "C" __global__ void reference_exclusive_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        y[row * H + i] = sum;
        sum += x[row * H + i];
    }
}
