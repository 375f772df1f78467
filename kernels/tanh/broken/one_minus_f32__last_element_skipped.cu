// FAULT: the loop ends one element early.

static __device__ __forceinline__ float f(float x)
{
    return 1.0f - 2.0f / (1.0f + __expf(2.0f * x));
}

extern "C" __global__ void one_minus_f32__last_element_skipped(const float* __restrict__ x, float* __restrict__ y,
                                                               int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
