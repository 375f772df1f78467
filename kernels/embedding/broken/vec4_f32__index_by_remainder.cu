// FAULT: the index is taken by the remainder where the quotient belongs.

extern "C" __global__ void vec4_f32__index_by_remainder(const float4* __restrict__ table, const int* __restrict__ ids,
                                                        float4* __restrict__ y, int T, int H)
{
    int vectors = H / 4;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < T * vectors; i += gridDim.x * blockDim.x)
        y[i] = table[ids[i % vectors % T] * vectors + i % vectors];
}
