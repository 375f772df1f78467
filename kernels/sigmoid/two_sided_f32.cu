// f32. Technique: the exponential of -|x| only, which never overflows; the arm is chosen by the sign.

static __device__ __forceinline__ float f(float x)
{
    float e = expf(-fabsf(x));
    float s = 1.0f / (1.0f + e);
    return x >= 0.0f ? s : e * s;
}

extern "C" __global__ void two_sided_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
