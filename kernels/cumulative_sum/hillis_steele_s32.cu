// s32. Technique: Hillis and Steele in shared memory with two barriers a step and one buffer, a CTA of 64 a row of at
// most 64.

extern "C" __global__ void hillis_steele_s32(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    __shared__ int buffer[64];
    int tid = threadIdx.x, row = blockIdx.x;
    int v = tid < H ? x[row * H + tid] : 0;
    buffer[tid] = v;
    __syncthreads();
#pragma unroll 1
    for (int offset = 1; offset < 64; offset *= 2) {
        if (tid >= offset) v += buffer[tid - offset];
        __syncthreads();
        buffer[tid] = v;
        __syncthreads();
    }
    if (tid < H) y[row * H + tid] = v;
}
