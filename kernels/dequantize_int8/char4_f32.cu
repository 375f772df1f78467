// Four bytes a thread: one 32-bit load, sign by shifting up and down, float4 store (H % 4 == 0).
extern "C" __global__ void char4_f32(const unsigned* __restrict__ q, const float* __restrict__ scales, float4* __restrict__ y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H / 4) return;
    int v = (int)q[i];
    float scale = scales[i / (H / 4)];
    y[i] = make_float4((v << 24 >> 24) * scale, (v << 16 >> 24) * scale, (v << 8 >> 24) * scale, (v >> 24) * scale);
}
