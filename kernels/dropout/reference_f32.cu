// Plain reference, float, mask of bytes: one thread an element, what is kept is scaled.

extern "C" __global__ void reference_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                         float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * scale;
    y[i] = mask[i] ? v : 0.0f;
}
