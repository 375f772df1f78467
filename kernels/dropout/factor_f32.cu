// f32, mask of bytes. Technique: the factor is selected, 0 or scale, and then multiplied.

extern "C" __global__ void factor_f32(const float* __restrict__ x, const unsigned char* __restrict__ mask,
                                      float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float factor = mask[i] == 1 ? scale : 0.0f;
    y[i] = x[i] * factor;
}
