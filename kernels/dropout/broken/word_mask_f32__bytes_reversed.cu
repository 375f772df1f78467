// FAULT: bytes are taken from the other end of the word.

extern "C" __global__ void word_mask_f32__bytes_reversed(const float* __restrict__ x,
                                                         const unsigned char* __restrict__ mask,
                                                         float* __restrict__ y, int n, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    unsigned m = reinterpret_cast<const unsigned*>(mask)[i];
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x *= (float)(m >> 24 & 0xff) * scale;
    v.y *= (float)(m >> 16 & 0xff) * scale;
    v.z *= (float)(m >> 8 & 0xff) * scale;
    v.w *= (float)(m & 0xff) * scale;
    reinterpret_cast<float4*>(y)[i] = v;
}
