// f32, half-split, x overwritten. Technique: one thread an element; a barrier lies between reading the other half and
// writing; 2 P is at most the CTA.

extern "C" __global__ void inplace_element_f32(float* x, const float* __restrict__ c, const float* __restrict__ s,
                                               int S, int H, int P)
{
    int position = blockIdx.y, d = threadIdx.x;
    float* head = x + ((size_t)position * H + blockIdx.x) * 2 * P;
    float v = 0.0f;
    if (d < 2 * P) {
        int j = d % P;
        float other = d < P ? -head[d + P] : head[d - P];
        v = head[d] * c[position * P + j] + other * s[position * P + j];
    }
    __syncthreads();
    if (d < 2 * P) head[d] = v;
}
