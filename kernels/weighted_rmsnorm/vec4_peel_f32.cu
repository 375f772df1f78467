// f32, one CTA of 128 threads a row. Technique: float4 loads and stores at any H. A row may start off a 16-byte
// boundary, so up to three elements are peeled off its front, then whole vectors, then a scalar tail.

extern "C" __global__ void vec4_peel_f32(const float* __restrict__ x, const float* __restrict__ w,
                                         float* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[4];
    int tid = threadIdx.x;
    int start = blockIdx.x * H;
    int head = min(-start & 3, H);
    int vectors = (H - head) / 4;
    int tail = head + 4 * vectors;
    const float* xr = x + start;
    float* yr = y + start;
    const float4* xv = reinterpret_cast<const float4*>(xr + head);
    float4* yv = reinterpret_cast<float4*>(yr + head);

    float sum = 0.0f;
    if (tid < head) sum = xr[tid] * xr[tid];
    for (int v = tid; v < vectors; v += 128) {
        float4 q = xv[v];
        sum += q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    }
    for (int i = tail + tid; i < H; i += 128)
        sum += xr[i] * xr[i];

    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    float total = partial[0] + partial[1] + partial[2] + partial[3];
    float scale = rsqrtf(total / H + eps);

    if (tid < head) yr[tid] = xr[tid] * scale * w[tid];
    for (int v = tid; v < vectors; v += 128) {
        const float* wv = w + head + 4 * v;
        float4 q = xv[v];
        q.x *= scale * wv[0];
        q.y *= scale * wv[1];
        q.z *= scale * wv[2];
        q.w *= scale * wv[3];
        yv[v] = q;
    }
    for (int i = tail + tid; i < H; i += 128)
        yr[i] = xr[i] * scale * w[i];
}
