// The same through a tile of shared memory, so that loads and stores both run along rows. A thread stores what another one
// loaded: without the barrier between them that is a data race.
constexpr int kTile = 16;
extern "C" __global__ void transpose_tiled(const float* x, float* y, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
  __syncthreads();
  int out_col = blockIdx.y * kTile + threadIdx.x;
  int out_row = blockIdx.x * kTile + threadIdx.y;
  if (out_row < cols && out_col < rows) y[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
