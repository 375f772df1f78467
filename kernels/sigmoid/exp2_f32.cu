// f32. Technique: exp2f of x * -log2(e), a reciprocal; float4 with a scalar tail.

static __device__ __forceinline__ float f(float x)
{
    float e = exp2f(x * -1.44269504f);
    return __frcp_rn(1.0f + e);
}

extern "C" __global__ void exp2_f32(const float* __restrict__ x, float* __restrict__ y, int n)
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
