// Fault: the element that moves the maximum is not added to the sum.
extern "C" __global__ void online_branch_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float top = x[0];
    float sum = 1.0f;
#pragma unroll 1
    for (int i = 1; i < H; ++i) {
        float v = x[i];
        if (v > top) {
            sum = sum * __expf(top - v);
            top = v;
        } else {
            sum += __expf(v - top);
        }
    }
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = __fdividef(__expf(x[i] - top), sum);
}
