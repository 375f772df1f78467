// Two's complement, three ways. `twos_shift`: the nibble to the top and down again with its sign. `twos_bfe`: bfe.s32. `twos_xor`: flip the sign
// bit and take away 8. `twos_word`: all eight of a word at once, as two words of four bytes (no byte borrows from the next).
extern "C" __global__ void twos_shift(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * 8) y[i] = (signed char)((int)(p[i >> 3] << (28 - (i & 7) * 4)) >> 28);
}

extern "C" __global__ void twos_bfe(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 8) return;
    int v;
    asm("bfe.s32 %0, %1, %2, 4;" : "=r"(v) : "r"(p[i >> 3]), "r"((i & 7) * 4));
    y[i] = (signed char)v;
}

extern "C" __global__ void twos_xor(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * 8) y[i] = (signed char)((int)((p[i >> 3] >> (i & 7) * 4 & 15) ^ 8) - 8);
}

extern "C" __global__ void twos_word(const unsigned* __restrict__ p, uint2* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    unsigned even = p[i] & 0x0f0f0f0fu, odd = p[i] >> 4 & 0x0f0f0f0fu;
    even = (even ^ 0x88888888u) - 0x08080808u ^ 0x80808080u;
    odd = (odd ^ 0x88888888u) - 0x08080808u ^ 0x80808080u;
    y[i] = make_uint2(__byte_perm(even, odd, 0x5140), __byte_perm(even, odd, 0x7362));
}
