// Plain references of a 3 x 3 convolution (cross-correlation) with bias: y [O, P, Q] of x [C, H, W], w [O, C, 3, 3], zero padding; one thread
// an output. The second one in halves, with a binary32 accumulator.
#include <cuda_fp16.h>

extern "C" __global__ void reference_f32(const float* x, const float* w, const float* bias, float* y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= O * P * Q) return;
    int q = i % Q, p = i / Q % P, o = i / (Q * P);
    float sum = bias[o];
#pragma unroll 1
    for (int c = 0; c < C; ++c)
#pragma unroll 1
        for (int r = 0; r < 3; ++r)
#pragma unroll 1
            for (int s = 0; s < 3; ++s) {
                int row = p * stride - pad + r, col = q * stride - pad + s;
                if (row >= 0 && row < H && col >= 0 && col < W)
                    sum += x[(c * H + row) * W + col] * w[((o * C + c) * 3 + r) * 3 + s];
            }
    y[i] = sum;
}

extern "C" __global__ void reference_f16(const __half* x, const __half* w, const __half* bias, __half* y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= O * P * Q) return;
    int q = i % Q, p = i / Q % P, o = i / (Q * P);
    float sum = __half2float(bias[o]);
#pragma unroll 1
    for (int c = 0; c < C; ++c)
#pragma unroll 1
        for (int r = 0; r < 3; ++r)
#pragma unroll 1
            for (int s = 0; s < 3; ++s) {
                int row = p * stride - pad + r, col = q * stride - pad + s;
                if (row >= 0 && row < H && col >= 0 && col < W)
                    sum += __half2float(x[(c * H + row) * W + col]) * __half2float(w[((o * C + c) * 3 + r) * 3 + s]);
            }
    y[i] = __float2half(sum);
}
