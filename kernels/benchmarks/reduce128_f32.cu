// float, 128 numbers to one: sums and maxima by one thread (serial), a tree in shared memory of 64 threads (tree), a butterfly of a warp
// (shuffle), float4 loads and a butterfly of a warp (vec4).
struct Sum {
    static __device__ float join(float a, float b) { return a + b; }
};
struct Max {
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
};

template <class Op>
__device__ void serial(const float* x, float* y)
{
    if (threadIdx.x != 0) return;
    float v = x[0];
#pragma unroll 1
    for (int i = 1; i < 128; ++i) v = Op::join(v, x[i]);
    y[0] = v;
}

template <class Op>
__device__ void tree(const float* __restrict__ x, float* __restrict__ y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = Op::join(x[tid], x[tid + 64]);
    __syncthreads();
#pragma unroll 1
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) part[tid] = Op::join(part[tid], part[tid + half]);
        __syncthreads();
    }
    if (tid == 0) y[0] = part[0];
}

template <class Op>
__device__ float butterfly(float v)
{
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) v = Op::join(v, __shfl_xor_sync(0xffffffffu, v, offset));
    return v;
}

template <class Op>
__device__ void shuffle(const float* __restrict__ x, float* __restrict__ y)
{
    int lane = threadIdx.x;
    float v = butterfly<Op>(Op::join(Op::join(x[lane], x[lane + 32]), Op::join(x[lane + 64], x[lane + 96])));
    if (lane == 0) y[0] = v;
}

template <class Op>
__device__ void vec4(const float4* __restrict__ x, float* __restrict__ y)
{
    float4 u = x[threadIdx.x];
    float v = butterfly<Op>(Op::join(Op::join(u.x, u.y), Op::join(u.z, u.w)));
    if (threadIdx.x == 0) y[0] = v;
}

#define KERNEL(name, how, Op, T)                                                                   \
    extern "C" __global__ void name(const T* x, float* y) { how<Op>(x, y); }

KERNEL(sum_serial, serial, Sum, float)
KERNEL(sum_tree, tree, Sum, float)
KERNEL(sum_shuffle, shuffle, Sum, float)
KERNEL(sum_vec4, vec4, Sum, float4)
KERNEL(max_serial, serial, Max, float)
KERNEL(max_tree, tree, Max, float)
KERNEL(max_shuffle, shuffle, Max, float)
KERNEL(max_vec4, vec4, Max, float4)
