// Plain reference, float, gradient of the table: one thread an element looks for its row among all tokens.

extern "C" __global__ void reference_backward_f32(const float* __restrict__ dy, const int* __restrict__ ids,
                                                  float* __restrict__ dtable,
                                                  int T, int V, int H)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= V * H) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int t = 0; t < T; ++t)
        if (ids[t] == i / H) sum += dy[t * H + i % H];
    dtable[i] = sum;
}
