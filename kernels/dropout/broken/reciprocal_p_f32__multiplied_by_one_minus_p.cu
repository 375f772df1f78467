// FAULT: multiplied by 1 - p, not divided.

extern "C" __global__ void reciprocal_p_f32__multiplied_by_one_minus_p(const float* __restrict__ x,
                                                                       const unsigned char* __restrict__ mask,
                                                                       float* __restrict__ y,
                                            int n, float p)
{
    float scale = 1.0f - p;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (scale * (float)mask[i]);
}
