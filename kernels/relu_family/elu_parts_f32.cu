// ELU, f32. Technique: positive part and the exponential of the negative part, no selection.

static __device__ __forceinline__ float f(float x, float alpha)
{
    return fmaxf(x, 0.0f) + alpha * (__expf(fminf(x, 0.0f)) - 1.0f);
}

extern "C" __global__ void elu_parts_f32(const float* __restrict__ x, float* __restrict__ y, int n, float alpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i], alpha);
}
