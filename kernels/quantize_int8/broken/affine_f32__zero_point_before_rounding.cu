// FAULT: the zero point is added before rounding: halves go to the other side where it is odd.
extern "C" __global__ void affine_f32__zero_point_before_rounding(const float* __restrict__ x, unsigned char* __restrict__ q, int N, float inv_scale, int zero_point)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float low = (float)-zero_point, high = (float)(255 - zero_point);
    float v = fminf(fmaxf(x[i] * inv_scale, low), high);
    q[i] = (unsigned char)(__float2int_rn(v + (float)zero_point));
}
