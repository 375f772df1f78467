// Broken twin of grid_stride_bf16. The fault: no barrier between the reads of one row's partial sums and the writes of
// the next row's.
#include <cuda_bf16.h>

extern "C" __global__ void grid_stride_bf16__missing_barrier(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ w,
                                            __nv_bfloat16* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[4];
    int tid = threadIdx.x;
    for (int row = blockIdx.x; row < N; row += gridDim.x) {
        const __nv_bfloat16* xr = x + (size_t)row * H;
        __nv_bfloat16* yr = y + (size_t)row * H;
        float sum = 0.0f;
        for (int i = tid; i < H; i += 128) {
            float v = __bfloat162float(xr[i]);
            sum += v * v;
        }
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        if (tid % 32 == 0) partial[tid / 32] = sum;
        __syncthreads();
        float total = partial[0] + partial[1] + partial[2] + partial[3];
        float scale = rsqrtf(total / H + eps);
        for (int i = tid; i < H; i += 128)
            yr[i] = __float2bfloat16_rn(__bfloat162float(xr[i]) * scale * __bfloat162float(w[i]));
    }
}
