// FAULT: the upper half is rotated with itself.

extern "C" __global__ void half_element_f32__wrong_half(const float* __restrict__ x, const float* __restrict__ c,
                                                        const float* __restrict__ s, float* __restrict__ y, int S,
                                                        int H, int P)
{
    int position = blockIdx.y;
    size_t base = ((size_t)position * H + blockIdx.x) * 2 * P;
    for (int d = threadIdx.x; d < 2 * P; d += blockDim.x) {
        int j = d < P ? d : d - P;
        float rotated = d < P ? -x[base + d + P] : x[base + d];
        y[base + d] = x[base + d] * c[position * P + j] + rotated * s[position * P + j];
    }
}
