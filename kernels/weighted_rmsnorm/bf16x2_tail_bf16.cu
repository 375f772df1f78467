// bf16, one warp a row, two rows a CTA of 64 threads. Technique: bf16x2 loads and stores with a scalar tail; a row
// that starts off a 4-byte boundary takes the scalar loop.
#include <cuda_bf16.h>

extern "C" __global__ void bf16x2_tail_bf16(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ w,
                                            __nv_bfloat16* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= N) return;  // the same for all lanes of a warp
    int start = row * H;
    int pairs = start % 2 == 0 ? H / 2 : 0;
    const __nv_bfloat162* x2 = reinterpret_cast<const __nv_bfloat162*>(x + start);
    const __nv_bfloat162* w2 = reinterpret_cast<const __nv_bfloat162*>(w);
    __nv_bfloat162* y2 = reinterpret_cast<__nv_bfloat162*>(y + start);

    float sum = 0.0f;
    for (int p = lane; p < pairs; p += 32) {
        float2 v = __bfloat1622float2(x2[p]);
        sum += v.x * v.x;
        sum += v.y * v.y;
    }
    for (int i = 2 * pairs + lane; i < H; i += 32) {
        float v = __bfloat162float(x[start + i]);
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float scale = rsqrtf(sum / H + eps);

    for (int p = lane; p < pairs; p += 32) {
        float2 v = __bfloat1622float2(x2[p]);
        float2 g = __bfloat1622float2(w2[p]);
        y2[p] = __floats2bfloat162_rn(v.x * scale * g.x, v.y * scale * g.y);
    }
    for (int i = 2 * pairs + lane; i < H; i += 32)
        y[start + i] = __float2bfloat16_rn(__bfloat162float(x[start + i]) * scale * __bfloat162float(w[i]));
}
