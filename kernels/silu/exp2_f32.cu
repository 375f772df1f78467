// f32. Technique: exp2f of x * -log2(e) and a reciprocal, grid-stride loop.

static __device__ __forceinline__ float f(float x)
{
    return x * __frcp_rn(1.0f + exp2f(-1.44269504f * x));
}

extern "C" __global__ void exp2_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
