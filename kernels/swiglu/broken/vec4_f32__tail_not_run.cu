// FAULT: the scalar tail is missing.

static __device__ __forceinline__ float f(float g, float u)
{
    return __fdividef(g * u, 1.0f + __expf(-g));
}

extern "C" __global__ void vec4_f32__tail_not_run(const float* __restrict__ gate, const float* __restrict__ up,
                                                  float* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 g = *reinterpret_cast<const float4*>(gate + i);
        float4 u = *reinterpret_cast<const float4*>(up + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(g.x, u.x), f(g.y, u.y), f(g.z, u.z), f(g.w, u.w));
    }
}
