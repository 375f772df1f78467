// FAULT: the element itself is not added: exclusive.

extern "C" __global__ void quadratic_f32__own_element_left_out(const float* __restrict__ x, float* __restrict__ y,
                                                               int N, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * H) return;
    float sum = 0.0f;
#pragma unroll 4
    for (int j = i / H * H; j < i; ++j) sum += x[j];
    y[i] = sum;
}
