// FAULT: elements past the end are written.

extern "C" __global__ void bits_four_f32__no_tail_guard(const float* __restrict__ x,
                                                        const unsigned* __restrict__ mask, float* __restrict__ y, int n,
                                         float scale)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    unsigned bits = mask[i / 32] >> (i % 32);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        y[i + j] = bits & (1u << j) ? x[i + j] * scale : 0.0f;
    }
}
