// Plain reference of the integer product: s8 inputs, B transposed (N rows of K), s32 sums.
extern "C" __global__ void reference_s8(const signed char* a, const signed char* bt, int* c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += a[row * K + k] * bt[col * K + k];
    c[row * N + col] = sum;
}
