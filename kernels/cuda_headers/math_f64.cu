// The device library's double-precision functions.
extern "C" __global__ void functions_f64(const double* x, double* y) {
  int i = threadIdx.x, n = blockDim.x;
  double v = x[i];
  y[i] = exp(v);
  y[n + i] = exp2(v);
  y[2 * n + i] = expm1(v);
  y[3 * n + i] = tanh(v);
  y[4 * n + i] = erf(v);
  y[5 * n + i] = sin(v);
  y[6 * n + i] = cos(v);
  y[7 * n + i] = tan(v);
  y[8 * n + i] = atan(v);
  y[9 * n + i] = atan2(v, 2.0 - v);
  y[10 * n + i] = sinpi(v);
  y[11 * n + i] = cbrt(v);
}
extern "C" __global__ void positive_f64(const double* x, double* y) {
  int i = threadIdx.x, n = blockDim.x;
  double v = x[i];
  y[i] = log(v);
  y[n + i] = log2(v);
  y[2 * n + i] = log1p(v);
  y[3 * n + i] = pow(v, 0.3);
  y[4 * n + i] = pow(v, -4.0);
  y[5 * n + i] = rsqrt(v);
  y[6 * n + i] = erfc(v);
  y[7 * n + i] = lgamma(v + 0.5);
  y[8 * n + i] = acosh(v + 1.0);
  y[9 * n + i] = hypot(v, 4.0);
  y[10 * n + i] = asin(v / (v + 1.0));
}
extern "C" __global__ void exact_f64(const double* a, const double* b, double* y, long long* k) {
  int i = threadIdx.x, n = blockDim.x;
  double p = a[i], q = b[i];
  y[i] = p / q;
  y[n + i] = sqrt(fabs(p));
  y[2 * n + i] = fma(p, q, p);
  y[3 * n + i] = fmod(p, q);
  y[4 * n + i] = floor(p) + rint(q);
  y[5 * n + i] = __dadd_ru(p, q);
  y[6 * n + i] = __dmul_rz(p, q);
  y[7 * n + i] = 1.0 / q;
  y[8 * n + i] = round(p) - trunc(q);
  y[9 * n + i] = ldexp(p, 7);
  y[10 * n + i] = double(float(p)) + double(__double2float_rd(q));
  k[i] = __double2ll_rn(p) + (long long)(q);
  k[n + i] = __double_as_longlong(fmax(p, q));
  k[2 * n + i] = llrint(p * 1e6);
  k[3 * n + i] = __double2hiint(p) ^ __double2loint(q);
}
