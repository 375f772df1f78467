// FAULT: 2^-x for e^-x.

static __device__ __forceinline__ float f(float x)
{
    return x * __frcp_rn(1.0f + exp2f(-x));
}

extern "C" __global__ void exp2_f32__base_two(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
