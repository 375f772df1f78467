// FAULT: the second half of a step of K is taken from the first.
// mma.sync m16n8k32 on s8, s32 accumulators: one warp a tile of 16 x 8, fragments straight from global memory (whole tiles only).
extern "C" __global__ void mma_s8__k_half_twice(const signed char* __restrict__ a, const signed char* __restrict__ bt, int* __restrict__ c, int M, int N, int K)
{
    int lane = threadIdx.x, group = lane >> 2, in_group = lane & 3;
    int top = blockIdx.y * 16, left = blockIdx.x * 8;
    int d[4] = {};
#pragma unroll 1
    for (int base = 0; base < K; base += 32) {
        const int* p = reinterpret_cast<const int*>(a + (top + group) * K + base) + in_group;
        const int* q = reinterpret_cast<const int*>(bt + (left + group) * K + base) + in_group;
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(p[0]), "r"(p[2 * K]), "r"(p[4]), "r"(p[2 * K + 4]), "r"(q[0]), "r"(q[0]));
    }
    for (int i = 0; i < 4; ++i)
        c[(top + group + (i >> 1) * 8) * N + left + in_group * 2 + (i & 1)] = d[i];
}
