// FAULT: all four elements follow the first byte.

extern "C" __global__ void vec4_f32__mask_of_first(const float* __restrict__ x,
                                                   const unsigned char* __restrict__ mask, float* __restrict__ y,
                                                   int n, float scale)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        uchar4 m = *reinterpret_cast<const uchar4*>(mask + i);
        float4 r;
        r.x = m.x ? v.x * scale : 0.0f;
        r.y = m.x ? v.y * scale : 0.0f;
        r.z = m.x ? v.z * scale : 0.0f;
        r.w = m.x ? v.w * scale : 0.0f;
        *reinterpret_cast<float4*>(y + i) = r;
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = mask[i] ? x[i] * scale : 0.0f;
    }
}
