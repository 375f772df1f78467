// 32-bit integers. Entries: sum_s32_serial and max_s32_serial, one thread a row; sum_s32_redux and max_s32_redux, one warp a row,
// redux.sync (__reduce_add_sync, __reduce_max_sync); max_s32_atomic, atomicMax in shared memory.
#include <limits.h>

extern "C" __global__ void sum_s32_serial(const int* x, int* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += x[row * H + i];
    y[row] = sum;
}

extern "C" __global__ void max_s32_serial(const int* x, int* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    int top = INT_MIN;
#pragma unroll 1
    for (int i = 0; i < H; ++i) top = max(top, x[row * H + i]);
    y[row] = top;
}

extern "C" __global__ void sum_s32_redux(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    int sum = 0;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) sum += x[blockIdx.x * H + i];
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

extern "C" __global__ void max_s32_redux(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    int top = INT_MIN;
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 32) top = max(top, x[blockIdx.x * H + i]);
    top = __reduce_max_sync(0xffffffffu, top);
    if (threadIdx.x == 0) y[blockIdx.x] = top;
}

extern "C" __global__ void max_s32_atomic(const int* __restrict__ x, int* __restrict__ y, int N, int H)
{
    __shared__ int top;
    if (threadIdx.x == 0) top = INT_MIN;
    __syncthreads();
    for (int i = threadIdx.x; i < H; i += 32) atomicMax(&top, x[blockIdx.x * H + i]);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = top;
}
