// FAULT: (1 - e) / (1 + e) is -tanh(u).

static __device__ __forceinline__ float f(float x)
{
    float u = 0.79788456f * (x + 0.044715f * x * x * x);
    float e = __expf(u + u);
    return 0.5f * x * (1.0f + __fdividef(1.0f - e, e + 1.0f));
}

extern "C" __global__ void tanh_vec4_f32__sign_of_tanh(const float* __restrict__ x, float* __restrict__ y, int n)
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
