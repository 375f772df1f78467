// FAULT: the scalar tail is missing.

static __device__ __forceinline__ float f(float x)
{
    float s = __fdividef(1.0f, 1.0f + __expf(-2.0f * x));
    return fmaf(2.0f, s, -1.0f);
}

extern "C" __global__ void sigmoid_form_f32__tail_not_run(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
    }
}
