// One CTA a row: the largest magnitude by atomicMax on the bits (of numbers that are not negative they are in the order of the values).
extern "C" __global__ void atomic_max_f32(const float* __restrict__ x, signed char* __restrict__ q, float* __restrict__ scales, int N, int H)
{
    __shared__ int largest;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    const float* from = x + blockIdx.x * H;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += blockDim.x) atomicMax(&largest, __float_as_int(fabsf(from[i])));
    __syncthreads();
    float scale = fmaxf(__int_as_float(largest), 1e-5f) / 127.0f;
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += blockDim.x)
        q[blockIdx.x * H + i] = (signed char)fminf(fmaxf(rintf(from[i] / scale), -127.0f), 127.0f);
}
