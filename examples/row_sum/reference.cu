// y[r] = sum of x[r,c] over c, one thread a row.
extern "C" __global__ void row_sum(const float* x, float* y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int col = 0; col < cols; ++col) sum += x[row * cols + col];
  y[row] = sum;
}
