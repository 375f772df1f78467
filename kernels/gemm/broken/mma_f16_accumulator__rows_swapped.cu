// FAULT: the fragments of rows 8 to 15 and of k 8 to 15 are exchanged.
// mma.sync m16n8k16 with f16 accumulators, fragments straight from global memory (M % 16, N % 8, K % 16 == 0), widened at the end.
#include <cuda_fp16.h>

extern "C" __global__ void mma_f16_accumulator__rows_swapped(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int lane = threadIdx.x, group = lane >> 2, pair = (lane & 3) * 2;
    int top = blockIdx.y * 16, left = blockIdx.x * 8;
    unsigned d[2] = {0, 0};
    auto two_of_b = [&](int k) {
        __half2 v = __halves2half2(b[k * N + left + group], b[(k + 1) * N + left + group]);
        return *reinterpret_cast<unsigned*>(&v);
    };
#pragma unroll 1
    for (int base = 0; base < K; base += 16) {
        const __half* rows = a + (top + group) * K + base + pair;
        unsigned p0 = *reinterpret_cast<const unsigned*>(rows), p1 = *reinterpret_cast<const unsigned*>(rows + 8 * K);
        unsigned p2 = *reinterpret_cast<const unsigned*>(rows + 8), p3 = *reinterpret_cast<const unsigned*>(rows + 8 * K + 8);
        unsigned q0 = two_of_b(base + pair), q1 = two_of_b(base + pair + 8);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                     : "+r"(d[0]), "+r"(d[1]) : "r"(p0), "r"(p2), "r"(p1), "r"(p3), "r"(q0), "r"(q1));
    }
    for (int i = 0; i < 2; ++i) {
        float2 v = __half22float2(*reinterpret_cast<__half2*>(&d[i]));
        *reinterpret_cast<float2*>(c + (top + group + i * 8) * N + left + pair) = v;
    }
}
