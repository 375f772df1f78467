// FAULT: e^x for e^-x, the sigmoid of -x.

static __device__ __forceinline__ float f(float x)
{
    float s = 1.0f / (1.0f + __expf(x));
    return x * s;
}

extern "C" __global__ void sigmoid_times_f32__sign(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
