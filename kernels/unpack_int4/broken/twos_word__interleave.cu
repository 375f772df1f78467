// FAULT: the odd nibbles come before the even ones.
extern "C" __global__ void twos_word__interleave(const unsigned* __restrict__ p, uint2* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    unsigned even = p[i] & 0x0f0f0f0fu, odd = p[i] >> 4 & 0x0f0f0f0fu;
    even = (even ^ 0x88888888u) - 0x08080808u ^ 0x80808080u;
    odd = (odd ^ 0x88888888u) - 0x08080808u ^ 0x80808080u;
    y[i] = make_uint2(__byte_perm(odd, even, 0x5140), __byte_perm(odd, even, 0x7362));
}
