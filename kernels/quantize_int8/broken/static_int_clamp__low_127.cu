// FAULT: clamped to [-127, 127].
extern "C" __global__ void static_int_clamp__low_127(const float* __restrict__ x, signed char* __restrict__ q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) q[i] = (signed char)min(max(__float2int_rn(x[i] * inv_scale), -127), 127);
}
