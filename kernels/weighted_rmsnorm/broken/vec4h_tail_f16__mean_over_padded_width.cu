// Broken twin of vec4h_tail_f16. The fault: the mean divides by H rounded up to a multiple of four.
#include <cuda_fp16.h>

__device__ __forceinline__ float4 unpack(uint2 bits)
{
    float2 low = __half22float2(*reinterpret_cast<__half2*>(&bits.x));
    float2 high = __half22float2(*reinterpret_cast<__half2*>(&bits.y));
    return make_float4(low.x, low.y, high.x, high.y);
}

__device__ __forceinline__ uint2 pack(float4 v)
{
    __half2 low = __floats2half2_rn(v.x, v.y);
    __half2 high = __floats2half2_rn(v.z, v.w);
    return make_uint2(*reinterpret_cast<unsigned*>(&low), *reinterpret_cast<unsigned*>(&high));
}

extern "C" __global__ void vec4h_tail_f16__mean_over_padded_width(const __half* __restrict__ x, const __half* __restrict__ w,
                                          __half* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[8];
    int tid = threadIdx.x;
    int start = blockIdx.x * H;
    int vectors = start % 4 == 0 ? H / 4 : 0;
    const __half* xr = x + start;
    __half* yr = y + start;
    const uint2* xv = reinterpret_cast<const uint2*>(xr);
    const uint2* wv = reinterpret_cast<const uint2*>(w);
    uint2* yv = reinterpret_cast<uint2*>(yr);

    float sum = 0.0f;
    for (int v = tid; v < vectors; v += 256) {
        float4 q = unpack(xv[v]);
        sum += q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    }
    for (int i = 4 * vectors + tid; i < H; i += 256) {
        float v = __half2float(xr[i]);
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < 8; ++k)
        total += partial[k];
    float scale = rsqrtf(total / ((H + 3) / 4 * 4) + eps);

    for (int v = tid; v < vectors; v += 256) {
        float4 q = unpack(xv[v]);
        float4 g = unpack(wv[v]);
        yv[v] = pack(make_float4(q.x * scale * g.x, q.y * scale * g.y, q.z * scale * g.z, q.w * scale * g.w));
    }
    for (int i = 4 * vectors + tid; i < H; i += 256)
        yr[i] = __float2half_rn(__half2float(xr[i]) * scale * __half2float(w[i]));
}
