// Fault: the index is packed as it is: the higher of equals comes first.
__device__ unsigned long long pack(float x, int index)
{
    unsigned bits = __float_as_uint(x + 0.0f);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(bits) << 32 | static_cast<unsigned>(index);
}

__device__ void unpack(unsigned long long key, float* value, int* index)
{
    unsigned bits = static_cast<unsigned>(key >> 32);
    *value = __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits);
    *index = static_cast<int>(static_cast<unsigned>(key));
}

extern "C" __global__ void packed_rounds(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int lane = threadIdx.x;
    unsigned long long mine = lane < H ? pack(x[blockIdx.x * H + lane], lane) : 0;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
        unsigned long long best = mine;
        for (int offset = 16; offset > 0; offset /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
        if (lane == 0) unpack(best, value + blockIdx.x * 2 + k, index + blockIdx.x * 2 + k);
        mine = mine == best ? 0 : mine;
    }
}

extern "C" __global__ void packed_serial(const float* __restrict__ x, float* __restrict__ value, int* __restrict__ index, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    unsigned long long first = 0, second = 0;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        unsigned long long key = pack(x[row * H + i], i);
        second = max(second, min(first, key));
        first = max(first, key);
    }
    unpack(first, value + row * 2, index + row * 2);
    unpack(second, value + row * 2 + 1, index + row * 2 + 1);
}
