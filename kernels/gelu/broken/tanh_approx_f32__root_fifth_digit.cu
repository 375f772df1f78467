// FAULT: 0.79784 for sqrt(2/pi) = 0.79788456, ahead of an instruction that is good to 2^-11.

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79784f * x * fmaf(0.044715f * x, x, 1.0f);
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(u));
    float h = 0.5f * x;
    return fmaf(h, t, h);
}

extern "C" __global__ void tanh_approx_f32__root_fifth_digit(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
