// FAULT: 2^23 is taken away, the 128 of the flipped sign stays.
// Without conversions: the sign bits are flipped (q + 128), prmt puts each byte under 0x4b000000, which makes the float 2^23 + 128 + q.
extern "C" __global__ void magic_prmt_f32__bias_of_unsigned(const unsigned* __restrict__ q, const float* __restrict__ scales, float4* __restrict__ y, int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H / 4) return;
    unsigned v = q[i] ^ 0x80808080u;
    float scale = scales[i / (H / 4)];
    float a = __uint_as_float(__byte_perm(v, 0x4b000000u, 0x7440)) - 8388608.0f;
    float b = __uint_as_float(__byte_perm(v, 0x4b000000u, 0x7441)) - 8388736.0f;
    float c = __uint_as_float(__byte_perm(v, 0x4b000000u, 0x7442)) - 8388736.0f;
    float d = __uint_as_float(__byte_perm(v, 0x4b000000u, 0x7443)) - 8388736.0f;
    y[i] = make_float4(a * scale, b * scale, c * scale, d * scale);
}
