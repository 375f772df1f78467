// FAULT: 7 is taken away for 8.
// Without conversions: the nibble is or-ed into 0x4b000000, which makes the float 2^23 + nibble, and 2^23 + 8 is taken away.
extern "C" __global__ void magic_f32__bias_7(const unsigned* __restrict__ p, float4* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * 2) return;
    unsigned v = p[i / 2] >> (i & 1) * 16;
    float a = __uint_as_float(0x4b000000u | (v & 15u)) - 8388615.0f, b = __uint_as_float(0x4b000000u | (v >> 4 & 15u)) - 8388616.0f;
    float c = __uint_as_float(0x4b000000u | (v >> 8 & 15u)) - 8388616.0f, d = __uint_as_float(0x4b000000u | (v >> 12 & 15u)) - 8388616.0f;
    y[i] = make_float4(a, b, c, d);
}
