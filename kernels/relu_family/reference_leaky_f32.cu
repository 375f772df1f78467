// Leaky ReLU, plain reference, float: one thread an element, a selection by the sign.

static __device__ __forceinline__ float f(float x, float slope)
{
    return x > 0.0f ? x : slope * x;
}

extern "C" __global__ void reference_leaky_f32(const float* __restrict__ x, float* __restrict__ y, int n, float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i], slope);
}
