// f32, tanh form. Technique: the instruction tanh.approx.

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * x * fmaf(0.044715f * x, x, 1.0f);
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(u));
    float h = 0.5f * x;
    return fmaf(h, t, h);
}

extern "C" __global__ void tanh_approx_f32(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
