// FAULT: the weight is taken by bin, not by element.

extern "C" __global__ void weighted_global_f32__weight_of_bin(const int* __restrict__ x, const float* __restrict__ w,
                                                              float* __restrict__ sums, int N, int B)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&sums[x[i]], w[x[i]]);
}
