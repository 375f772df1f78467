// FAULT: the arm of negative x has the exponential of -x.

static __device__ __forceinline__ float f(float x)
{
    if (x >= 0.0f) {
        return 1.0f / (1.0f + __expf(-x));
    } else {
        float e = __expf(-x);
        return e / (1.0f + e);
    }
}

extern "C" __global__ void branch_f32__negative_arm(const float* __restrict__ x, float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
