// One warp a row, pairs through __nv_cvt_fp8x2_to_halfraw2, widened before they are scaled; grid-stride over rows.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void shared_scale_e5m2(const __nv_fp8x2_storage_t* __restrict__ x, const float* __restrict__ scales, float2* __restrict__ y, int N, int H)
{
#pragma unroll 1
    for (int row = blockIdx.x; row < N; row += gridDim.x) {
        float scale = scales[row];
#pragma unroll 1
        for (int i = threadIdx.x; i < H / 2; i += 32) {
            float2 v = __half22float2(__nv_cvt_fp8x2_to_halfraw2(x[row * (H / 2) + i], __NV_E5M2));
            y[row * (H / 2) + i] = make_float2(scale * v.x, scale * v.y);
        }
    }
}
