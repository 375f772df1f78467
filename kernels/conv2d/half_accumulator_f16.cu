// f16 against f32 accumulation: one thread two output channels of a pixel in one __half2 (O even), sums in binary16; w is read twice as often.
#include <cuda_fp16.h>

extern "C" __global__ void half_accumulator_f16(const __half* __restrict__ x, const __half* __restrict__ w, const __half* __restrict__ bias, __half* __restrict__ y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y * 2;
    if (i >= P * Q) return;
    int top = i / Q * stride - pad, left = i % Q * stride - pad;
    __half2 sum = __halves2half2(bias[o], bias[o + 1]);
#pragma unroll 1
    for (int k = 0; k < C * 9; ++k) {
        int row = top + k % 9 / 3, col = left + k % 3;
        bool inside = row >= 0 && row < H && col >= 0 && col < W;
        __half v = inside ? x[(k / 9 * H + row) * W + col] : __half(0.0f);
        sum = __hfma2(__half2half2(v), __halves2half2(w[o * C * 9 + k], w[(o + 1) * C * 9 + k]), sum);
    }
    y[o * P * Q + i] = __low2half(sum);
    y[(o + 1) * P * Q + i] = __high2half(sum);
}
