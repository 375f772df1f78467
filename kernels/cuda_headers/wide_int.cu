// 64-bit and 128-bit integers: carry chains, products, quotients, shifts; and arithmetic modulo a prime on top.
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned __int128 u128;

extern "C" __global__ void wide_64(const s64* a, const s64* b, s64* y) {
  int i = threadIdx.x, n = blockDim.x;
  s64 p = a[i], q = b[i];
  y[i] = p + q;
  y[n + i] = p * q;
  y[2 * n + i] = p / q;
  y[3 * n + i] = p % q;
  y[4 * n + i] = s64(u64(p) / u64(q));
  y[5 * n + i] = s64(u64(p) % u64(q));
  y[6 * n + i] = __mul64hi(p, q);
  y[7 * n + i] = s64(__umul64hi(p, q));
  y[8 * n + i] = p >> (q & 63);
  y[9 * n + i] = s64(u64(p) << (q & 63));
  y[10 * n + i] = p < q ? llabs(p) : min(p, -q);
  y[11 * n + i] = s64(int(p)) / int(q | 1) + int(p) % int(q | 1);
}
extern "C" __global__ void wide_128(const u64* a, const u64* b, u64* y) {
  int i = threadIdx.x;
  u128 p = (u128)a[2 * i] << 64 | a[2 * i + 1], q = (u128)b[2 * i] << 64 | b[2 * i + 1];
  u128 r[6] = {p + q, p - q, p * q, p << (i * 3), p >> (i * 5), p < q ? p ^ q : p & ~q};
  for (int k = 0; k < 6; ++k) {
    y[12 * i + 2 * k] = u64(r[k] >> 64);
    y[12 * i + 2 * k + 1] = u64(r[k]);
  }
}
extern "C" __global__ void wide_128_quotient(const u64* a, const u64* b, u64* y) {
  int i = threadIdx.x;
  u128 p = (u128)a[2 * i] << 64 | a[2 * i + 1], q = (u128)(b[2 * i] >> (2 * i)) << 64 | b[2 * i + 1];
  u128 d = p / q, m = p % q;
  y[4 * i] = u64(d >> 64);
  y[4 * i + 1] = u64(d);
  y[4 * i + 2] = u64(m >> 64);
  y[4 * i + 3] = u64(m);
}
// 256-bit sum and difference, 128 by 128 product, spelled with the carry flag as big-number libraries do.
extern "C" __global__ void carry_chain(const unsigned* a, const unsigned* b, unsigned* y) {
  int i = threadIdx.x;
  const unsigned *p = a + 8 * i, *q = b + 8 * i;
  unsigned s[8], d[8], carry, borrow;
  asm("add.cc.u32 %0, %9, %17; addc.cc.u32 %1, %10, %18; addc.cc.u32 %2, %11, %19; addc.cc.u32 %3, %12, %20;"
      "addc.cc.u32 %4, %13, %21; addc.cc.u32 %5, %14, %22; addc.cc.u32 %6, %15, %23; addc.cc.u32 %7, %16, %24; addc.u32 %8, 0, 0;"
      : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]), "=r"(s[4]), "=r"(s[5]), "=r"(s[6]), "=r"(s[7]), "=r"(carry)
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]), "r"(p[5]), "r"(p[6]), "r"(p[7]), "r"(q[0]), "r"(q[1]), "r"(q[2]),
        "r"(q[3]), "r"(q[4]), "r"(q[5]), "r"(q[6]), "r"(q[7]));
  asm("sub.cc.u32 %0, %9, %17; subc.cc.u32 %1, %10, %18; subc.cc.u32 %2, %11, %19; subc.cc.u32 %3, %12, %20;"
      "subc.cc.u32 %4, %13, %21; subc.cc.u32 %5, %14, %22; subc.cc.u32 %6, %15, %23; subc.cc.u32 %7, %16, %24; subc.u32 %8, 0, 0;"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7]), "=r"(borrow)
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]), "r"(p[5]), "r"(p[6]), "r"(p[7]), "r"(q[0]), "r"(q[1]), "r"(q[2]),
        "r"(q[3]), "r"(q[4]), "r"(q[5]), "r"(q[6]), "r"(q[7]));
  // 64 by 32 bits, accumulated: mad.lo.cc, madc.hi.cc, madc.hi.
  unsigned m0 = s[0], m1 = s[1], m2 = s[2];
  asm("mad.lo.cc.u32 %0, %3, %5, %0; madc.lo.cc.u32 %1, %4, %5, %1; addc.u32 %2, %2, 0;"
      "mad.hi.cc.u32 %1, %3, %5, %1; madc.hi.u32 %2, %4, %5, %2;"
      : "+r"(m0), "+r"(m1), "+r"(m2)
      : "r"(p[0]), "r"(p[1]), "r"(q[0]));
  unsigned* out = y + 21 * i;
  for (int k = 0; k < 8; ++k) {
    out[k] = s[k];
    out[8 + k] = d[k];
  }
  out[16] = carry;
  out[17] = borrow;
  out[18] = m0;
  out[19] = m1;
  out[20] = m2;
}
// x^n modulo 2^61 - 1.
extern "C" __global__ void power_mod(const u64* x, const unsigned* n, u64* y) {
  const u64 prime = (1ull << 61) - 1;
  u64 base = x[threadIdx.x] % prime, result = 1;
  for (unsigned e = n[threadIdx.x]; e != 0; e >>= 1) {
    if (e & 1) {
      u128 t = (u128)result * base;
      u64 s = u64(t & prime) + u64(t >> 61);
      result = s >= prime ? s - prime : s;
    }
    u128 t = (u128)base * base;
    u64 s = u64(t & prime) + u64(t >> 61);
    base = s >= prime ? s - prime : s;
  }
  y[threadIdx.x] = result;
}
// Quotients by constants: multiplications by the reciprocal.
extern "C" __global__ void constant_quotients(const int* x, int* y) {
  int i = threadIdx.x, n = blockDim.x, v = x[i];
  unsigned u = unsigned(v);
  y[i] = v / 7 + v % 7;
  y[n + i] = v / -10;
  y[2 * n + i] = int(u / 641 + u % 641);
  y[3 * n + i] = v / 64 + v % 64;
  y[4 * n + i] = int((long long)v * 977 / 1000);
  y[5 * n + i] = int((unsigned long long)u * u / 1000003ull);
}
