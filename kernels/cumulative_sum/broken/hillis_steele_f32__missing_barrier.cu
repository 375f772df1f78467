// FAULT: the barrier in the loop is missing.

extern "C" __global__ void hillis_steele_f32__missing_barrier(const float* __restrict__ x, float* __restrict__ y,
                                                              int N, int H)
{
    __shared__ float buffer[2][64];
    int tid = threadIdx.x, row = blockIdx.x, from = 0;
    buffer[0][tid] = tid < H ? x[row * H + tid] : 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int offset = 1; offset < 64; offset *= 2) {
        float v = buffer[from][tid];
        if (tid >= offset) v += buffer[from][tid - offset];
        buffer[1 - from][tid] = v;
        from = 1 - from;
    }
    if (tid < H) y[row * H + tid] = buffer[from][tid];
}
