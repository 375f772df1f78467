// f32, bags. Technique: a CTA of two warps a bag; a warp takes every other index, the halves meet in shared memory; H
// is at most 32.

extern "C" __global__ void bag_shared_f32(const float* __restrict__ table, const int* __restrict__ ids,
                                          float* __restrict__ y, int B,
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
    __syncthreads();
    if (warp == 0 && lane < H) y[bag * H + lane] = (sum + part[lane]) * (1.0f / L);
}
