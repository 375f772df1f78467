// FAULT: the sigmoid is of up, not of gate.

static __device__ __forceinline__ float f(float g, float u)
{
    return __fdividef(g * u, 1.0f + __expf(-u));
}

extern "C" __global__ void intrinsic_f32__up_in_sigmoid(const float* __restrict__ gate, const float* __restrict__ up,
                                                        float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(gate[i], up[i]);
}
