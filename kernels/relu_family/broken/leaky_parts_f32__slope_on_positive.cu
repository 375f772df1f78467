// FAULT: the slope multiplies the positive part.

static __device__ __forceinline__ float f(float x, float slope)
{
    return fmaf(slope, fmaxf(x, 0.0f), fminf(x, 0.0f));
}

extern "C" __global__ void leaky_parts_f32__slope_on_positive(const float* __restrict__ x, float* __restrict__ y,
                                                              int n, float slope)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x, slope), f(v.y, slope), f(v.z, slope), f(v.w, slope));
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = f(x[i], slope);
    }
}
