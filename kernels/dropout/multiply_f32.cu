// f32, mask of bytes. Technique: the mask is converted and multiplied, grid-stride loop.

extern "C" __global__ void multiply_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                        float* __restrict__ y, int n, float scale)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (float)mask[i] * scale;
}
