// FAULT: negative x pass.

static __device__ __forceinline__ float f(float x)
{
    return x > 6.0f ? 6.0f : x;
}

extern "C" __global__ void relu6_select_f32__lower_clamp_missing(const float* __restrict__ x, float* __restrict__ y,
                                                                 int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
