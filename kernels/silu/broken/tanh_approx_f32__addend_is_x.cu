// FAULT: x is added where x/2 belongs.

static __device__ __forceinline__ float f(float x)
{
    float h = 0.5f * x;
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(h));
    return fmaf(h, t, x);
}

extern "C" __global__ void tanh_approx_f32__addend_is_x(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
