// FAULT: tanh(x)/2 + 1/2.

static __device__ __forceinline__ float f(float x)
{
    return 0.5f * tanhf(x) + 0.5f;
}

extern "C" __global__ void tanh_form_f32__argument_not_halved(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
