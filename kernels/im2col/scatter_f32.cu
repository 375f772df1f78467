// The other way round: one CTA a channel clears its rows of col, then each thread takes an element of x and stores it to every patch that has it.
extern "C" __global__ void scatter_f32(const float* __restrict__ x, float* col, int C, int H, int W, int P, int Q, int stride, int pad)
{
    float* rows = col + blockIdx.x * 9 * P * Q;
#pragma unroll 1
    for (int i = threadIdx.x; i < 9 * P * Q; i += blockDim.x) rows[i] = 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < H * W; i += blockDim.x) {
        float v = x[blockIdx.x * H * W + i];
        int h = i / W + pad, w = i % W + pad;
#pragma unroll 1
        for (int tap = 0; tap < 9; ++tap) {
            int p = h - tap / 3, q = w - tap % 3;
            if (p < 0 || q < 0 || p % stride != 0 || q % stride != 0) continue;
            p /= stride, q /= stride;
            if (p < P && q < Q) rows[(tap * P + p) * Q + q] = v;
        }
    }
}
