// By a given scale, four ways to round and clamp. `static_int_clamp`: rounded by cvt.rni.s32, clamped as an integer. `static_sat`: one
// cvt.rni.sat.s8. `static_magic`: 1.5 * 2^23 is added, which rounds to an integer in the low bits. `static_pack`: cvt.pack.sat of four integers.
extern "C" __global__ void static_int_clamp(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) q[i] = (signed char)min(max(__float2int_rn(x[i] * inv_scale), -128), 127);
}

extern "C" __global__ void static_sat(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int step = blockDim.x * gridDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += step) {
        int v;
        asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(v) : "f"(x[i] * inv_scale));
        q[i] = (signed char)v;
    }
}

extern "C" __global__ void static_magic(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float v = fminf(fmaxf(x[i] * inv_scale, -128.0f), 127.0f) + 12582912.0f;
    q[i] = (signed char)(__float_as_int(v) - 0x4b400000);
}

extern "C" __global__ void static_pack(const float4* __restrict__ x, unsigned* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N / 4) return;
    float4 v = x[i];
    int a = __float2int_rn(v.x * inv_scale), b = __float2int_rn(v.y * inv_scale);
    int c = __float2int_rn(v.z * inv_scale), d = __float2int_rn(v.w * inv_scale);
    unsigned packed;
    asm("{ .reg .b32 t; cvt.pack.sat.s8.s32.b32 t, %4, %3, 0; cvt.pack.sat.s8.s32.b32 %0, %2, %1, t; }" : "=r"(packed) : "r"(a), "r"(b), "r"(c), "r"(d));
    q[i] = packed;
}
