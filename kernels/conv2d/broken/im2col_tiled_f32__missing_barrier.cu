// FAULT: no barrier before the tiles are read.
// As a matrix product: O x (C * 9) times (C * 9) x (P * Q), whose columns are gathered from x into tiles of 8 x 8 as they are needed.
extern "C" __global__ void im2col_tiled_f32__missing_barrier(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y, int C, int H, int W, int O, int P, int Q, int stride, int pad)
{
    __shared__ float tw[8][9], tx[8][9];
    int i = threadIdx.x, j = threadIdx.y, pixel = blockIdx.x * 8 + i, o = blockIdx.y * 8 + j;
    int p = pixel / Q, q = pixel % Q, taps = C * 9;
    float sum = 0.0f;
#pragma unroll 1
    for (int base = 0; base < taps; base += 8) {
        int k = base + j, c = k / 9, r = k % 9 / 3, s = k % 3;
        int row = p * stride - pad + r, col = q * stride - pad + s;
        bool inside = k < taps && pixel < P * Q && row >= 0 && row < H && col >= 0 && col < W;
        tx[j][i] = inside ? x[(c * H + row) * W + col] : 0.0f;
        tw[j][i] = o < O && base + i < taps ? w[o * taps + base + i] : 0.0f;
#pragma unroll 2
        for (int t = 0; t < 8; ++t)
            sum = fmaf(tw[j][t], tx[t][i], sum);
        __syncthreads();
    }
    if (o < O && pixel < P * Q) y[o * P * Q + pixel] = sum + bias[o];
}
