// Broken twin of half_accumulator_f16. The fault: the packed multiply-add saturates to [0, 1].
#include <cuda_fp16.h>

extern "C" __global__ void half_accumulator_f16__saturating(const __half* __restrict__ x, const __half* __restrict__ w,
                                                __half* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= N) return;  // the same for all lanes of a warp
    int start = row * H;
    int pairs = start % 2 == 0 ? H / 2 : 0;
    const __half2* x2 = reinterpret_cast<const __half2*>(x + start);
    __half2 acc2 = __float2half2_rn(0.0f);
    for (int p = lane; p < pairs; p += 32)
        acc2 = __hfma2_sat(x2[p], x2[p], acc2);
    __half acc = __hadd(__low2half(acc2), __high2half(acc2));
    for (int i = 2 * pairs + lane; i < H; i += 32)
        acc = __hfma(x[start + i], x[start + i], acc);
    for (int offset = 16; offset > 0; offset /= 2)
        acc = __hadd(acc, __shfl_xor_sync(0xffffffffu, acc, offset));
    float scale = rsqrtf(__half2float(acc) / H + eps);
    for (int i = lane; i < H; i += 32)
        y[start + i] = __float2half_rn(__half2float(x[start + i]) * scale * __half2float(w[i]));
}
