// FAULT: the scalar path ends at the last multiple of four, dropping up to three elements.
// One warp a row: float4 loads where rows are 16-byte aligned (K % 4 == 0), a scalar loop otherwise; shuffles down.
extern "C" __global__ void vec4_f32__remainder_dropped(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int M, int K)
{
    int row = blockIdx.x;
    float sum = 0.0f;
    if ((K & 3) == 0) {
        const float4* a4 = reinterpret_cast<const float4*>(a + (size_t)row * K);
        const float4* x4 = reinterpret_cast<const float4*>(x);
#pragma unroll 1
        for (int k = threadIdx.x; k < K / 4; k += 32) {
            float4 p = a4[k], q = x4[k];
            sum += (p.x * q.x + p.y * q.y) + (p.z * q.z + p.w * q.w);
        }
    } else {
#pragma unroll 1
        for (int k = threadIdx.x; k < K - (K & 3); k += 32)
            sum = fmaf(a[(size_t)row * K + k], x[k], sum);
    }
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) y[row] = sum;
}
