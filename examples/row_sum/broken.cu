// candidate.cu with one fault: the tree of shuffles ends one step early, so odd lanes are lost.
extern "C" __global__ void __launch_bounds__(32) row_sum_warp_broken(const float* x, float* y, int rows, int cols) {
  int row = blockIdx.x;
  float sum = 0.0f;
  for (int col = threadIdx.x; col < cols; col += 32) sum += x[row * cols + col];
  for (int offset = 16; offset > 1; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}
