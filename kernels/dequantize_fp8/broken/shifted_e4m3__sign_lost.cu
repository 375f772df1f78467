// FAULT: the sign of the second number stays behind.
// By hand, to halves: sign and the other seven bits moved under binary16's, which is 2^-8 of the number (the exponent's bias is 7, not 15), also below
// 2^-6; times 256. Two elements a thread.
#include <cuda_fp16.h>

extern "C" __global__ void shifted_e4m3__sign_lost(const unsigned short* __restrict__ x, __half2* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N / 2) return;
    unsigned v = x[i];
    unsigned bits = (v & 0x80u) << 8 | (v & 0x7fu) << 7 | (v & 0x7f00u) << 15;
    y[i] = __hmul2(*reinterpret_cast<__half2*>(&bits), __float2half2_rn(256.0f));
}
