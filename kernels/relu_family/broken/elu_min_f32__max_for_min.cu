// FAULT: max(alpha (e^x - 1), 0).

static __device__ __forceinline__ float f(float x, float alpha)
{
    return fmaxf(x, 0.0f) + fmaxf(alpha * (__expf(x) - 1.0f), 0.0f);
}

extern "C" __global__ void elu_min_f32__max_for_min(const float* __restrict__ x, float* __restrict__ y, int n,
                                                    float alpha)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x, alpha), f(v.y, alpha), f(v.z, alpha), f(v.w, alpha));
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = f(x[i], alpha);
    }
}
