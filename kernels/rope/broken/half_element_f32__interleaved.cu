// FAULT: element 2j is rotated with 2j + 1: the other layout.

extern "C" __global__ void half_element_f32__interleaved(const float* __restrict__ x, const float* __restrict__ c,
                                                         const float* __restrict__ s, float* __restrict__ y, int S,
                                                         int H, int P)
{
    int position = blockIdx.y;
    size_t base = ((size_t)position * H + blockIdx.x) * 2 * P;
    for (int d = threadIdx.x; d < 2 * P; d += blockDim.x) {
        int j = d / 2;
        float rotated = d % 2 == 0 ? -x[base + d + 1] : x[base + d - 1];
        y[base + d] = x[base + d] * c[position * P + j] + rotated * s[position * P + j];
    }
}
