// FAULT: the mask is compared with two.

extern "C" __global__ void factor_f32__mask_of_two(const float* __restrict__ x,
                                                   const unsigned char* __restrict__ mask, float* __restrict__ y,
                                                   int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float factor = mask[i] == 2 ? scale : 0.0f;
    y[i] = x[i] * factor;
}
