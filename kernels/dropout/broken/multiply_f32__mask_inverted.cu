// FAULT: what is to be dropped is kept.

extern "C" __global__ void multiply_f32__mask_inverted(const float* __restrict__ x,
                                                       const unsigned char* __restrict__ mask, float* __restrict__ y,
                                                       int n, float scale)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (1.0f - (float)mask[i]) * scale;
}
