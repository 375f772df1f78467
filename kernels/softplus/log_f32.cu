// f32. Technique: logf(1 + expf(x)), grid-stride loop.

static __device__ __forceinline__ float f(float x)
{
    return logf(1.0f + expf(x));
}

extern "C" __global__ void log_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
