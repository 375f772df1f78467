// f32, a square matrix in place. Technique: a CTA exchanges a tile of 8 x 8 with its mirror image, through shared
// memory.

extern "C" __global__ void inplace_tiles_f32(float* x, int N)
{
    __shared__ float tile[8][9], mirror[8][9];
    int tx = threadIdx.x, ty = threadIdx.y;
    if (blockIdx.x < blockIdx.y) return;
    int column = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
    int mirror_column = blockIdx.y * 8 + tx, mirror_row = blockIdx.x * 8 + ty;
    bool in = row < N && column < N, mirror_in = mirror_row < N && mirror_column < N;
    if (in) tile[ty][tx] = x[row * N + column];
    if (mirror_in) mirror[ty][tx] = x[mirror_row * N + mirror_column];
    __syncthreads();
    if (mirror_in) x[mirror_row * N + mirror_column] = tile[tx][ty];
    if (in) x[row * N + column] = mirror[tx][ty];
}
