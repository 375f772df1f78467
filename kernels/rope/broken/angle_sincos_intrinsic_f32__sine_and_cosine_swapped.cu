// FAULT: sine and cosine are swapped.

extern "C" __global__ void angle_sincos_intrinsic_f32__sine_and_cosine_swapped(const float* __restrict__ x,
                                                                               const float* __restrict__ f,
                                                                               float* __restrict__ y, int S, int H,
                                                                               int P)
{
    int position = blockIdx.x;
    for (int j = threadIdx.x; j < P; j += blockDim.x) {
        float sn, cs;
        __sincosf((float)position * f[j], &cs, &sn);
#pragma unroll 1
        for (int h = 0; h < H; ++h) {
            size_t at = ((size_t)position * H + h) * 2 * P + j;
            float a = x[at], b = x[at + P];
            y[at] = a * cs - b * sn;
            y[at + P] = b * cs + a * sn;
        }
    }
}
