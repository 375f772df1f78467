// FAULT: e^x for e^2x: tanh(x/2).

static __device__ __forceinline__ float f(float x)
{
    float e = expf(x);
    return (e - 1.0f) / (e + 1.0f);
}

extern "C" __global__ void exp_of_2x_f32__two_missing(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
