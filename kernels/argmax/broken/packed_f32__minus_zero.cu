// Fault: -0 is ordered below 0, and so is no maximum beside it.
__device__ unsigned long long pack(float x, int index)
{
    unsigned bits = __float_as_uint(x);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(bits) << 32 | static_cast<unsigned>(~index);
}

__device__ void unpack(unsigned long long key, float* value, int* index)
{
    unsigned bits = static_cast<unsigned>(key >> 32);
    *value = __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
    *index = static_cast<int>(~static_cast<unsigned>(key));
}

extern "C" __global__ void packed_serial(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    unsigned long long best = 0;
#pragma unroll 1
    for (int i = 0; i < H; ++i) best = max(best, pack(x[row * H + i], i));
    unpack(best, value + row, index + row);
}

extern "C" __global__ void packed_warp(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    unsigned long long best = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) best = max(best, pack(x[blockIdx.x * H + i], i));
    for (int offset = 16; offset > 0; offset /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
    if (threadIdx.x == 0) unpack(best, value + blockIdx.x, index + blockIdx.x);
}

extern "C" __global__ void packed_atomic(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    __shared__ unsigned long long best;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) atomicMax(&best, pack(x[blockIdx.x * H + i], i));
    __syncthreads();
    if (threadIdx.x == 0) unpack(best, value + blockIdx.x, index + blockIdx.x);
}
