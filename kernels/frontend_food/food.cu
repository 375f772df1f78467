// Food for the PTX front end: language that RMSNorm never uses. Calls with .param spaces (scalars, structs, recursion,
// function pointers), printf and assert, local arrays with a dynamic index, initialised globals and constants, switch
// tables, inline assembly with scopes, votes and matches, packed half arithmetic, atomics, surfaces of the type system.
#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Point {
    float x;
    short tag;
    double weight;
    signed char name[5];
};

struct __align__(16) Quad {
    float v[4];
};

__constant__ float table[8] = {1.0f, -0.5f, 0.25f, 1e-20f, 3.4e38f, -0.0f, 0.1f, 7.0f};
__constant__ Point origin = {0.5f, -3, 2.5, {'a', 'b', 'c', 'd', '\0'}};
__device__ int counters[4] = {1, 2, 3};
__device__ unsigned long long total;
__device__ const char greeting[] = "a \"quoted\" string\n\twith tabs \\ and bytes \x01\xff";
__device__ float* cursor = nullptr;
__device__ const float* indirect[2] = {table + 2, nullptr};

__device__ __noinline__ float scale_point(Point p, float by)
{
    return p.x * by + static_cast<float>(p.weight) + p.name[2];
}

__device__ __noinline__ Quad double_quad(Quad q)
{
    for (float& f : q.v) f *= 2.0f;
    return q;
}

__device__ __noinline__ int collatz(int n, int depth)
{
    if (n <= 1 || depth > 100) return depth;
    return collatz(n % 2 ? 3 * n + 1 : n / 2, depth + 1);
}

__device__ __noinline__ void bump(int* where) { atomicAdd(where, 1); }

template <typename T, int Width>
__device__ __noinline__ T window_sum(const T* from)
{
    T sum = T(0);
    for (int i = 0; i < Width; ++i) sum = sum + from[i];
    return sum;
}

__device__ __noinline__ float add_one(float v) { return v + 1.0f; }
__device__ __noinline__ float negate(float v) { return -v; }
__device__ float (*const operations[2])(float) = {add_one, negate};

extern "C" __global__ void calls(float* out, const int* n, Point point, Quad quad, bool flag, unsigned char small)
{
    Quad twice = double_quad(quad);
    float v = scale_point(point, twice.v[threadIdx.x & 3]) + scale_point(origin, 2.0f);
    v += static_cast<float>(collatz(n[0], 0));
    if (flag) v = operations[small & 1](v);
    bump(&counters[small & 3]);
    out[threadIdx.x] = v + window_sum<float, 3>(out) + static_cast<float>(window_sum<double, 2>(&point.weight));
}

extern "C" __global__ void talks(const float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0 && "n must be positive");
    if (i < n && x[i] < 0.0f) printf("x[%d] = %g of %s\n", i, x[i], greeting);
    if (i == n) __trap();
}

extern "C" __global__ void local_arrays(int* out, const int* index, int n)
{
    int local[16];
    short words[7] = {1, 2, 3};
    for (int i = 0; i < 16; ++i) local[i] = i * index[i];
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += local[index[i] & 15] + words[index[i] % 7u];
    out[threadIdx.x] = sum;
}

extern "C" __global__ void switches(float* out, const int* what, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = out[i];
    switch (what[i]) {
        case 0: v = sinf(v); break;
        case 1: v = expf(v); break;
        case 2: v = sqrtf(fabsf(v)); break;
        case 3: v = out[(i + 1) % n]; break;
        case 4: v = -v; break;
        case 5: v = v * v; break;
        case 6: v = fminf(v, 1.0f); break;
        case 7: v = table[i & 7]; break;
        case 9: v = logf(v); break;
        default: v = 0.0f;
    }
    out[i] = v;
}

extern "C" __global__ void integers(unsigned* out, const unsigned* a, const int* b, const unsigned long long* c)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    int y = b[i];
    unsigned long long z = c[i];
    unsigned r = x / 7u + x % 12u + static_cast<unsigned>(y / 7 + y % 4);
    r ^= __popc(x) + __clz(y) + __ffs(y) + __brev(x) + __byte_perm(x, y, 0x5140);
    r += __funnelshift_l(x, y, 5) + __umulhi(x, y) + __sad(y, 3, x) + __mulhi(y, y);
    r -= static_cast<unsigned>(z / 1000003ull) + static_cast<unsigned>(z >> (x & 63)) + __popcll(z);
    r += __vadd2(x, y) + __vabsdiffu4(x, y) + __dp4a(x, static_cast<unsigned>(y), r);
    r = min(r, x) + max(y, -5) + (x > 10u ? ~x : x << 3) + static_cast<signed char>(y) + static_cast<unsigned short>(x);
    out[i] = r;
}

extern "C" __global__ void warps(unsigned* out, const float* x)
{
    unsigned lane = threadIdx.x & 31;
    unsigned mask = __activemask();
    unsigned votes = __ballot_sync(mask, x[lane] > 0.0f) + __any_sync(mask, lane == 3) + 2 * __all_sync(mask, lane < 40);
    int same;
    votes += __match_any_sync(mask, static_cast<int>(lane / 4)) ^ __match_all_sync(mask, 7, &same);
    votes += __reduce_add_sync(mask, lane) + __reduce_max_sync(mask, lane) + __reduce_xor_sync(mask, lane);
    votes += __shfl_sync(mask, lane, 5) + __shfl_up_sync(mask, lane, 1) + __shfl_down_sync(mask, lane, 2, 8)
           + __shfl_xor_sync(mask, lane, 16);
    __syncwarp();
    votes += __syncthreads_count(lane > 4) + __syncthreads_and(lane) + __syncthreads_or(same);
    out[threadIdx.x] = votes;
}

extern "C" __global__ void atomics(int* a, float* f, unsigned long long* u, double* d)
{
    __shared__ int shared[4];
    if (threadIdx.x < 4) shared[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&shared[threadIdx.x & 3], 1);
    atomicMax(a, static_cast<int>(threadIdx.x));
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.5);
    atomicCAS(u, 0ull, 5ull);
    atomicExch(&a[1], 3);
    atomicInc(reinterpret_cast<unsigned*>(&a[2]), 9u);
    atomicAdd(&total, 1ull);
    __threadfence();
    __threadfence_block();
    __syncthreads();
    a[3] = shared[0] + *const_cast<volatile int*>(&a[4]);
}

extern "C" __global__ void halves(__half2* h, __nv_bfloat162* b, __half* s)
{
    int i = threadIdx.x;
    __half2 v = h[i];
    v = __hfma2(v, v, __float2half2_rn(0.5f));
    v = __hmul2(__lowhigh2highlow(v), __hmax2(v, __hneg2(v)));
    h[i] = __hsub2(h2exp2(v), h2rsqrt(__habs2(v)));
    __nv_bfloat162 w = b[i];
    w = __hfma2(w, w, w);
    b[i] = __hmul2(__hadd2(w, w), __halves2bfloat162(w.y, w.x));
    s[i] = __hgt(s[i], __float2half(1.0f)) ? __hdiv(s[i], __float2half(3.0f)) : __int2half_rn(i);
}

extern "C" __global__ void assembly(unsigned* out, const float* x)
{
    unsigned i = threadIdx.x, r, clock;
    float f = x[i], g;
    asm("{\n\t.reg .pred p;\n\t.reg .u32 t<3>;\n\tsetp.gt.u32 p, %1, 7;\n\t@p add.u32 t1, %1, 0x10;\n\t@!p mov.u32 t1, 017;\n\t"
        "{ .reg .u32 t2; xor.b32 t2, t1, 0b101; lop3.b32 %0, t1, t2, %1, 0x96; }\n\t}"
        : "=r"(r) : "r"(i));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(g) : "f"(f));
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
    asm volatile("// a comment in the middle\n\t/* and\n\t another */ membar.gl;" ::: "memory");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(x));
    out[i] = r + __float_as_uint(g) + (clock & 0);
}

extern "C" __global__ void __launch_bounds__(256, 2) conversions(double* d, float* f, long long* l, const short* s,
                                                                  const unsigned char* u)
{
    int i = threadIdx.x;
    double v = d[i];
    f[i] = __double2float_rz(v) + __int2float_ru(s[i]) + __fdiv_rd(f[i], 3.0f) + __fmaf_rn(f[i], f[i], -1.5f);
    l[i] = __double2ll_rn(v) + __float2int_rd(f[i]) + llrintf(f[i]) + u[i] + static_cast<long long>(__float2uint_rz(f[i]));
    d[i] = floor(v) + rint(v) + trunc(v) + __saturatef(f[i]) + fmin(v, 2.0) + rsqrt(v) + copysign(v, -1.0)
         + __hiloint2double(s[i], u[i]) + (isnan(v) ? 1.0 : 0.0) + (isinf(f[i]) ? 1e308 : 1e-308);
}

extern "C" __global__ void nested_loops(float* out, const float* a, int n, int m)
{
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < n; i += gridDim.y * blockDim.y) {
        float sum = 0.0f;
        int j = 0;
        while (true) {
            if (j >= m) break;
            if (a[i * m + j] < 0.0f) {
                ++j;
                continue;
            }
            do {
                sum += a[i * m + j];
                j += 2;
            } while (j < m && sum < 100.0f);
            if (sum > 1000.0f) goto done;
        }
    done:
        out[i] = sum + threadIdx.z;
    }
}
