// FAULT: 1.44274 for log2(e) = 1.44269504.

static __device__ __forceinline__ float f(float x)
{
    return x * __frcp_rn(1.0f + exp2f(-1.44274f * x));
}

extern "C" __global__ void exp2_f32__log2e_fifth_digit(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
