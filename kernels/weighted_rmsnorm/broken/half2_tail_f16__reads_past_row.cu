// Broken twin of half2_tail_f16. The fault: the sum rounds the number of pairs up.
#include <cuda_fp16.h>

extern "C" __global__ void half2_tail_f16__reads_past_row(const __half* __restrict__ x, const __half* __restrict__ w,
                                          __half* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[2];
    int tid = threadIdx.x;
    int start = blockIdx.x * H;
    int pairs = start % 2 == 0 ? H / 2 : 0;
    const __half* xr = x + start;
    __half* yr = y + start;
    const __half2* x2 = reinterpret_cast<const __half2*>(xr);
    const __half2* w2 = reinterpret_cast<const __half2*>(w);
    __half2* y2 = reinterpret_cast<__half2*>(yr);

    float sum = 0.0f;
    int rounded = start % 2 == 0 ? (H + 1) / 2 : 0;
    for (int p = tid; p < rounded; p += 64) {
        float2 v = __half22float2(x2[p]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int i = 2 * rounded + tid; i < H; i += 64) {
        float v = __half2float(xr[i]);
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float scale = rsqrtf((partial[0] + partial[1]) / H + eps);

    for (int p = tid; p < pairs; p += 64) {
        float2 v = __half22float2(x2[p]);
        float2 g = __half22float2(w2[p]);
        y2[p] = __floats2half2_rn(v.x * scale * g.x, v.y * scale * g.y);
    }
    for (int i = 2 * pairs + tid; i < H; i += 64)
        yr[i] = __float2half_rn(__half2float(xr[i]) * scale * __half2float(w[i]));
}
