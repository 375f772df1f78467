// FAULT: nothing is stored where x is dropped.

extern "C" __global__ void branch_f32__dropped_not_written(const float* __restrict__ x,
                                                           const unsigned char* __restrict__ mask,
                                                           float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (mask[i] != 0)
        y[i] = x[i] * scale;
}
