// Plain reference, float, element 2j is rotated with 2j + 1, tables given: one thread a pair.

extern "C" __global__ void reference_interleaved_f32(const float* __restrict__ x, const float* __restrict__ c,
                                                     const float* __restrict__ s, float* __restrict__ y, int S, int H,
                                                     int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, head = i / P, position = head / H;
    float cs = c[position * P + j], sn = s[position * P + j];
    float a = x[head * 2 * P + 2 * j], b = x[head * 2 * P + 2 * j + 1];
    y[head * 2 * P + 2 * j] = a * cs - b * sn;
    y[head * 2 * P + 2 * j + 1] = a * sn + b * cs;
}
