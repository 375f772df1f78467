// f32, dropout of x added to a residual. Technique: one fused multiply-add with a selected factor, grid-stride loop.

extern "C" __global__ void add_fma_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                       const float* __restrict__ r, float* __restrict__ y, int n, float scale)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = fmaf(x[i], mask[i] ? scale : 0.0f, r[i]);
}
