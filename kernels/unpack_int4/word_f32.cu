// One thread a word: masked after a shift that goes on, the 8 taken away as a float, two float4 stores.
extern "C" __global__ void word_f32(const unsigned* __restrict__ p, float4* __restrict__ y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    unsigned v = p[i];
    float out[8];
    for (int j = 0; j < 8; ++j, v >>= 4) out[j] = (float)(v & 15u) - 8.0f;
    y[2 * i] = make_float4(out[0], out[1], out[2], out[3]);
    y[2 * i + 1] = make_float4(out[4], out[5], out[6], out[7]);
}
