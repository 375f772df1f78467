// f32. Technique: from the exponential of -2|x|, with the sign put back.

static __device__ __forceinline__ float f(float x)
{
    float e = __expf(-2.0f * fabsf(x));
    return copysignf((1.0f - e) / (1.0f + e), x);
}

extern "C" __global__ void copysign_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
