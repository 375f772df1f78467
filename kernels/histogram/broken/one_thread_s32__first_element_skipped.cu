// FAULT: the first element is not counted.

extern "C" __global__ void one_thread_s32__first_element_skipped(const int* __restrict__ x, int* __restrict__ counts,
                                                                 int N, int B)
{
    for (int b = 0; b < B; ++b) counts[b] = 0;
#pragma unroll 1
    for (int i = 1; i < N; ++i) counts[x[i]] += 1;
}
