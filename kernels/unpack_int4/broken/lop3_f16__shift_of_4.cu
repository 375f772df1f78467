// FAULT: the second half of the word is shifted down by 4: nibbles 1, 2 for 2, 3.
// The trick of fast int4 GEMMs: lop3 puts two nibbles under 0x6400 each. The low ones make 1024 + v, the others 1024 + 16 v, which one fused
// multiply-add with 1/16 brings back; four pairs from one word and its shift by 8.
#include <cuda_fp16.h>

extern "C" __global__ void lop3_f16__shift_of_4(const unsigned* __restrict__ p, uint4* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    unsigned v = p[i], top = v >> 4, h[4];
    asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(h[0]) : "r"(v));
    asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;" : "=r"(h[1]) : "r"(v));
    asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(h[2]) : "r"(top));
    asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;" : "=r"(h[3]) : "r"(top));
    asm("sub.f16x2 %0, %0, %1;" : "+r"(h[0]) : "r"(0x64086408));
    asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(h[1]) : "r"(0x2c002c00), "r"(0xd480d480));
    asm("sub.f16x2 %0, %0, %1;" : "+r"(h[2]) : "r"(0x64086408));
    asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(h[3]) : "r"(0x2c002c00), "r"(0xd480d480));
    y[i] = make_uint4(h[0], h[1], h[2], h[3]);
}
