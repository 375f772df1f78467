// Fault: H * eps is eps: right only for H = 1.
extern "C" __global__ void dx_block_vec4_f32(const float4* __restrict__ x, const float4* __restrict__ w, const float4* __restrict__ dy,
                                             float4* __restrict__ dx, int N, int H, float eps)
{
    __shared__ float2 part[2];
    int quads = H / 4;
    x += blockIdx.x * quads;
    dy += blockIdx.x * quads;
    dx += blockIdx.x * quads;
    float2 s = make_float2(0.0f, 0.0f);
#pragma unroll 1
    for (int q = threadIdx.x; q < quads; q += 64) {
        float4 v = x[q], g = w[q], d = dy[q];
        s.x += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        s.y += v.x * g.x * d.x + v.y * g.y * d.y + v.z * g.z * d.z + v.w * g.w * d.w;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        s.x += __shfl_xor_sync(0xffffffffu, s.x, offset);
        s.y += __shfl_xor_sync(0xffffffffu, s.y, offset);
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    float squares = part[0].x + part[1].x;
    float dot = part[0].y + part[1].y;
    // r^2 / H = 1 / (squares + H * eps)
    float r = rsqrtf(squares / H + eps);
    float share = dot / (squares + eps);
#pragma unroll 1
    for (int q = threadIdx.x; q < quads; q += 64) {
        float4 v = x[q], g = w[q], d = dy[q];
        dx[q] = make_float4(r * (g.x * d.x - v.x * share), r * (g.y * d.y - v.y * share), r * (g.z * d.z - v.z * share), r * (g.w * d.w - v.w * share));
    }
}
