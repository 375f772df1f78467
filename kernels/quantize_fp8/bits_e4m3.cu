// By hand on the bits of the float, for hardware without fp8: rounded to nearest even by integer addition; numbers below 2^-6 get their three
// bits by adding 2^14, which rounds to multiples of 2^-9; no code above that of 448.
extern "C" __global__ void bits_e4m3(const float* __restrict__ x, unsigned char* __restrict__ y, int N, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    unsigned v = __float_as_uint(x[i] * scale), sign = v >> 24 & 0x80u;
    v &= 0x7fffffffu;
    unsigned normal = (v + 0x7ffffu + (v >> 20 & 1u) - (120u << 23)) >> 20;
    unsigned small = __float_as_uint(__uint_as_float(v) + 16384.0f) - 0x46800000u;
    unsigned code = v < 0x3c800000u ? small : normal;
    y[i] = (unsigned char)(min(code, 0x7eu) | sign);
}
