// FAULT: both tiles of a pair are exchanged by a CTA each.

extern "C" __global__ void inplace_tiles_f32__both_of_a_pair(float* x, int N)
{
    __shared__ float tile[8][9], mirror[8][9];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    int mirror_column = blockIdx.y * 8 + tx, mirror_row = blockIdx.x * 8 + ty;
    bool in = row < N && column < N, mirror_in = mirror_row < N && mirror_column < N;
    if (in) tile[ty][tx] = x[row * N + column];
    if (mirror_in) mirror[ty][tx] = x[mirror_row * N + mirror_column];
    __syncthreads();
    if (mirror_in) x[mirror_row * N + mirror_column] = tile[tx][ty];
    if (in) x[row * N + column] = mirror[tx][ty];
}
