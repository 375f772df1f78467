// FAULT: the scalar tail is missing.

static __device__ __forceinline__ float f(float x)
{
    return 0.693147181f * log2f(1.0f + exp2f(1.44269504f * x));
}

extern "C" __global__ void base_two_f32__tail_not_run(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
    }
}
