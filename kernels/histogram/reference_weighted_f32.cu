// Plain reference, weights: one thread a bin adds the weights of its elements.

extern "C" __global__ void reference_weighted_f32(const int* __restrict__ x, const float* __restrict__ w,
                                                  float* __restrict__ sums, int N, int B)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= B) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < N; ++i)
        if (x[i] == bin) sum += w[i];
    sums[bin] = sum;
}
