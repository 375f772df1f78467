// Broken twin of multirow_2d_f32. The fault: a row adds the partial sums of the row beside it.

extern "C" __global__ void multirow_2d_f32__neighbour_partial(const float* __restrict__ x, const float* __restrict__ w,
                                           float* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[4][2];
    int col = threadIdx.x;
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    if (row < N) {
        for (int i = col; i < H; i += 64) {
            float v = x[row * H + i];
            sum += v * v;
        }
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (col % 32 == 0) partial[threadIdx.y][col / 32] = sum;
    __syncthreads();
    if (row < N) {
        float total = partial[threadIdx.y ^ 1][0] + partial[threadIdx.y ^ 1][1];
        float scale = rsqrtf(total / H + eps);
        for (int i = col; i < H; i += 64)
            y[row * H + i] = x[row * H + i] * scale * w[i];
    }
}
