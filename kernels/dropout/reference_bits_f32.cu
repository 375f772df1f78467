// Plain reference, float, a mask of one bit an element: one thread an element reads its word.

extern "C" __global__ void reference_bits_f32(const float* __restrict__ x, const unsigned* __restrict__ mask,
                                              float* __restrict__ y, int n,
                                              float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * scale;
    y[i] = (mask[i / 32] >> (i % 32)) & 1 ? v : 0.0f;
}
