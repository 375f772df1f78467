// FAULT: tanh(x) for tanh(x/2).

static __device__ __forceinline__ float f(float x)
{
    float h = 0.5f * x;
    return fmaf(h, tanhf(x), h);
}

extern "C" __global__ void tanh_half_f32__argument_not_halved(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
