// FAULT: x/5 for x/6.

static __device__ __forceinline__ float f(float x)
{
    return x >= 3.0f ? 1.0f : x <= -3.0f ? 0.0f : x / 5.0f + 0.5f;
}

extern "C" __global__ void hardsigmoid_select_f32__fifth(const float* __restrict__ x, float* __restrict__ y, int n)
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
