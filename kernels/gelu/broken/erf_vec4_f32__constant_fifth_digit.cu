// FAULT: 0.70715 for 1/sqrt(2) = 0.70710678.

static __device__ __forceinline__ float f(float x)
{
    float h = 0.5f * x;
    return fmaf(h, erff(x * 0.70715f), h);
}

extern "C" __global__ void erf_vec4_f32__constant_fifth_digit(const float* __restrict__ x, float* __restrict__ y, int n)
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
