// f32, interleaved. Technique: a float2 a pair, fused multiply-adds, grid-stride loop.

extern "C" __global__ void interleaved_float2_f32(const float2* __restrict__ x, const float* __restrict__ c,
                                                  const float* __restrict__ s,
                                                  float2* __restrict__ y, int S, int H, int P)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < S * H * P; i += gridDim.x * blockDim.x) {
        int at = i / (H * P) * P + i % P;
        float2 v = x[i];
        y[i] = make_float2(fmaf(v.x, c[at], -v.y * s[at]), fmaf(v.x, s[at], v.y * c[at]));
    }
}
