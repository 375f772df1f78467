// FAULT: nothing is stored for negative x.

extern "C" __global__ void leaky_branch_f32__negative_not_stored(const float* __restrict__ x, float* __restrict__ y,
                                                                 int n, float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (!(v < 0.0f)) y[i] = v;
}
