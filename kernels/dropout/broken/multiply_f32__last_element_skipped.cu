// FAULT: the loop ends one element early.

extern "C" __global__ void multiply_f32__last_element_skipped(const float* __restrict__ x,
                                                              const unsigned char* __restrict__ mask,
                                                              float* __restrict__ y, int n, float scale)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (float)mask[i] * scale;
}
