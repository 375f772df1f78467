// Technique: one thread goes through all elements and counts in memory, bins are zero before.

extern "C" __global__ void one_thread_s32(const int* __restrict__ x, int* __restrict__ counts, int N, int B)
{
    for (int b = 0; b < B; ++b) counts[b] = 0;
#pragma unroll 1
    for (int i = 0; i < N; ++i) counts[x[i]] += 1;
}
