// f32, half-split, angles from a table of frequencies. Technique: __sincosf once a position and pair, all heads in a
// loop; a CTA a position.

extern "C" __global__ void angle_sincos_intrinsic_f32(const float* __restrict__ x, const float* __restrict__ f,
                                                      float* __restrict__ y, int S, int H, int P)
{
    int position = blockIdx.x;
    for (int j = threadIdx.x; j < P; j += blockDim.x) {
        float sn, cs;
        __sincosf((float)position * f[j], &sn, &cs);
#pragma unroll 1
        for (int h = 0; h < H; ++h) {
            size_t at = ((size_t)position * H + h) * 2 * P + j;
            float a = x[at], b = x[at + P];
            y[at] = a * cs - b * sn;
            y[at + P] = b * cs + a * sn;
        }
    }
}
