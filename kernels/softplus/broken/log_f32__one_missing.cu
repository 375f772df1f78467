// FAULT: log(e^x) is x.

static __device__ __forceinline__ float f(float x)
{
    return logf(expf(x));
}

extern "C" __global__ void log_f32__one_missing(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
