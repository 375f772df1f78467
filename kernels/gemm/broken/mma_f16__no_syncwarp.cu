// FAULT: nothing orders the stores into the tiles before ldmatrix of other lanes.
// mma.sync m16n8k16 on f16, binary32 accumulators: one warp a tile of 16 x 8, through shared memory (zero past the edges) and ldmatrix.
#include <cuda_fp16.h>

extern "C" __global__ void mma_f16__no_syncwarp(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    __shared__ alignas(16) __half ta[16][24], tb[16][8];
    int lane = threadIdx.x;
    int top = blockIdx.y * 16, left = blockIdx.x * 8;
    float d[4] = {};
#pragma unroll 1
    for (int base = 0; base < K; base += 16) {
#pragma unroll 1
        for (int i = lane; i < 256; i += 32) {
            int r = i >> 4, k = i & 15;
            ta[r][k] = top + r < M && base + k < K ? a[(top + r) * K + base + k] : __half(0.0f);
        }
#pragma unroll 1
        for (int i = lane; i < 128; i += 32) {
            int k = i >> 3, n = i & 7;
            tb[k][n] = left + n < N && base + k < K ? b[(base + k) * N + left + n] : __half(0.0f);
        }
        unsigned p[4], q[2];
        unsigned from_a = __cvta_generic_to_shared(&ta[lane & 15][(lane >> 4) * 8]);
        unsigned from_b = __cvta_generic_to_shared(&tb[lane & 15][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]) : "r"(from_a) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(q[0]), "=r"(q[1]) : "r"(from_b) : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; ++i) {
        int row = top + (lane >> 2) + (i >> 1) * 8, col = left + (lane & 3) * 2 + (i & 1);
        if (row < M && col < N) c[row * N + col] = d[i];
    }
}
