// FAULT: shifted down without the sign.
extern "C" __global__ void twos_shift__logical_shift(const unsigned* __restrict__ p, signed char* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * 8) y[i] = (signed char)((p[i >> 3] << (28 - (i & 7) * 4)) >> 28);
}
