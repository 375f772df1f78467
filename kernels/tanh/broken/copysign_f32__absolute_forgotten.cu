// FAULT: the exponential of -2x, and the sign put on a result that has one.

static __device__ __forceinline__ float f(float x)
{
    float e = __expf(-2.0f * x);
    return x >= 0.0f ? (1.0f - e) / (1.0f + e) : (e - 1.0f) / (1.0f + e);
}

extern "C" __global__ void copysign_f32__absolute_forgotten(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
