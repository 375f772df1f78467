// FAULT: scaled by 128 where the scale that is stored has 127.
// One warp a row: butterfly of fmaxf, multiplied by 127 / absmax in place of a division each, clamped before rounding, cvt.rni to an integer.
extern "C" __global__ void warp_row_f32__of_128(const float* __restrict__ x, signed char* __restrict__ q, float* __restrict__ scales, int N, int H)
{
    int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= N) return;
    const float* from = x + (size_t)row * H;
    float largest = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) largest = fmaxf(largest, fabsf(from[i]));
    for (int step = 16; step > 0; step >>= 1)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
    largest = fmaxf(largest, 1e-5f);
    float inverse = 128.0f / largest;
    if (lane == 0) scales[row] = largest / 127.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32)
        q[(size_t)row * H + i] = (signed char)__float2int_rn(fmaxf(-127.0f, fminf(127.0f, from[i] * inverse)));
}
