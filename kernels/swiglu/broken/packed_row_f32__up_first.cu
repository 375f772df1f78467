// FAULT: up is taken for the first half of a row, gate for the second.

extern "C" __global__ void packed_row_f32__up_first(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    const float* gate = x + (size_t)blockIdx.x * 2 * H;
    const float* up = gate + H;
    float* out = y + (size_t)blockIdx.x * H;
#pragma unroll 2
    for (int i = threadIdx.x; i < H; i += blockDim.x) {
        float g = up[i];
        out[i] = gate[i] * (g * (1.0f / (1.0f + __expf(-g))));
    }
}
