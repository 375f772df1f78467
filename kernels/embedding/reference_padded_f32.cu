// Plain reference, float: the row of index 0 is padding and gives zeros, others are scaled; one thread an element of y.

extern "C" __global__ void reference_padded_f32(const float* __restrict__ table, const int* __restrict__ ids,
                                                float* __restrict__ y,
                                                int T, int H, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * H) return;
    int id = ids[i / H];
    y[i] = id == 0 ? 0.0f : scale * table[id * H + i % H];
}
