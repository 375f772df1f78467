// FAULT: alpha e^x.

static __device__ __forceinline__ float f(float x, float alpha)
{
    return x > 0.0f ? x : alpha * __expf(x);
}

extern "C" __global__ void elu_exp_f32__one_not_taken_away(const float* __restrict__ x, float* __restrict__ y, int n,
                                                           float alpha)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(x[i], alpha);
}
