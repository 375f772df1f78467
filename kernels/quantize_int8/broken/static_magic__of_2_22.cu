// FAULT: 1.5 * 2^22 is added: it rounds to halves, and the low bits count halves.
extern "C" __global__ void static_magic__of_2_22(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float v = fminf(fmaxf(x[i] * inv_scale, -128.0f), 127.0f) + 6291456.0f;
    q[i] = (signed char)(__float_as_int(v) - 0x4ac00000);
}
