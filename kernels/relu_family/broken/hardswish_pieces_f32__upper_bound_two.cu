// FAULT: the third piece begins at 2, not at 3.

static __device__ __forceinline__ float f(float x)
{
    if (x <= -3.0f) return 0.0f;
    if (x >= 2.0f) return x;
    return x * (x + 3.0f) * (1.0f / 6.0f);
}

extern "C" __global__ void hardswish_pieces_f32__upper_bound_two(const float* __restrict__ x, float* __restrict__ y,
                                                                 int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i]);
}
