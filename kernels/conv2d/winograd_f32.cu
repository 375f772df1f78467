// Winograd F(2 x 2, 3 x 3), stride 1, pad 1: one thread a tile of 2 x 2 outputs of a channel, with 16 products an input channel for 36.
extern "C" __global__ void winograd_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y, int C, int H, int W, int O)
{
    int tiles_w = (W + 1) / 2, tiles_h = (H + 1) / 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= O * tiles_h * tiles_w) return;
    int left = i % tiles_w * 2, top = i / tiles_w % tiles_h * 2, o = i / (tiles_w * tiles_h);
    float m[4][4] = {};
#pragma unroll 1
    for (int c = 0; c < C; ++c) {
        float d[4][4], g[3][3], bd[4][4], gg[4][3];
        for (int r = 0; r < 4; ++r)
            for (int s = 0; s < 4; ++s) {
                int row = top + r - 1, col = left + s - 1;
                d[r][s] = row >= 0 && row < H && col >= 0 && col < W ? x[(c * H + row) * W + col] : 0.0f;
            }
        for (int t = 0; t < 9; ++t) g[t / 3][t % 3] = w[(o * C + c) * 9 + t];
        for (int s = 0; s < 4; ++s) {
            bd[0][s] = d[0][s] - d[2][s];
            bd[1][s] = d[1][s] + d[2][s];
            bd[2][s] = d[2][s] - d[1][s];
            bd[3][s] = d[1][s] - d[3][s];
        }
        for (int s = 0; s < 3; ++s) {
            gg[0][s] = g[0][s];
            gg[1][s] = 0.5f * (g[0][s] + g[1][s] + g[2][s]);
            gg[2][s] = 0.5f * (g[0][s] - g[1][s] + g[2][s]);
            gg[3][s] = g[2][s];
        }
        for (int r = 0; r < 4; ++r) {
            m[r][0] += gg[r][0] * (bd[r][0] - bd[r][2]);
            m[r][1] += 0.5f * (gg[r][0] + gg[r][1] + gg[r][2]) * (bd[r][1] + bd[r][2]);
            m[r][2] += 0.5f * (gg[r][0] - gg[r][1] + gg[r][2]) * (bd[r][2] - bd[r][1]);
            m[r][3] += gg[r][2] * (bd[r][1] - bd[r][3]);
        }
    }
    float t[2][4];
    for (int s = 0; s < 4; ++s) {
        t[0][s] = m[0][s] + m[1][s] + m[2][s];
        t[1][s] = m[1][s] - m[2][s] - m[3][s];
    }
    for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s) {
            float v = s == 0 ? t[r][0] + t[r][1] + t[r][2] : t[r][1] - t[r][2] - t[r][3];
            if (top + r < H && left + s < W) y[(o * H + top + r) * W + left + s] = v + bias[o];
        }
}
