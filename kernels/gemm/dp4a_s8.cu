// Four products a step with __dp4a (K % 4 == 0), one thread a cell.
extern "C" __global__ void dp4a_s8(const signed char* __restrict__ a, const signed char* __restrict__ bt, int* __restrict__ c, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    const int* p = reinterpret_cast<const int*>(a + row * K);
    const int* q = reinterpret_cast<const int*>(bt + col * K);
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < K / 4; ++k)
        sum = __dp4a(p[k], q[k], sum);
    c[row * N + col] = sum;
}
