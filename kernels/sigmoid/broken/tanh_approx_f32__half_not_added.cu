// FAULT: tanh(x/2)/2 without the half.

static __device__ __forceinline__ float f(float x)
{
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(0.5f * x));
    return 0.5f * t;
}

extern "C" __global__ void tanh_approx_f32__half_not_added(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = f(x[i]);
    }
}
