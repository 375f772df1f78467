// cuda_fp8.h, cuda_fp6.h, cuda_fp4.h: every value of the narrow formats out, and rounding into them.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

extern "C" __global__ void widen_fp8(float* e4m3, float* e5m2, __half2* pairs) {
  int i = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = i;
  b.__x = i;
  e4m3[i] = float(a);
  e5m2[i] = float(b);
  __nv_fp8x2_e4m3 p;
  p.__x = i | (255 - i) << 8;
  pairs[i] = __half2(p);
}
extern "C" __global__ void narrow_fp8(const float* x, unsigned char* e4m3, unsigned char* e5m2, unsigned char* no_saturation,
                                      unsigned short* pairs) {
  int i = threadIdx.x;
  e4m3[i] = __nv_fp8_e4m3(x[i]).__x;
  e5m2[i] = __nv_fp8_e5m2(x[i]).__x;
  no_saturation[i] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
  pairs[i] = __nv_fp8x2_e4m3(make_float2(x[i], -x[i])).__x;
}
extern "C" __global__ void fp8_of_half(const __half* x, unsigned char* y, unsigned* four) {
  int i = threadIdx.x;
  y[i] = __nv_cvt_halfraw_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
  float v = __half2float(x[i]);
  __nv_fp8x4_e5m2 q(make_float4(v, v * 0.5f, -v, v + 1.0f));
  four[i] = q.__x;
}
extern "C" __global__ void narrow_fp6_fp4(const float* x, unsigned char* e2m3, unsigned char* e3m2, unsigned char* e2m1, __half* widened) {
  int i = threadIdx.x;
  e2m3[i] = __nv_cvt_float_to_fp6(x[i], __NV_E2M3, cudaRoundNearest);
  e3m2[i] = __nv_cvt_float_to_fp6(x[i], __NV_E3M2, cudaRoundNearest);
  e2m1[i] = __nv_cvt_float2_to_fp4x2(make_float2(x[i], -x[i]), __NV_E2M1, cudaRoundNearest);
  widened[3 * i] = __half(__nv_cvt_fp6_to_halfraw(i & 63, __NV_E2M3));
  widened[3 * i + 1] = __half(__nv_cvt_fp6_to_halfraw(i & 63, __NV_E3M2));
  widened[3 * i + 2] = __half(__nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1));
}
// Rows scaled by their largest magnitude into e4m3, and back: a quantiser as it is written in practice.
extern "C" __global__ void quantise_rows(const float* x, __nv_fp8_e4m3* q, float* scale, float* back) {
  const float* row = x + blockIdx.x * 64;
  float a = row[threadIdx.x], b = row[threadIdx.x + 32];
  float largest = fmaxf(fabsf(a), fabsf(b));
  for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
  float s = exp2f(ceilf(log2f(largest / 448.0f)));
  __nv_fp8_e4m3 p(a / s), r(b / s);
  q[blockIdx.x * 64 + threadIdx.x] = p;
  q[blockIdx.x * 64 + threadIdx.x + 32] = r;
  back[blockIdx.x * 64 + threadIdx.x] = float(p) * s;
  back[blockIdx.x * 64 + threadIdx.x + 32] = float(r) * s;
  if (threadIdx.x == 0) scale[blockIdx.x] = s;
}
