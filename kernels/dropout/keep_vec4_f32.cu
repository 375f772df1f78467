// f32, keep mask of floats. Technique: float4 with a scalar tail, mask and scale multiplied first.

extern "C" __global__ void keep_vec4_f32(const float* __restrict__ x, const float* __restrict__ keep,
                                         float* __restrict__ y, int n,
                                         float scale)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        float4 m = *reinterpret_cast<const float4*>(keep + i);
        *reinterpret_cast<float4*>(y + i) =
            make_float4(v.x * (m.x * scale), v.y * (m.y * scale), v.z * (m.z * scale), v.w * (m.w * scale));
    } else {
#pragma unroll 1
        for (; i < n; ++i) y[i] = x[i] * (keep[i] * scale);
    }
}
