// Plain reference with halves: each row by its largest magnitude, one thread a row, arithmetic in binary32.
#include <cuda_fp16.h>

extern "C" __global__ void reference_f16(const __half* x, signed char* q, float* scales, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float largest = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        largest = fmaxf(largest, fabsf(__half2float(x[row * H + i])));
    float scale = fmaxf(largest, 1e-5f) / 127.0f;
    scales[row] = scale;
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        q[row * H + i] = (signed char)fminf(fmaxf(rintf(__half2float(x[row * H + i]) / scale), -127.0f), 127.0f);
}
