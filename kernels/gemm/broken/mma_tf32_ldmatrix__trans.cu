// FAULT: ldmatrix with .trans on B: it moves halves, so numbers come out of the halves of two.
// mma.sync m16n8k8 on tf32 through shared memory: ldmatrix moves four 32-bit numbers as a row of eight halves; B's tile lies transposed, so that
// its fragments need no .trans (which would tear the numbers apart). Rounded to tf32 after the fragments are loaded.
extern "C" __global__ void mma_tf32_ldmatrix__trans(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    __shared__ alignas(16) float ta[16][8], tb[8][8];
    int lane = threadIdx.x, top = blockIdx.y * 16, left = blockIdx.x * 8;
    float d[4] = {};
#pragma unroll 1
    for (int base = 0; base < K; base += 8) {
#pragma unroll 1
        for (int i = lane; i < 128; i += 32) {
            int r = i >> 3, k = i & 7;
            ta[r][k] = top + r < M && base + k < K ? a[(top + r) * K + base + k] : 0.0f;
        }
#pragma unroll 1
        for (int i = lane; i < 64; i += 32) {
            int k = i >> 3, n = i & 7;
            tb[n][k] = left + n < N && base + k < K ? b[(base + k) * N + left + n] : 0.0f;
        }
        __syncwarp();
        unsigned p[4], q[2];
        unsigned from_a = __cvta_generic_to_shared(&ta[lane & 15][(lane >> 4) * 4]);
        unsigned from_b = __cvta_generic_to_shared(&tb[lane & 7][(lane >> 3 & 1) * 4]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]) : "r"(from_a) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(q[0]), "=r"(q[1]) : "r"(from_b) : "memory");
        for (int i = 0; i < 4; ++i) asm("cvt.rna.tf32.f32 %0, %0;" : "+r"(p[i]));
        for (int i = 0; i < 2; ++i) asm("cvt.rna.tf32.f32 %0, %0;" : "+r"(q[i]));
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; ++i) {
        int row = top + (lane >> 2) + (i >> 1) * 8, col = left + (lane & 3) * 2 + (i & 1);
        if (row < M && col < N) c[row * N + col] = d[i];
    }
}
