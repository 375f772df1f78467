// Leaky ReLU, f32. Technique: a branch, which stores in each arm.

extern "C" __global__ void leaky_branch_f32(const float* __restrict__ x, float* __restrict__ y, int n, float slope)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (v < 0.0f)
        y[i] = slope * v;
    else
        y[i] = v;
}
