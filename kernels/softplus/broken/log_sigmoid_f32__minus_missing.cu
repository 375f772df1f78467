// FAULT: the sign is not turned.

static __device__ __forceinline__ float f(float x)
{
    float s = 1.0f / (1.0f + __expf(x));
    return __logf(s);
}

extern "C" __global__ void log_sigmoid_f32__minus_missing(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
