// FAULT: a sign bit of 16 for one of 8.
extern "C" __global__ void twos_xor__minus_16(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * 8) y[i] = (signed char)((int)((p[i >> 3] >> (i & 7) * 4 & 15) ^ 16) - 16);
}
