// Broken twin of named_barrier_f32. The fault: the barriers of 64 threads wait for 96.

__device__ __forceinline__ void group_barrier(int id)
{
    asm volatile("bar.sync %0, 96;" ::"r"(id) : "memory");
}

extern "C" __global__ void named_barrier_f32__wrong_count(const float* __restrict__ x, const float* __restrict__ w,
                                             float* __restrict__ y, int N, int H, float eps)
{
    __shared__ float partial[2][2];
    int group = threadIdx.x / 64;
    int t = threadIdx.x % 64;
    int row = blockIdx.x * 2 + group;
    if (row >= N) return;  // the same for all threads of a group
    size_t base = (size_t)row * H;
    float sum = 0.0f;
    for (int i = t; i < H; i += 64) {
        float v = x[base + i];
        sum += v * v;
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (t % 32 == 0) partial[group][t / 32] = sum;
    group_barrier(group + 1);
    float scale = rsqrtf((partial[group][0] + partial[group][1]) / H + eps);
    for (int i = t; i < H; i += 64)
        y[base + i] = x[base + i] * scale * w[i];
}
