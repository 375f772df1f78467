// mma.sync m16n8k8 on tf32: one warp a tile of 16 x 8, f32 from global memory rounded by cvt.rna, zero past the edges.
extern "C" __global__ void mma_tf32(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int lane = threadIdx.x, group = lane >> 2, in_group = lane & 3;
    int top = blockIdx.y * 16, left = blockIdx.x * 8;
    auto from_a = [&](int row, int k) {
        unsigned r;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(row < M && k < K ? a[row * K + k] : 0.0f));
        return r;
    };
    auto from_b = [&](int k, int col) {
        unsigned r;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(col < N && k < K ? b[k * N + col] : 0.0f));
        return r;
    };
    float d[4] = {};
#pragma unroll 1
    for (int base = 0; base < K; base += 8) {
        unsigned p0 = from_a(top + group, base + in_group), p1 = from_a(top + group + 8, base + in_group);
        unsigned p2 = from_a(top + group, base + in_group + 4), p3 = from_a(top + group + 8, base + in_group + 4);
        unsigned q0 = from_b(base + in_group, left + group), q1 = from_b(base + in_group + 4, left + group);
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(p0), "r"(p1), "r"(p2), "r"(p3), "r"(q0), "r"(q1));
    }
    for (int i = 0; i < 4; ++i) {
        int row = top + group + (i >> 1) * 8, col = left + in_group * 2 + (i & 1);
        if (row < M && col < N) c[row * N + col] = d[i];
    }
}
