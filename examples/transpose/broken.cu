// candidate.cu with one fault: the barrier is missing. On most devices it passes every test, most of the time.
constexpr int kTile = 16;
extern "C" __global__ void transpose_tiled_broken(const float* x, float* y, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = x[row * cols + col];
  int out_col = blockIdx.y * kTile + threadIdx.x;
  int out_row = blockIdx.x * kTile + threadIdx.y;
  if (out_row < cols && out_col < rows) y[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
