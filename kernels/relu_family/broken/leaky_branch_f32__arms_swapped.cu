// FAULT: the arms are swapped.

extern "C" __global__ void leaky_branch_f32__arms_swapped(const float* __restrict__ x, float* __restrict__ y, int n,
                                                          float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (v >= 0.0f)
        y[i] = slope * v;
    else
        y[i] = v;
}
