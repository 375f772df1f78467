// Broken twin of chunked_rows_f16. The fault: each chunk takes one row of the next along.
#include <cuda_fp16.h>

extern "C" __global__ void chunked_rows_f16__chunks_overlap(const __half* __restrict__ x, const __half* __restrict__ w,
                                            __half* __restrict__ y, int N, int H, float eps)
{
    int lane = threadIdx.x % 32;
    int chunk = (N + (int)gridDim.x - 1) / (int)gridDim.x;
    int first = blockIdx.x * chunk;
    int last = min(first + chunk + 1, N);
    for (int row = first + threadIdx.x / 32; row < last; row += 4) {
        const __half* xr = x + (size_t)row * H;
        __half* yr = y + (size_t)row * H;
        float sum = 0.0f;
        for (int i = lane; i < H; i += 32) {
            float v = __half2float(xr[i]);
            sum += v * v;
        }
        for (int offset = 1; offset < 32; offset *= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        float scale = rsqrtf(sum / H + eps);
        for (int i = lane; i < H; i += 32)
            yr[i] = __float2half_rn(__half2float(xr[i]) * scale * __half2float(w[i]));
    }
}
