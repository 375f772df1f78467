// FAULT: the barrier between the halves is missing.

extern "C" __global__ void bag_shared_f32__missing_barrier(const float* __restrict__ table,
                                                           const int* __restrict__ ids, float* __restrict__ y, int B,
                                          int L, int H)
{
    __shared__ float part[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, bag = blockIdx.x;
    float sum = 0.0f;
    if (lane < H) {
#pragma unroll 2
        for (int j = warp; j < L; j += 2) sum += table[ids[bag * L + j] * H + lane];
    }
    if (warp == 1) part[lane] = sum;
    if (warp == 0 && lane < H) y[bag * H + lane] = (sum + part[lane]) * (1.0f / L);
}
