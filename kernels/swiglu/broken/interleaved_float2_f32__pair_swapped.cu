// FAULT: gate and up are swapped.

extern "C" __global__ void interleaved_float2_f32__pair_swapped(const float2* __restrict__ x, float* __restrict__ y,
                                                                int n)
{
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = x[i];
        y[i] = p.x * p.y / (1.0f + __expf(-p.y));
    }
}
