// FAULT: the bytes of B are taken as unsigned.
// Four products a step with __dp4a (K % 4 == 0), one thread a cell.
extern "C" __global__ void dp4a_s8__unsigned_b(const signed char* __restrict__ a, const signed char* __restrict__ bt, int* __restrict__ c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    const int* p = reinterpret_cast<const int*>(a + row * K);
    const unsigned* q = reinterpret_cast<const unsigned*>(bt + col * K);
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < K / 4; ++k)
        asm("dp4a.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(p[k]), "r"(q[k]));
    c[row * N + col] = sum;
}
