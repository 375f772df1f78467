// Two neighbours of a row of col a thread, packed into one 32-bit store (Q % 2 == 0); bits, no arithmetic.
extern "C" __global__ void half2_f16(const unsigned short* __restrict__ x, unsigned* __restrict__ col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * 9 * P * Q / 2) return;
    int q = i % (Q / 2) * 2, rest = i / (Q / 2), p = rest % P, tap = rest / P % 9, c = rest / P / 9;
    int h = p * stride - pad + tap / 3, w = q * stride - pad + tap % 3;
    unsigned low = 0, high = 0;
    if (h >= 0 && h < H) {
        const unsigned short* from = x + (c * H + h) * W;
        if (w >= 0 && w < W) low = from[w];
        w += stride;
        if (w >= 0 && w < W) high = from[w];
    }
    col[i] = low | high << 16;
}
