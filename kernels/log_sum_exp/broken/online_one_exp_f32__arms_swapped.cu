// Fault: the sum is scaled where the element is not the new maximum.
extern "C" __global__ void online_one_exp_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float top = x[0];
    float sum = 1.0f;
#pragma unroll 1
    for (int i = 1; i < H; ++i) {
        float v = x[i];
        float e = __expf(-fabsf(v - top));
        sum = v < top ? sum * e + 1.0f : sum + e;
        top = fmaxf(top, v);
    }
    y[row] = top + __logf(sum);
}
