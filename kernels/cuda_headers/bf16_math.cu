// cuda_bf16.h: arithmetic, comparisons, conversions and functions of bfloat16.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_arithmetic(const __nv_bfloat16* a, const __nv_bfloat16* b, const __nv_bfloat16* c, __nv_bfloat16* y) {
  int i = threadIdx.x, n = blockDim.x;
  __nv_bfloat16 p = a[i], q = b[i], r = c[i];
  y[i] = __hadd(p, q);
  y[n + i] = __hsub(p, q);
  y[2 * n + i] = __hmul(p, q);
  y[3 * n + i] = __hfma(p, q, r);
  y[4 * n + i] = __hdiv(p, q);
  y[5 * n + i] = __hmax(p, __hneg(q));
  y[6 * n + i] = __hmin(__habs(p), q);
  y[7 * n + i] = __hfma_relu(p, q, r);
  y[8 * n + i] = __hadd_sat(p, q);
  y[9 * n + i] = __hgt(p, q) ? p : r;
}
extern "C" __global__ void bf162_arithmetic(const __nv_bfloat162* a, const __nv_bfloat162* b, const __nv_bfloat162* c, __nv_bfloat162* y,
                                            unsigned* bits) {
  int i = threadIdx.x, n = blockDim.x;
  __nv_bfloat162 p = a[i], q = b[i], r = c[i];
  y[i] = __hadd2(p, q);
  y[n + i] = __hfma2(p, q, r);
  y[2 * n + i] = __hmax2(p, q);
  y[3 * n + i] = __hmul2(p, __low2bfloat162(q));
  y[4 * n + i] = __highs2bfloat162(p, q);
  bits[i] = __hle2_mask(p, q);
}
extern "C" __global__ void bf16_conversions(const float* x, const int* k, __nv_bfloat16* y, int* z) {
  int i = threadIdx.x, n = blockDim.x;
  y[i] = __float2bfloat16_rn(x[i]);
  y[n + i] = __float2bfloat16_rz(x[i]);
  y[2 * n + i] = __float2bfloat16_ru(x[i]);
  y[3 * n + i] = __float2bfloat16_rd(x[i]);
  y[4 * n + i] = __int2bfloat16_rn(k[i]);
  __nv_bfloat162 pair = __floats2bfloat162_rn(x[i], -x[i]);
  y[5 * n + i] = pair.x;
  y[6 * n + i] = pair.y;
  y[7 * n + i] = __double2bfloat16(double(x[i]));
  z[i] = __bfloat162int_rz(pair.x);
  z[n + i] = __bfloat162int_rn(pair.x);
  z[2 * n + i] = __bfloat16_as_ushort(pair.y);
  z[3 * n + i] = __float_as_int(__bfloat162float(pair.x));
}
extern "C" __global__ void bf16_functions(const __nv_bfloat16* x, __nv_bfloat16* y) {
  int i = threadIdx.x, n = blockDim.x;
  __nv_bfloat16 v = x[i];
  y[i] = hexp(v);
  y[n + i] = hlog(v);
  y[2 * n + i] = hsqrt(v);
  y[3 * n + i] = hrsqrt(v);
  y[4 * n + i] = hrcp(v);
  y[5 * n + i] = hsin(v);
  y[6 * n + i] = hcos(v);
  y[7 * n + i] = htanh_approx(v);
  y[8 * n + i] = hfloor(v);
}
