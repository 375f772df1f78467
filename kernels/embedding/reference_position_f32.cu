// Plain reference, float: token and position tables added, rows of L tokens; one thread an element of y.

extern "C" __global__ void reference_position_f32(const float* __restrict__ table, const float* __restrict__ positions,
                                                  const int* __restrict__ ids, float* __restrict__ y, int T, int L, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * H) return;
    int token = i / H;
    y[i] = table[ids[token] * H + i % H] + positions[token % L * H + i % H];
}
