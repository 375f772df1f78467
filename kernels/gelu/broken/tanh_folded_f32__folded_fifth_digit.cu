// FAULT: 0.035671 for 0.79788456 * 0.044715 = 0.035677408.

static __device__ __forceinline__ float f(float x)
{
    float u = x * (0.79788456f + 0.035671f * x * x);
    return x * (1.0f - 1.0f / (1.0f + __expf(2.0f * u)));
}

extern "C" __global__ void tanh_folded_f32__folded_fifth_digit(const float* __restrict__ x, float* __restrict__ y,
                                                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
