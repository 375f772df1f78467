// Broken twin of weights_shared_f16. The fault: the weights are staged one element further on, the allocation is as
// before.
#include <cuda_fp16.h>

extern __shared__ float weights[];

extern "C" __global__ void weights_shared_f16__shared_one_short(const __half* __restrict__ x, const __half* __restrict__ w,
                                              __half* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[4];
    int tid = threadIdx.x;
    for (int i = H - 1 - tid; i >= 0; i -= 128)  // last element first: a thread does not read back what it staged
        weights[i + 1] = __half2float(w[i]);
    __syncthreads();
    for (int row = blockIdx.x; row < N; row += gridDim.x) {
        const __half* xr = x + (size_t)row * H;
        __half* yr = y + (size_t)row * H;
        float sum = 0.0f;
        for (int i = tid; i < H; i += 128) {
            float v = __half2float(xr[i]);
            sum += v * v;
        }
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        if (tid % 32 == 0) partial[tid / 32] = sum;
        __syncthreads();
        float total = (partial[0] + partial[1]) + (partial[2] + partial[3]);
        float scale = rsqrtf(total / H + eps);
        for (int i = tid; i < H; i += 128)
            yr[i] = __float2half_rn(__half2float(xr[i]) * scale * weights[i + 1]);
        __syncthreads();  // the next row overwrites partial[]
    }
}
