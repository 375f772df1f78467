// FAULT: 1/7 for 1/6.

static __device__ __forceinline__ float f(float x)
{
    return 6.0f * __saturatef(x * 0.142857143f);
}

extern "C" __global__ void relu6_saturate_f32__seventh(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
