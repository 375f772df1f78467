// FAULT: no saturation: the low byte of the integer is stored.
extern "C" __global__ void static_sat__wraps(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int step = blockDim.x * gridDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += step) {
        int v;
        asm("cvt.rni.s32.f32 %0, %1;" : "=r"(v) : "f"(x[i] * inv_scale));
        q[i] = (signed char)v;
    }
}
