// FAULT: positions are counted modulo the number of heads.

extern "C" __global__ void angle_sincos_f32__position_modulo_heads(const float* __restrict__ x,
                                                                   const float* __restrict__ f, float* __restrict__ y,
                                                                   int S, int H, int P)
{
    int position = blockIdx.x;
    for (int j = threadIdx.x; j < P; j += blockDim.x) {
        float sn, cs;
        sincosf((float)(position % H) * f[j], &sn, &cs);
#pragma unroll 1
        for (int h = 0; h < H; ++h) {
            size_t at = ((size_t)position * H + h) * 2 * P + j;
            float a = x[at], b = x[at + P];
            y[at] = a * cs - b * sn;
            y[at + P] = b * cs + a * sn;
        }
    }
}
