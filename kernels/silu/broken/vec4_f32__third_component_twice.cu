// FAULT: the fourth component is computed from the third.

static __device__ __forceinline__ float f(float x)
{
    return __fdividef(x, 1.0f + __expf(-x));
}

extern "C" __global__ void vec4_f32__third_component_twice(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x), f(v.y), f(v.z), f(v.z));
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = f(x[i]);
    }
}
