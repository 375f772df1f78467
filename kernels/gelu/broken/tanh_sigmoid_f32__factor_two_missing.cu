// FAULT: the sigmoid of u, not of 2u.

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * (x + 0.044715f * x * x * x);
    return x / (1.0f + __expf(-u));
}

extern "C" __global__ void tanh_sigmoid_f32__factor_two_missing(const float* __restrict__ x, float* __restrict__ y,
                                                                int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
