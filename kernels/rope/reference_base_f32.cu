// Plain reference, float, half-split, frequencies 10000^(-j/P) by powf: one thread a pair.

extern "C" __global__ void reference_base_f32(const float* __restrict__ x, float* __restrict__ y, int S, int H, int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, head = i / P, position = head / H;
    float angle = position * powf(10000.0f, -(float)j / P);
    float cs = __cosf(angle), sn = __sinf(angle);
    float a = x[head * 2 * P + j], b = x[head * 2 * P + P + j];
    y[head * 2 * P + j] = a * cs - b * sn;
    y[head * 2 * P + P + j] = a * sn + b * cs;
}
