// Packed integer intrinsics, dot products, byte permutes and funnel shifts.
extern "C" __global__ void simd_bytes(const unsigned* a, const unsigned* b, unsigned* y) {
  int i = threadIdx.x, n = blockDim.x;
  unsigned p = a[i], q = b[i];
  y[i] = __vadd4(p, q);
  y[n + i] = __vsub4(p, q);
  y[2 * n + i] = __vaddss4(p, q);
  y[3 * n + i] = __vaddus4(p, q);
  y[4 * n + i] = __vsubus4(p, q);
  y[5 * n + i] = __vabsdiffu4(p, q);
  y[6 * n + i] = __vavgu4(p, q);
  y[7 * n + i] = __vmaxs4(p, q);
  y[8 * n + i] = __vminu4(p, q);
  y[9 * n + i] = __vcmpgtu4(p, q);
  y[10 * n + i] = __vsetles4(p, q);
  y[11 * n + i] = __vsadu4(p, q);
  y[12 * n + i] = __vneg4(p);
  y[13 * n + i] = __vabsss4(p);
}
extern "C" __global__ void simd_halfwords(const unsigned* a, const unsigned* b, unsigned* y) {
  int i = threadIdx.x, n = blockDim.x;
  unsigned p = a[i], q = b[i];
  y[i] = __vadd2(p, q);
  y[n + i] = __vsub2(p, q);
  y[2 * n + i] = __vaddss2(p, q);
  y[3 * n + i] = __vsubss2(p, q);
  y[4 * n + i] = __vabsdiffs2(p, q);
  y[5 * n + i] = __vavgs2(p, q);
  y[6 * n + i] = __vmaxu2(p, q);
  y[7 * n + i] = __vmins2(p, q);
  y[8 * n + i] = __vcmpeq2(p, q);
  y[9 * n + i] = __vhaddu2(p, q);
  y[10 * n + i] = __vimax3_s16x2(p, q, 0x00050003);
  y[11 * n + i] = __viaddmax_s16x2_relu(p, q, 0xfff00010);
}
extern "C" __global__ void dot_products(const int* a, const int* b, const int* c, int* y) {
  int i = threadIdx.x, n = blockDim.x;
  y[i] = __dp4a(a[i], b[i], c[i]);
  y[n + i] = int(__dp4a(unsigned(a[i]), unsigned(b[i]), unsigned(c[i])));
  y[2 * n + i] = __dp2a_lo(a[i], b[i], c[i]);
  y[3 * n + i] = int(__dp2a_hi(unsigned(a[i]), unsigned(b[i]), unsigned(c[i])));
  y[4 * n + i] = __mul24(a[i], b[i]);
  y[5 * n + i] = __mulhi(a[i], b[i]);
  y[6 * n + i] = __umulhi(a[i], b[i]);
  y[7 * n + i] = __sad(a[i], b[i], c[i]);
  y[8 * n + i] = __usad(a[i], b[i], c[i]);
  y[9 * n + i] = __hadd(a[i], b[i]);
  y[10 * n + i] = __urhadd(a[i], b[i]);
  y[11 * n + i] = __viaddmin_s32(a[i], b[i], c[i]);
}
extern "C" __global__ void bit_twiddling(const unsigned* a, const unsigned* b, unsigned* y) {
  int i = threadIdx.x, n = blockDim.x;
  unsigned p = a[i], q = b[i];
  y[i] = __funnelshift_l(p, q, i);
  y[n + i] = __funnelshift_r(p, q, i);
  y[2 * n + i] = __funnelshift_lc(p, q, i);
  y[3 * n + i] = __funnelshift_rc(p, q, i);
  y[4 * n + i] = __byte_perm(p, q, q);
  y[5 * n + i] = __brev(p);
  y[6 * n + i] = __clz(p >> (i & 31)) + 256 * __ffs(p << (i & 31)) + 65536 * __popc(p);
  y[7 * n + i] = unsigned(__clzll((unsigned long long)p << 13)) + 256 * __popcll((unsigned long long)p << 32 | q) +
                 65536 * __ffsll((unsigned long long)p << 20);
  y[8 * n + i] = unsigned(__brevll((unsigned long long)p << 32 | q));
  y[9 * n + i] = __fns(p, i & 31, 1 + i / 32);
  y[10 * n + i] = (p & q) | (~p & 0x12345678u) ^ (q << 3);
  y[11 * n + i] = p << (q & 63 & 31) | q >> 7 % (1 + (p & 3));
}
