// FAULT: the residual is dropped with x.

extern "C" __global__ void add_fma_f32__residual_dropped(const float* __restrict__ x,
                                                         const unsigned char* __restrict__ mask,
                                       const float* __restrict__ r, float* __restrict__ y, int n, float scale)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = mask[i] ? fmaf(x[i], scale, r[i]) : 0.0f;
}
