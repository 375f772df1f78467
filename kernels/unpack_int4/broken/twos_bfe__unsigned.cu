// FAULT: bfe.u32: no sign.
extern "C" __global__ void twos_bfe__unsigned(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 8) return;
    int v;
    asm("bfe.u32 %0, %1, %2, 4;" : "=r"(v) : "r"(p[i >> 3]), "r"((i & 7) * 4));
    y[i] = (signed char)v;
}
