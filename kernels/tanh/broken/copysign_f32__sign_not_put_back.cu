// FAULT: the result is tanh of |x|.

static __device__ __forceinline__ float f(float x)
{
    float e = __expf(-2.0f * fabsf(x));
    return (1.0f - e) / (1.0f + e);
}

extern "C" __global__ void copysign_f32__sign_not_put_back(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
