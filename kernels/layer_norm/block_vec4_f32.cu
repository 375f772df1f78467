// float, one CTA of two warps a row, H a multiple of 4. Technique: two passes over float4 in registers (at most 256
// columns), two-level sums.
__device__ float block_sum(float v, float* part)
{
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    return part[0] + part[1];
}

extern "C" __global__ void block_vec4_f32(const float4* __restrict__ x, const float4* __restrict__ w, const float4* __restrict__ b,
                                          float4* __restrict__ y, int N, int H, float eps)
{
    __shared__ float sums[2], squares[2];
    int at = threadIdx.x;
    bool live = at < H / 4;
    float4 v = live ? x[blockIdx.x * (H / 4) + at] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float mean = block_sum(v.x + v.y + v.z + v.w, sums) / H;
    if (live) v = make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
    float scale = rsqrtf(block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, squares) / H + eps);
    if (!live) return;
    float4 g = w[at];
    float4 c = b[at];
    y[blockIdx.x * (H / 4) + at] = make_float4(v.x * scale * g.x + c.x, v.y * scale * g.y + c.y, v.z * scale * g.z + c.z, v.w * scale * g.w + c.w);
}
