// FAULT: the exponent is divided by 2 P, not by P.

extern "C" __global__ void base_exp2_f32__divided_by_width(const float* __restrict__ x, float* __restrict__ y, int S,
                                                           int H, int P)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= S * H * P) return;
    int j = i % P, head = i / P, position = head / H;
    float angle = position * exp2f(-13.2877124f * j / (2 * P));
    float cs = __cosf(angle), sn = __sinf(angle);
    float a = x[head * 2 * P + j], b = x[head * 2 * P + P + j];
    y[head * 2 * P + j] = a * cs - b * sn;
    y[head * 2 * P + P + j] = a * sn + b * cs;
}
