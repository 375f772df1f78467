// f32, gate and up interleaved. Technique: a float2 a pair, grid-stride loop, __expf.

extern "C" __global__ void interleaved_float2_f32(const float2* __restrict__ x, float* __restrict__ y, int n)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = x[i];
        y[i] = p.x * p.y / (1.0f + __expf(-p.x));
    }
}
