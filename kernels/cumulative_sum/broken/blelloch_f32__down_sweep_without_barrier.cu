// FAULT: the barrier of the down-sweep is missing.

extern "C" __global__ void blelloch_f32__down_sweep_without_barrier(const float* __restrict__ x,
                                                                    float* __restrict__ y, int N, int H)
{
    __shared__ float tree[64];
    int tid = threadIdx.x, row = blockIdx.x;
    tree[tid] = tid < H ? x[row * H + tid] : 0.0f;
    tree[tid + 32] = tid + 32 < H ? x[row * H + tid + 32] : 0.0f;
#pragma unroll 1
    for (int stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        int at = (tid + 1) * 2 * stride - 1;
        if (at < 64) tree[at] += tree[at - stride];
    }
    __syncthreads();
    if (tid == 0) tree[63] = 0.0f;
#pragma unroll 1
    for (int stride = 32; stride > 0; stride /= 2) {
        int at = (tid + 1) * 2 * stride - 1;
        if (at < 64) {
            float left = tree[at - stride];
            tree[at - stride] = tree[at];
            tree[at] += left;
        }
    }
    __syncthreads();
    if (tid < H) y[row * H + tid] = tree[tid];
    if (tid + 32 < H) y[row * H + tid + 32] = tree[tid + 32];
}
