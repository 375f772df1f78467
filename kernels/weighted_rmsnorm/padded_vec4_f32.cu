// f32, one CTA of 64 threads a row; rows lie `pitch` elements apart, pitch = H rounded up to a multiple of four.
// Technique: padded rows, so every row starts on a 16-byte boundary: float4 loads, scalar tail, padding never touched.

extern "C" __global__ void padded_vec4_f32(const float* __restrict__ x, const float* __restrict__ w,
                                           float* __restrict__ y, int N, int H, int pitch, float eps)
{
    __shared__ float partial[2];
    int tid = threadIdx.x;
    const float* xr = x + (size_t)blockIdx.x * pitch;
    float* yr = y + (size_t)blockIdx.x * pitch;
    int vectors = H / 4;
    float sum = 0.0f;
    for (int v = tid; v < vectors; v += 64) {
        float4 q = reinterpret_cast<const float4*>(xr)[v];
        sum += q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    }
    for (int i = 4 * vectors + tid; i < H; i += 64)
        sum += xr[i] * xr[i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float scale = rsqrtf((partial[0] + partial[1]) / H + eps);
    for (int v = tid; v < vectors; v += 64) {
        float4 q = reinterpret_cast<const float4*>(xr)[v];
        float4 g = reinterpret_cast<const float4*>(w)[v];
        reinterpret_cast<float4*>(yr)[v] =
            make_float4(q.x * scale * g.x, q.y * scale * g.y, q.z * scale * g.z, q.w * scale * g.w);
    }
    for (int i = 4 * vectors + tid; i < H; i += 64)
        yr[i] = xr[i] * scale * w[i];
}
