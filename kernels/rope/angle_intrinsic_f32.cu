// f32, half-split, angles from a table of frequencies. Technique: __sinf and __cosf.

extern "C" __global__ void angle_intrinsic_f32(const float* __restrict__ x, const float* __restrict__ f,
                                               float* __restrict__ y, int S, int H, int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, head = i / P, position = head / H;
    float angle = position * f[j];
    float cs = __cosf(angle), sn = __sinf(angle);
    float a = x[head * 2 * P + j], b = x[head * 2 * P + P + j];
    y[head * 2 * P + j] = a * cs - b * sn;
    y[head * 2 * P + P + j] = a * sn + b * cs;
}
