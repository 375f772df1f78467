// FAULT: what is kept is not scaled.

extern "C" __global__ void multiply_f32__scale_missing(const float* __restrict__ x,
                                                       const unsigned char* __restrict__ mask, float* __restrict__ y,
                                                       int n, float scale)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (float)mask[i];
}
