// Fault: the sign bit is kept: the integer maximum finds the largest value.
extern "C" __global__ void absolute_max_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    __shared__ int top;
    if (threadIdx.x == 0) top = 0;
    __syncthreads();
    int v = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 64) v = max(v, __float_as_int(x[blockIdx.x * H + i]));
    for (int offset = 16; offset > 0; offset /= 2) v = max(v, __shfl_xor_sync(0xffffffffu, v, offset));
    if (threadIdx.x % 32 == 0) atomicMax(&top, v);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = __int_as_float(top);
}
