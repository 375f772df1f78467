// FAULT: outside of the image the tile keeps what it had: nothing.
// Stride 1, pad 1: a CTA computes a tile of 4 x 4 outputs of a channel; the 6 x 6 inputs that it needs (zero outside) go through shared memory.
extern "C" __global__ void halo_tile_f32__halo_not_zeroed(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, float* __restrict__ y, int C, int H, int W)
{
    __shared__ float tile[6][6], taps[9];
    int tx = threadIdx.x, ty = threadIdx.y, o = blockIdx.z;
    int left = blockIdx.x * 4, top = blockIdx.y * 4;
    float sum = 0.0f;
#pragma unroll 1
    for (int c = 0; c < C; ++c) {
#pragma unroll 1
        for (int i = ty * 4 + tx; i < 36; i += 16) {
            int row = top + i / 6 - 1, col = left + i % 6 - 1;
            if (row >= 0 && row < H && col >= 0 && col < W) tile[i / 6][i % 6] = x[(c * H + row) * W + col];
        }
        if (ty * 4 + tx < 9) taps[ty * 4 + tx] = w[(o * C + c) * 9 + ty * 4 + tx];
        __syncthreads();
        for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s)
                sum += tile[ty + r][tx + s] * taps[r * 3 + s];
        __syncthreads();
    }
    if (top + ty < H && left + tx < W) y[(o * H + top + ty) * W + left + tx] = sum + bias[o];
}
