// float, C = A B with A 64 x 4096, B 4096 x 64, row-major: one CTA of 256 threads for the whole tile. Technique: slices of 16 along k in
// shared memory (A transposed), loaded as float4; a register tile of 4 x 4 a thread, read as float4.
extern "C" __global__ void gemm_tiled_f32(const float4* __restrict__ A, const float4* __restrict__ B, float4* __restrict__ C)
{
    __shared__ __align__(16) float a[16][64];
    __shared__ __align__(16) float b[16][64];
    int tid = threadIdx.x;
    int row = tid / 16;
    int column = tid % 16;
    float c[4][4] = {};
#pragma unroll 1
    for (int first = 0; first < 4096; first += 16) {
        // 256 threads load 64 rows x 4 quads of A and 16 rows x 16 quads of B.
        float4 u = A[tid / 4 * 1024 + first / 4 + tid % 4];
        a[tid % 4 * 4][tid / 4] = u.x;
        a[tid % 4 * 4 + 1][tid / 4] = u.y;
        a[tid % 4 * 4 + 2][tid / 4] = u.z;
        a[tid % 4 * 4 + 3][tid / 4] = u.w;
        *reinterpret_cast<float4*>(&b[tid / 16][tid % 16 * 4]) = B[(first + tid / 16) * 16 + tid % 16];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 16; ++k) {
            float4 p = *reinterpret_cast<const float4*>(&a[k][row * 4]);
            float4 q = *reinterpret_cast<const float4*>(&b[k][column * 4]);
            float x[4] = {p.x, p.y, p.z, p.w};
            float y[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) c[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) C[(row * 4 + i) * 16 + column] = make_float4(c[i][0], c[i][1], c[i][2], c[i][3]);
}
