// FAULT: the row of the position is not added.

extern "C" __global__ void position_rows_f32__position_missing(const float* __restrict__ table,
                                                               const float* __restrict__ positions,
                                             const int* __restrict__ ids, float* __restrict__ y, int T, int L, int H)
{
    int i = threadIdx.x, position = blockIdx.x;
    if (i >= H) return;
    float p = positions[position * H + i];
#pragma unroll 1
    for (int token = position; token < T; token += L) y[token * H + i] = table[ids[token] * H + i];
}
