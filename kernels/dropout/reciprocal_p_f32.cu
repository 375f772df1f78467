// f32, mask of bytes, from p. Technique: the reciprocal of 1 - p once a thread, the converted mask multiplied; grid-
// stride loop.

extern "C" __global__ void reciprocal_p_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                            float* __restrict__ y,
                                            int n, float p)
{
    float scale = __frcp_rn(1.0f - p);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * (scale * (float)mask[i]);
}
