// Plain reference, float, mask of bytes, from the probability p of dropping: one thread an element.

extern "C" __global__ void reference_p_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                           float* __restrict__ y,
                                           int n, float p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] / (1.0f - p);
    y[i] = mask[i] ? v : 0.0f;
}
