// Stride 1, pad 1: a thread computes a run of four outputs of a row with a sliding window of three columns in registers; weights by __ldg.
extern "C" __global__ void row_registers_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y, int C, int H, int W)
{
    int p = blockIdx.x, o = blockIdx.y, start = threadIdx.x * 4;
    if (start >= W) return;
    float sum[4];
    for (int j = 0; j < 4; ++j) sum[j] = bias[o];
#pragma unroll 1
    for (int c = 0; c < C; ++c)
#pragma unroll 1
        for (int r = 0; r < 3; ++r) {
            int row = p - 1 + r;
            if (row < 0 || row >= H) continue;
            const float* from = x + (c * H + row) * W;
            const float* tap = w + ((o * C + c) * 3 + r) * 3;
            float a = start > 0 ? from[start - 1] : 0.0f, b = from[start];
            for (int j = 0; j < 4; ++j) {
                float next = start + j + 1 < W ? from[start + j + 1] : 0.0f;
                sum[j] += a * __ldg(tap) + b * __ldg(tap + 1) + next * __ldg(tap + 2);
                a = b;
                b = next;
            }
        }
    for (int j = 0; j < 4; ++j)
        if (start + j < W) y[(o * H + p) * W + start + j] = sum[j];
}
