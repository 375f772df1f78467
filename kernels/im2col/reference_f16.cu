// Plain reference with halves: one thread an element of col.
#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* x, __half* col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * 9 * P * Q) return;
    int q = i % Q, p = i / Q % P, s = i / (Q * P) % 3, r = i / (Q * P * 3) % 3, c = i / (Q * P * 9);
    int h = p * stride - pad + r, w = q * stride - pad + s;
    __half v = __float2half(0.0f);
    if (h >= 0 && h < H && w >= 0 && w < W) v = x[(c * H + h) * W + w];
    col[i] = v;
}
