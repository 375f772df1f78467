// FAULT: patches start one column too late.
// As a matrix product on tensor cores (mma.sync m16n8k16): 16 output channels by 8 pixels a warp, the fragments gathered straight from w and x.
#include <cuda_fp16.h>

extern "C" __global__ void implicit_mma_f16__padding_off_by_one(const __half* __restrict__ x, const __half* __restrict__ w, const __half* __restrict__ bias, __half* __restrict__ y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    int lane = threadIdx.x, group = lane >> 2, pair = (lane & 3) * 2, taps = C * 9;
    int pixel = blockIdx.x * 8 + group, first = blockIdx.y * 16;
    int top = pixel / Q * stride - pad, left = pixel % Q * stride - pad + 1;
    auto weights = [&](int o, int k) {
        __half2 v = __halves2half2(o < O && k < taps ? w[o * taps + k] : __half(0.0f), o < O && k + 1 < taps ? w[o * taps + k + 1] : __half(0.0f));
        return *reinterpret_cast<unsigned*>(&v);
    };
    auto one = [&](int k) {
        int row = top + k % 9 / 3, col = left + k % 3;
        bool inside = k < taps && pixel < P * Q && row >= 0 && row < H && col >= 0 && col < W;
        return inside ? x[(k / 9 * H + row) * W + col] : __half(0.0f);
    };
    auto inputs = [&](int k) {
        __half2 v = __halves2half2(one(k), one(k + 1));
        return *reinterpret_cast<unsigned*>(&v);
    };
    float d[4] = {};
#pragma unroll 1
    for (int k = pair; k - pair < taps; k += 16) {
        unsigned p0 = weights(first + group, k), p1 = weights(first + group + 8, k);
        unsigned p2 = weights(first + group, k + 8), p3 = weights(first + group + 8, k + 8);
        unsigned q0 = inputs(k), q1 = inputs(k + 8);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(p0), "r"(p1), "r"(p2), "r"(p3), "r"(q0), "r"(q1));
    }
    for (int i = 0; i < 4; ++i) {
        int o = first + group + (i >> 1) * 8, out = blockIdx.x * 8 + pair + (i & 1);
        if (o < O && out < P * Q) y[o * P * Q + out] = __float2half(d[i] + __half2float(bias[o]));
    }
}
