// FAULT: both pairs take the first cosine.

extern "C" __global__ void interleaved_float4_f32__table_of_first_pair(const float4* __restrict__ x,
                                                                       const float2* __restrict__ c,
                                                                       const float2* __restrict__ s,
                                                  float4* __restrict__ y, int S, int H, int P)
{
    int position = blockIdx.x, quads = P / 2;
#pragma unroll 1
    for (int i = threadIdx.x; i < H * quads; i += blockDim.x) {
        float4 v = x[position * H * quads + i];
        float2 cs = c[position * quads + i % quads];
        float2 sn = s[position * quads + i % quads];
        float4 r;
        r.x = v.x * cs.x - v.y * sn.x;
        r.y = v.y * cs.x + v.x * sn.x;
        r.z = v.z * cs.x - v.w * sn.y;
        r.w = v.w * cs.x + v.z * sn.y;
        y[position * H * quads + i] = r;
    }
}
