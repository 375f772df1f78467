// FAULT: only the index as a whole is checked: left of a row lies the end of the row before.
// One thread a patch, grid-stride: the nine elements of a patch of one channel in a loop; unsigned comparisons for the edges.
extern "C" __global__ void patch_thread_f32__edge_wraps(const float* __restrict__ x, float* __restrict__ col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    int step = blockDim.x * gridDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < C * P * Q; i += step) {
        int q = i % Q, p = i / Q % P, c = i / (Q * P);
        int top = p * stride - pad, left = q * stride - pad;
        const float* from = x + (c * H + top) * W + left;
        float* to = col + (c * 9 * P + p) * Q + q;
        for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
                bool inside = (unsigned)(top + r) < (unsigned)H && (unsigned)((c * H + top + r) * W + left + s) < (unsigned)(C * H * W);
                *to = inside ? from[r * W + s] : 0.0f;
                to += P * Q;
            }
    }
}
