// FAULT: 0.79784 for sqrt(2/pi) = 0.79788456.

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79784f * (x + 0.044715f * x * x * x);
    return x / (1.0f + __expf(-2.0f * u));
}

extern "C" __global__ void tanh_sigmoid_f32__root_fifth_digit(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
