// FAULT: the neighbours are one column apart whatever the stride is.
// Four neighbours of a row of col a thread, one float4 store (Q % 4 == 0), grid in two dimensions: taps and channels in y.
extern "C" __global__ void vec4_f32__step_of_one(const float* __restrict__ x, float* __restrict__ col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    int quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad >= P * Q / 4) return;
    int row = blockIdx.y, c = row / 9, tap = row - 9 * c;
    int p = quad / (Q / 4), q = quad % (Q / 4) * 4;
    int h = p * stride - pad + tap / 3, w = q * stride - pad + tap % 3;
    float v[4];
    for (int j = 0; j < 4; ++j, ++w)
        v[j] = h >= 0 && h < H && w >= 0 && w < W ? __ldg(&x[(c * H + h) * W + w]) : 0.0f;
    reinterpret_cast<float4*>(col)[row * (P * Q / 4) + quad] = make_float4(v[0], v[1], v[2], v[3]);
}
