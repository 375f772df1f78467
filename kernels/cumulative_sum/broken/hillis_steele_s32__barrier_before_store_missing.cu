// FAULT: sums are written into the buffer while others still read it.

extern "C" __global__ void hillis_steele_s32__barrier_before_store_missing(const int* __restrict__ x,
                                                                           int* __restrict__ y, int N, int H)
{
    __shared__ int buffer[64];
    int tid = threadIdx.x, row = blockIdx.x;
    int v = tid < H ? x[row * H + tid] : 0;
    buffer[tid] = v;
    __syncthreads();
#pragma unroll 1
    for (int offset = 1; offset < 64; offset *= 2) {
        if (tid >= offset) v += buffer[tid - offset];
        buffer[tid] = v;
        __syncthreads();
    }
    if (tid < H) y[row * H + tid] = v;
}
