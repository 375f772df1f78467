// float, one CTA of 64 threads a row of at most 64 columns. Technique: the row in shared memory; two rounds of a tree over indices
// alone (values are looked up through them), the winner is then marked as gone.
__device__ int better(const float* row, const int* gone, int a, int b)
{
    // a < b, so that only a strictly larger element of b wins.
    if (b < 0) return a;
    if (a < 0) return b;
    return gone[a] ? b : gone[b] ? a : row[b] > row[a] ? b : a;
}

extern "C" __global__ void block_tree_f32(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    __shared__ float row[64];
    __shared__ int gone[64];
    __shared__ int best[64];
    int tid = threadIdx.x;
    if (tid < H) row[tid] = x[blockIdx.x * H + tid];
    gone[tid] = 0;
    for (int k = 0; k < 2; ++k) {
        best[tid] = tid < H ? tid : -1;
        __syncthreads();
        for (int stride = 1; stride < 64; stride *= 2) {
            if (tid % (2 * stride) == 0) best[tid] = better(row, gone, best[tid], best[tid + stride]);
            __syncthreads();
        }
        if (tid == 0) {
            value[blockIdx.x * 2 + k] = row[best[0]];
            index[blockIdx.x * 2 + k] = best[0];
            gone[best[0]] = 1;
        }
        __syncthreads();
    }
}
