// Plain reference: patches of 3 x 3 of x [C, H, W] as columns, col [C * 9, P * Q], one thread an element of col. Padding is zero.
extern "C" __global__ void reference_f32(const float* x, float* col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * 9 * P * Q) return;
    int q = i % Q, p = i / Q % P, s = i / (Q * P) % 3, r = i / (Q * P * 3) % 3, c = i / (Q * P * 9);
    int h = p * stride - pad + r, w = q * stride - pad + s;
    float v = 0.0f;
    if (h >= 0 && h < H && w >= 0 && w < W) v = x[(c * H + h) * W + w];
    col[i] = v;
}
