// FAULT: tanh(g) for tanh(g/2).

static __device__ __forceinline__ float f(float g, float u)
{
    float h = 0.5f * g;
    return u * fmaf(h, tanhf(g), h);
}

extern "C" __global__ void tanh_form_f32__argument_not_halved(const float* __restrict__ gate,
                                                              const float* __restrict__ up, float* __restrict__ y,
                                                              int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = f(gate[i], up[i]);
}
