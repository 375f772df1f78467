// f32, H a multiple of four. Technique: float4 over all tokens in one grid-stride loop.

extern "C" __global__ void vec4_f32(const float4* __restrict__ table, const int* __restrict__ ids,
                                    float4* __restrict__ y, int T, int H)
{
    int vectors = H / 4;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < T * vectors; i += gridDim.x * blockDim.x)
        y[i] = table[ids[i / vectors] * vectors + i % vectors];
}
