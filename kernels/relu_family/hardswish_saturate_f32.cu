// Hardswish, f32. Technique: the clamp to [0, 1] that comes with an instruction.

static __device__ __forceinline__ float f(float x)
{
    return x * __saturatef(x * 0.166666667f + 0.5f);
}

extern "C" __global__ void hardswish_saturate_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
