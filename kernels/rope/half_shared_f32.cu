// f32, half-split. Technique: a head is staged in shared memory, then rotated in place of a second read; a CTA a head,
// dynamic shared memory.

extern "C" __global__ void half_shared_f32(const float* __restrict__ x, const float* __restrict__ c,
                                           const float* __restrict__ s, float* __restrict__ y, int S, int H, int P)
{
    extern __shared__ float row[];
    int position = blockIdx.y;
    size_t base = ((size_t)position * H + blockIdx.x) * 2 * P;
    for (int d = threadIdx.x; d < 2 * P; d += blockDim.x) row[d] = x[base + d];
    __syncthreads();
    for (int d = threadIdx.x; d < 2 * P; d += blockDim.x) {
        bool low = d < P;
        int j = low ? d : d - P;
        float other = row[low ? d + P : j];
        float sn = s[position * P + j];
        y[base + d] = fmaf(other, low ? -sn : sn, row[d] * c[position * P + j]);
    }
}
