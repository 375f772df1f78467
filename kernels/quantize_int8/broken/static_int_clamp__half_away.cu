// FAULT: roundf rounds halves away from zero, not to even.
extern "C" __global__ void static_int_clamp__half_away(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) q[i] = (signed char)min(max((int)roundf(x[i] * inv_scale), -128), 127);
}
