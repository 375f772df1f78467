// FAULT: the rest of B is multiplied where its big part belongs.
// 3xTF32: each f32 as a tf32 and a tf32 of what is left, three products of mma.sync m16n8k4 (the product of the two rests is left out:
// over the reals the rests are zero). M % 16, N % 8, K % 4 == 0.
extern "C" __global__ void mma_tf32x3__rest_for_big(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int lane = threadIdx.x, group = lane >> 2, in_group = lane & 3;
    int top = blockIdx.y * 16, left = blockIdx.x * 8;
    auto split = [](float v, unsigned& big, unsigned& rest) {
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(big) : "f"(v));
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rest) : "f"(v - __uint_as_float(big)));
    };
    float d[4] = {};
    auto product = [&](const unsigned* p, unsigned q) {
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(p[0]), "r"(p[1]), "r"(q));
    };
#pragma unroll 1
    for (int k = in_group; k < K; k += 4) {
        unsigned big[2], rest[2], q_big, q_rest;
        split(a[(top + group) * K + k], big[0], rest[0]);
        split(a[(top + group + 8) * K + k], big[1], rest[1]);
        split(b[k * N + left + group], q_big, q_rest);
        product(rest, q_big);
        product(big, q_rest);
        product(big, q_rest);
    }
    for (int i = 0; i < 4; ++i)
        c[(top + group + (i >> 1) * 8) * N + left + in_group * 2 + (i & 1)] = d[i];
}
