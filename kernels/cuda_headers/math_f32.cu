// The device library's single-precision functions, in their precise forms; sine and cosine up to huge arguments.
extern "C" __global__ void exponentials_f32(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = expf(v);
  y[n + i] = exp2f(v);
  y[2 * n + i] = exp10f(v * 0.25f);
  y[3 * n + i] = expm1f(v);
  y[4 * n + i] = tanhf(v);
  y[5 * n + i] = sinhf(v);
  y[6 * n + i] = coshf(v);
  y[7 * n + i] = 1.0f / (1.0f + expf(-v));
  y[8 * n + i] = erff(v);
  y[9 * n + i] = erfcf(v);
  y[10 * n + i] = normcdff(v);
  y[11 * n + i] = erfinvf(tanhf(v));
}
extern "C" __global__ void logarithms_f32(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = logf(v);
  y[n + i] = log2f(v);
  y[2 * n + i] = log10f(v);
  y[3 * n + i] = log1pf(v);
  y[4 * n + i] = powf(v, 1.7f);
  y[5 * n + i] = powf(v, -3.0f);
  y[6 * n + i] = cbrtf(v);
  y[7 * n + i] = rcbrtf(v);
  y[8 * n + i] = lgammaf(v);
  y[9 * n + i] = tgammaf(v * 0.1f + 0.5f);
  y[10 * n + i] = asinhf(v);
  y[11 * n + i] = acoshf(v + 1.0f);
}
extern "C" __global__ void trigonometry_f32(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = sinf(v);
  y[n + i] = cosf(v);
  y[2 * n + i] = tanf(v);
  y[3 * n + i] = atanf(v);
  y[4 * n + i] = atan2f(v, 3.0f - v);
  y[5 * n + i] = sinpif(v);
  float s, c;
  sincosf(v * 0.5f, &s, &c);
  y[6 * n + i] = s;
  y[7 * n + i] = c;
  float u = v / (1.0f + fabsf(v));
  y[8 * n + i] = asinf(u);
  y[9 * n + i] = acosf(u);
  y[10 * n + i] = atanhf(u * 0.999f);
  y[11 * n + i] = j0f(u * 10.0f);
}
extern "C" __global__ void exact_f32(const float* x, const float* z, float* y, int* k) {
  int i = threadIdx.x, n = blockDim.x;
  float a = x[i], b = z[i];
  y[i] = a / b;
  y[n + i] = sqrtf(fabsf(a));
  y[2 * n + i] = fmodf(a, b);
  y[3 * n + i] = remainderf(a, b);
  y[4 * n + i] = floorf(a) + ceilf(b);
  y[5 * n + i] = rintf(a) - truncf(b);
  y[6 * n + i] = roundf(a);
  y[7 * n + i] = copysignf(a, b) + fdimf(a, b);
  y[8 * n + i] = nextafterf(a, b);
  y[9 * n + i] = ldexpf(a, 5) + scalbnf(b, -3);
  int e;
  y[10 * n + i] = frexpf(a, &e);
  k[i] = e;
  k[n + i] = ilogbf(b);
  k[2 * n + i] = __float2int_rn(a) ^ __float2uint_rz(fabsf(b));
  k[3 * n + i] = isnan(a / b) + 2 * isfinite(a) + 4 * signbit(b);
  float whole;
  y[11 * n + i] = modff(a, &whole);
  y[12 * n + i] = __fadd_rz(a, b);
  y[13 * n + i] = __fmul_ru(a, b);
  y[14 * n + i] = __fmaf_rd(a, b, a);
  y[15 * n + i] = __fdiv_ru(a, b);
  y[16 * n + i] = __frcp_rz(b);
  y[17 * n + i] = __fsqrt_rd(fabsf(a));
  y[18 * n + i] = fmaf(a, b, -a * b);
  y[19 * n + i] = __saturatef(a);
}
extern "C" __global__ void norms_f32(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = hypotf(v, 3.0f);
  y[n + i] = rsqrtf(fabsf(v) + 0.01f);
  y[2 * n + i] = rhypotf(v, 1.0f);
  y[3 * n + i] = norm3df(v, 1.0f, 2.0f);
  y[4 * n + i] = fmaxf(v, 0.0f) + fminf(v, 1.0f);
  y[5 * n + i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  y[6 * n + i] = v > 20.0f ? v : log1pf(expf(v));
}
