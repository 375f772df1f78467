// FAULT: log(1 + e^-x).

static __device__ __forceinline__ float f(float x)
{
    return __logf(1.0f + __expf(-x));
}

extern "C" __global__ void x_plus_f32__x_not_added(const float* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
