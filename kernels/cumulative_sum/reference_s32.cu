// Plain reference, 32-bit integers: one thread a row, one element after another.

extern "C" __global__ void reference_s32(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        sum += x[row * H + i];
        y[row * H + i] = sum;
    }
}
