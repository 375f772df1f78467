// FAULT: a hard sigmoid: x is not multiplied.

static __device__ __forceinline__ float f(float x)
{
    return __saturatef(x * 0.166666667f + 0.5f);
}

extern "C" __global__ void hardswish_saturate_f32__factor_missing(const float* __restrict__ x, float* __restrict__ y,
                                                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
