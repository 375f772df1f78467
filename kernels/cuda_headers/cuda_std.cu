// libcu++: complex numbers, bit operations, arrays, spans, optionals, tuples, atomic references, mdspan.
#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/iterator>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
namespace cs = cuda::std;

extern "C" __global__ void complex_numbers(const float* x, float* y) {
  int i = threadIdx.x;
  cs::complex<float> a(x[4 * i], x[4 * i + 1]), b(x[4 * i + 2], x[4 * i + 3]);
  cs::complex<float> r[4] = {a * b, a / b, a + cs::conj(b), a * 2.0f - b};
  for (int k = 0; k < 4; ++k) {
    y[10 * i + 2 * k] = r[k].real();
    y[10 * i + 2 * k + 1] = r[k].imag();
  }
  y[10 * i + 8] = cs::norm(a);
  y[10 * i + 9] = cs::abs(b);
}
// A discrete Fourier transform of sixteen complex doubles in shared memory.
extern "C" __global__ void fourier(const double* x, double* y) {
  __shared__ double re[16], im[16];
  int i = threadIdx.x;
  int from = __brev(i) >> 28;
  re[i] = x[2 * from];
  im[i] = x[2 * from + 1];
  __syncthreads();
  for (int half = 1; half < 16; half *= 2) {
    int at = i / half / 2 * half * 2 + i % half;
    cs::complex<double> u, t;
    if (i / half % 2 == 0) {
      double angle = -3.14159265358979323846 * (i % half) / half, s, c;
      sincos(angle, &s, &c);
      u = cs::complex<double>(re[at], im[at]);
      t = cs::complex<double>(c, s) * cs::complex<double>(re[at + half], im[at + half]);
    }
    __syncthreads();
    if (i / half % 2 == 0) {
      re[at] = (u + t).real();
      im[at] = (u + t).imag();
      re[at + half] = (u - t).real();
      im[at + half] = (u - t).imag();
    }
    __syncthreads();
  }
  y[2 * i] = re[i];
  y[2 * i + 1] = im[i];
}
extern "C" __global__ void bit_operations(const unsigned* x, unsigned* y) {
  int i = threadIdx.x;
  unsigned v = x[i];
  unsigned long long w = (unsigned long long)v << (i & 31);
  cs::array<unsigned, 9> r{unsigned(cs::popcount(v)), unsigned(cs::countl_zero(v)), unsigned(cs::countr_zero(v)),
                           cs::rotl(v, i % 40), unsigned(cs::bit_width(w)), cs::has_single_bit(v), cs::bit_floor(v), unsigned(cs::countr_one(w)), cs::byteswap(v)};
  for (int k = 0; k < 9; ++k) y[9 * i + k] = r[k];
}
extern "C" __global__ void small_containers(const int* x, int* y, int n) {
  int i = threadIdx.x;
  cs::span<const int> all(x, n);
  auto row = all.subspan(i * 8, 8);
  cs::array<int, 8> copy;
  for (int k = 0; k < 8; ++k) copy[k] = row[k];
  for (int a = 1; a < 8; ++a) {
    for (int b = a; b > 0 && copy[b] < copy[b - 1]; --b) cs::swap(copy[b], copy[b - 1]);
  }
  cs::optional<int> big;
  for (int v : row) {
    if (v > 90) big = big && *big > v ? *big : v;
  }
  auto [low, high] = cs::make_tuple(copy.front(), copy.back());
  y[5 * i] = low;
  y[5 * i + 1] = high;
  y[5 * i + 2] = big.value_or(-1);
  y[5 * i + 3] = cs::accumulate(row.begin(), row.end(), 0);
  y[5 * i + 4] = int(cs::distance(copy.begin(), cs::next(copy.begin(), low > 7 ? 7 : low)));
}
extern "C" __global__ void atomic_references(const int* x, int* y, float* f) {
  int v = x[threadIdx.x];
  cuda::atomic_ref<int, cuda::thread_scope_device> a(y[0]), b(y[1]), c(y[2]);
  a.fetch_add(v, cuda::memory_order_relaxed);
  b.fetch_max(v);
  c.fetch_xor(v, cuda::memory_order_acq_rel);
  cuda::atomic_ref<float, cuda::thread_scope_block>(f[0]).fetch_add(float(v), cuda::memory_order_relaxed);
  int seen = 0;
  while (!cuda::atomic_ref<int>(y[3]).compare_exchange_weak(seen, seen + v * v)) {
  }
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> counter;
  if (threadIdx.x == 0) counter.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  counter.fetch_or(1u << (v & 31), cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) y[4] = int(counter.load(cuda::memory_order_relaxed));
}
extern "C" __global__ void multidimensional(const float* x, float* y) {
  cs::mdspan<const float, cs::extents<int, 8, 12>> in(x);
  cs::mdspan<float, cs::extents<int, 12, 8>, cs::layout_left> out(y);
  for (int i = threadIdx.x; i < 96; i += blockDim.x) {
    int r = i / 12, c = i % 12;
    out(c, r) = in(r, c) + 10.0f * in(7 - r, c);
  }
}
