// FAULT: the row is not counted twice: every row but the first is off.

static __device__ __forceinline__ float f(float g, float u)
{
    return __fdividef(g * u, 1.0f + __expf(-g));
}

extern "C" __global__ void packed_vec4_f32__row_forgotten(const float4* __restrict__ x, float4* __restrict__ y, int N,
                                                          int H)
{
    int vectors = H / 4;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N * vectors; i += gridDim.x * blockDim.x) {
        int row = i / vectors;
        float4 g = x[i];
        float4 u = x[i + row * vectors + vectors];
        y[i] = make_float4(f(g.x, u.x), f(g.y, u.y), f(g.z, u.z), f(g.w, u.w));
    }
}
