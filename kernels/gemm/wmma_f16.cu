// wmma m16n16k16: one warp a tile of 16 x 16, fragments straight from global memory (all sizes multiples of 16).
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void wmma_f16(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int top = blockIdx.y * 16, left = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
#pragma unroll 1
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(fa, a + top * K + k, K);
        wmma::load_matrix_sync(fb, b + k * N + left, N);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + top * N + left, fc, N, wmma::mem_row_major);
}
