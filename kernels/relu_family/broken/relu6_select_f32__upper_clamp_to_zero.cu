// FAULT: x above six gives zero.

static __device__ __forceinline__ float f(float x)
{
    return x < 0.0f ? 0.0f : (x > 6.0f ? 0.0f : x);
}

extern "C" __global__ void relu6_select_f32__upper_clamp_to_zero(const float* __restrict__ x, float* __restrict__ y,
                                                                 int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
