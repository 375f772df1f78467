// FAULT: the second ramp begins at five.

static __device__ __forceinline__ float f(float x)
{
    return fmaxf(x, 0.0f) - fmaxf(x - 5.0f, 0.0f);
}

extern "C" __global__ void relu6_ramps_f32__second_ramp_at_five(const float* __restrict__ x, float* __restrict__ y,
                                                                int n)
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
