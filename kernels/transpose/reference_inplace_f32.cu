// Plain reference, float, a square matrix in place: one thread an element above the diagonal.

extern "C" __global__ void reference_inplace_f32(float* x, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / N, column = i % N;
    if (row >= N || column <= row) return;
    float v = x[row * N + column];
    x[row * N + column] = x[column * N + row];
    x[column * N + row] = v;
}
