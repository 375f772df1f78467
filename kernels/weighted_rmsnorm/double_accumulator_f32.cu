// f32, one warp a row, two rows a CTA. Technique: binary64 accumulator, shuffles of doubles in two halves, binary64
// root and division.

extern "C" __global__ void double_accumulator_f32(const float* __restrict__ x, const float* __restrict__ w,
                                                  float* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;  // the same for all lanes of a warp
    size_t base = (size_t)row * H;
    double sum = 0.0;
    for (int i = lane; i < H; i += 32) {
        double v = x[base + i];
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    double root = sqrt(sum / H + (double)eps);
    for (int i = lane; i < H; i += 32)
        y[base + i] = (float)((double)x[base + i] / root * (double)w[i]);
}
