// One CTA a row of patches of a channel (stride 1, pad 1): three rows of x with a border of zeros in dynamic shared memory.
extern "C" __global__ void padded_shared_f32(const float* __restrict__ x, float* __restrict__ col, int H, int W)
{
    extern __shared__ float rows[];
    int p = blockIdx.x, c = blockIdx.y, width = W + 2;
#pragma unroll 1
    for (int i = threadIdx.x; i < 3 * width; i += blockDim.x) {
        int h = p - 1 + i / width, w = i % width - 1;
        rows[i] = h >= 0 && h < H && w >= 0 && w < W ? x[(c * H + h) * W + w] : 0.0f;
    }
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < 9 * W; i += blockDim.x) {
        int tap = i / W, q = i % W;
        col[((c * 9 + tap) * H + p) * W + q] = rows[tap / 3 * width + q + tap % 3];
    }
}
