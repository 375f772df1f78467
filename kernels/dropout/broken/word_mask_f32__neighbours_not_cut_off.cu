// FAULT: the third byte brings the fourth with it.

extern "C" __global__ void word_mask_f32__neighbours_not_cut_off(const float* __restrict__ x,
                                                                 const unsigned char* __restrict__ mask,
                                                                 float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    unsigned m = reinterpret_cast<const unsigned*>(mask)[i];
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x *= (float)(m & 0xff) * scale;
    v.y *= (float)(m >> 8 & 0xff) * scale;
    v.z *= (float)(m >> 16) * scale;
    v.w *= (float)(m >> 24) * scale;
    reinterpret_cast<float4*>(y)[i] = v;
}
