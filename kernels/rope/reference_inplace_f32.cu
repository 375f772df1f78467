// Plain reference, float, half-split, x overwritten: one thread a pair.

extern "C" __global__ void reference_inplace_f32(float* x, const float* __restrict__ c, const float* __restrict__ s,
                                                 int S, int H, int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, head = i / P, position = head / H;
    float cs = c[position * P + j], sn = s[position * P + j];
    float a = x[head * 2 * P + j], b = x[head * 2 * P + P + j];
    x[head * 2 * P + j] = a * cs - b * sn;
    x[head * 2 * P + P + j] = b * cs + a * sn;
}
