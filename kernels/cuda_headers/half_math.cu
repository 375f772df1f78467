// cuda_fp16.h: arithmetic, comparisons, conversions and functions of half and half2.
#include <cuda_fp16.h>

extern "C" __global__ void half_arithmetic(const __half* a, const __half* b, const __half* c, __half* y) {
  int i = threadIdx.x, n = blockDim.x;
  __half p = a[i], q = b[i], r = c[i];
  y[i] = __hadd(p, q);
  y[n + i] = __hsub(p, q);
  y[2 * n + i] = __hmul(p, q);
  y[3 * n + i] = __hfma(p, q, r);
  y[4 * n + i] = __hdiv(p, q);
  y[5 * n + i] = __hadd_sat(p, q);
  y[6 * n + i] = __hfma_sat(p, q, r);
  y[7 * n + i] = __hfma_relu(p, q, r);
  y[8 * n + i] = __hmax(__hneg(p), q);
  y[9 * n + i] = __hmin(__habs(p), r);
  y[10 * n + i] = __hmax_nan(p, q);
  y[11 * n + i] = p * q + r;
}
extern "C" __global__ void half2_arithmetic(const __half2* a, const __half2* b, const __half2* c, __half2* y, unsigned* bits) {
  int i = threadIdx.x, n = blockDim.x;
  __half2 p = a[i], q = b[i], r = c[i];
  y[i] = __hadd2(p, q);
  y[n + i] = __hfma2(p, q, r);
  y[2 * n + i] = __hmul2_sat(p, q);
  y[3 * n + i] = __hfma2_relu(p, q, r);
  y[4 * n + i] = __hmin2(p, __lowhigh2highlow(q));
  y[5 * n + i] = __halves2half2(__high2half(p), __low2half(q));
  y[6 * n + i] = __hgt2(p, q);
  y[7 * n + i] = __hcmadd(p, q, r);
  bits[i] = (__hbeq2(p, q) ? 1 : 0) | (__hblt2(p, q) ? 2 : 0) | __hgt2_mask(p, q) << 2;
}
extern "C" __global__ void half_conversions(const float* x, const int* k, __half* y, int* z, float* f) {
  int i = threadIdx.x, n = blockDim.x;
  y[i] = __float2half_rn(x[i]);
  y[n + i] = __float2half_rz(x[i]);
  y[2 * n + i] = __float2half_ru(x[i]);
  y[3 * n + i] = __float2half_rd(x[i]);
  y[4 * n + i] = __int2half_rn(k[i]);
  y[5 * n + i] = __short2half_rn(short(k[i]));
  y[6 * n + i] = __double2half(double(x[i]) * 3.0);
  __half h = __float2half(x[i]);
  z[i] = __half2int_rn(h);
  z[n + i] = __half2int_rz(h);
  z[2 * n + i] = __half2int_ru(h);
  z[3 * n + i] = __half2uint_rd(h);
  z[4 * n + i] = __half2ushort_rn(h);
  z[5 * n + i] = int(__half2ll_rz(h));
  z[6 * n + i] = __half_as_short(h);
  z[7 * n + i] = __hisnan(h) + 2 * __hisinf(h) + 4 * __heq(h, hrint(h)) + 8 * __hltu(h, y[n + i]);
  f[i] = __half2float(h) + __low2float(__half2half2(h));
  y[7 * n + i] = hfloor(h);
  y[8 * n + i] = hceil(h);
  y[9 * n + i] = htrunc(h);
}
extern "C" __global__ void half_functions(const __half* x, __half* y) {
  int i = threadIdx.x, n = blockDim.x;
  __half v = x[i];
  y[i] = hexp(v);
  y[n + i] = hexp2(v);
  y[2 * n + i] = hlog(v);
  y[3 * n + i] = hlog2(v);
  y[4 * n + i] = hsqrt(v);
  y[5 * n + i] = hrsqrt(v);
  y[6 * n + i] = hrcp(v);
  y[7 * n + i] = hsin(v);
  y[8 * n + i] = hcos(v);
  y[9 * n + i] = htanh_approx(v);
  y[10 * n + i] = hexp10(v);
  y[11 * n + i] = hlog10(v);
}
// A dot product of half2 with a float accumulator and a shuffle of half2.
extern "C" __global__ void half2_dot(const __half2* a, const __half2* b, float* y, __half2* packed) {
  float sum = 0;
  __half2 partial = __float2half2_rn(0.0f);
  for (int i = threadIdx.x; i < 128; i += 32) {
    float2 p = __half22float2(a[i]), q = __half22float2(b[i]);
    sum += p.x * q.x + p.y * q.y;
    partial = __hfma2(a[i], b[i], partial);
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(~0u, sum, step);
    partial = __hadd2(partial, __shfl_xor_sync(~0u, partial, step));
  }
  if (threadIdx.x == 0) {
    *y = sum;
    *packed = partial;
  }
}
