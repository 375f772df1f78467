// Plain reference, float, keep mask of floats: one thread an element.

extern "C" __global__ void reference_keep_f32(const float* __restrict__ x, const float* __restrict__ keep,
                                              float* __restrict__ y, int n,
                                              float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * keep[i] * scale;
}
