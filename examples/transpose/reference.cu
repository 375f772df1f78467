// y[c,r] = x[r,c], one element a thread.
extern "C" __global__ void transpose(const float* x, float* y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) y[col * rows + row] = x[row * cols + col];
}
