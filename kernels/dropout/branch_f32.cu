// f32, mask of bytes. Technique: a branch; x is only read where it is kept.

extern "C" __global__ void branch_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                      float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (mask[i] != 0)
        y[i] = x[i] * scale;
    else
        y[i] = 0.0f;
}
