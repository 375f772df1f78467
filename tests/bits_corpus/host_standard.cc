// Host computations of kernels/cuda_headers/cuda_std.cu and calls.cu.
#include <algorithm>
#include <bit>
#include <complex>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "tests/bits_corpus/kernel_run.h"

namespace racer::corpus {
namespace {

using Ints = std::vector<int32_t>;

KernelRun ComplexNumbers() {
  const auto x = Reals<float>(4 * 32, -3, 3, 1);
  std::vector<float> y;
  for (size_t i = 0; i < 32; ++i) {
    const std::complex<double> a(x[4 * i], x[4 * i + 1]), b(x[4 * i + 2], x[4 * i + 3]);
    for (const auto& r : {a * b, a / b, a + std::conj(b), a * 2.0 - b}) {
      y.push_back(static_cast<float>(r.real()));
      y.push_back(static_cast<float>(r.imag()));
    }
    y.push_back(static_cast<float>(std::norm(a)));
    y.push_back(static_cast<float>(std::abs(b)));
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y, {.relative = 1e-5, .absolute = 1e-5});
}
KernelRun Fourier() {
  const auto x = Reals<double>(32, -1, 1, 2);
  std::vector<double> y;
  for (size_t k = 0; k < 16; ++k) {
    std::complex<double> sum;
    for (size_t j = 0; j < 16; ++j) {
      sum += std::complex<double>(x[2 * j], x[2 * j + 1]) * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % 16) / 16);
    }
    y.push_back(sum.real());
    y.push_back(sum.imag());
  }
  return KernelRun({1, 1, 1}, {16, 1, 1}).In(x).Out(y, {.absolute = 1e-14});
}
KernelRun BitOperations() {
  auto x = Words<uint32_t>(64, 3);
  x[0] = 0;
  x[1] = ~0u;
  x[2] = 0x80000000;
  x[3] = 1;
  x[5] = 64;
  std::vector<uint32_t> y;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t v = x[i];
    const uint64_t w = uint64_t{v} << (i & 31);
    const auto count = [](int n) { return static_cast<uint32_t>(n); };
    y.insert(y.end(), {count(std::popcount(v)), count(std::countl_zero(v)), count(std::countr_zero(v)),
                       std::rotl(v, static_cast<int>(i % 40)), static_cast<uint32_t>(std::bit_width(w)), std::has_single_bit(v) ? 1u : 0u,
                       std::bit_floor(v), count(std::countr_one(w)), v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24});
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun SmallContainers() {
  const auto x = Integers<int32_t>(32 * 8, 0, 99, 4);
  Ints y;
  for (size_t i = 0; i < 32; ++i) {
    Ints row(&x[8 * i], &x[8 * i] + 8);
    std::sort(row.begin(), row.end());
    y.insert(y.end(), {row.front(), row.back(), row.back() > 90 ? row.back() : -1, std::accumulate(row.begin(), row.end(), 0),
                       std::min(row.front(), 7)});
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y).Scalar<int32_t>(256);
}
KernelRun AtomicReferences() {
  const auto x = Integers<int32_t>(64, 0, 99, 5);
  const Ints y0{5, 50, 0x1234, 7, -1};
  auto y = y0;
  y[4] = 0;
  float sum = 0.5F;
  for (int32_t v : x) {
    y[0] += v;
    y[1] = std::max(y[1], v);
    y[2] ^= v;
    y[3] += v * v;
    y[4] = static_cast<int32_t>(static_cast<uint32_t>(y[4]) | 1u << (v & 31));
    sum += static_cast<float>(v);
  }
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).InOut(y0, y).InOut(std::vector<float>{0.5F}, std::vector<float>{sum});
}
KernelRun Multidimensional() {
  const auto x = Integers<float>(96, 0, 999, 6);
  std::vector<float> y(96);
  for (size_t r = 0; r < 8; ++r) {
    for (size_t c = 0; c < 12; ++c) y[c + 12 * r] = x[12 * r + c] + 10 * x[12 * (7 - r) + c];
  }
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y);
}

int32_t Odd(int32_t n);
int32_t Even(int32_t n) { return n == 0 ? 1 : Odd(n - 1) + 1; }
int32_t Odd(int32_t n) { return n == 0 ? 0 : Even(n - 1) * 2; }
KernelRun Recursion() {
  const auto x = Integers<int32_t>(32, 0, 14, 7);
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(Make<int32_t>(32, [&](size_t i) { return Even(x[i]); }));
}
KernelRun Structures() {
  const auto by = Make<float>(32, [](size_t i) { return static_cast<float>(i % 7 + 1); });
  const auto y = Make<float>(32, [&](size_t i) { return 1.5F * by[i] + (20.0F - by[i]) + static_cast<float>(0.75 / double{by[i]}); });
  KernelRun run({1, 1, 1}, {32, 1, 1});
  // struct { float x, y; double z; } by value.
  run.Structure({{0, 4, std::bit_cast<uint32_t>(1.5F)}, {4, 4, std::bit_cast<uint32_t>(20.0F)}, {8, 8, std::bit_cast<uint64_t>(0.75)}});
  return run.In(by).Out(y);
}
KernelRun FunctionPointers() {
  const auto which = Integers<int32_t>(64, 0, 2, 8), a = Integers<int32_t>(64, -99, 99, 9), b = Integers<int32_t>(64, 0, 99, 10);
  const auto y = Make<int32_t>(64, [&](size_t i) {
    return which[i] == 0 ? a[i] + b[i] : which[i] == 1 ? a[i] * b[i] : static_cast<int32_t>(static_cast<uint32_t>(a[i]) << (b[i] & 7));
  });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(which).In(a).In(b).Out(y);
}
KernelRun VirtualFunctions() {
  const auto x = Integers<int32_t>(64, 0, 99, 11);
  const auto y = Make<int32_t>(64, [&](size_t i) { return x[i] % 2 != 0 ? x[i] * x[i] + static_cast<int32_t>(i) : 3 * x[i]; });
  return KernelRun({1, 1, 1}, {64, 1, 1}).In(x).Out(y);
}
KernelRun LocalHeap() {
  const auto x = Integers<int32_t>(32 * 24, 0, 999, 12);
  auto y = x;
  for (size_t i = 0; i < 32; ++i) std::sort(&y[24 * i], &y[24 * i] + 24);
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(x).Out(y);
}
KernelRun JumpTable() {
  const std::vector<uint8_t> code{0, 7, 1, 0, 2, 8, 0, 5, 3, 4, 6, 9, 7, 2, 8, 0, 4, 1, 7, 1};
  const auto x = Integers<int32_t>(32, -500, 500, 13);
  const auto y = Make<int32_t>(32, [&](size_t i) {
    Ints stack{x[i]};
    const auto pop = [&] {
      const int32_t v = stack.back();
      stack.pop_back();
      return v;
    };
    for (const uint8_t c : code) {
      const int32_t a = stack.back();
      switch (c) {
        case 0: stack.push_back(a); break;
        case 1: pop(), stack.back() += a; break;
        case 2: pop(), stack.back() *= a; break;
        case 3: pop(), stack.back() ^= a; break;
        case 4: stack.back() = -a; break;
        case 5: stack.back() = a >> 1; break;
        case 6: stack.back() = a | 0x55; break;
        case 7: stack.push_back(static_cast<int32_t>(i)); break;
        case 8: stack.back() = a % 1000; break;
        default: stack.back() = ~a; break;
      }
    }
    return stack.back();
  });
  return KernelRun({1, 1, 1}, {32, 1, 1}).In(code).Scalar<int32_t>(static_cast<int32_t>(code.size())).In(x).Out(y);
}

constexpr CorpusKernel kTable[] = {
    {"complex_numbers", ComplexNumbers},
    {"fourier", Fourier},
    {"bit_operations", BitOperations},
    {"small_containers", SmallContainers},
    {"atomic_references", AtomicReferences},
    {"multidimensional", Multidimensional},
    {"recursion", Recursion},
    {"structures", Structures},
    {"function_pointers", FunctionPointers},
    {"virtual_functions", VirtualFunctions},
    {"local_heap", LocalHeap},
    {"jump_table", JumpTable},
};

}  // namespace

CorpusTable StandardKernels() { return kTable; }

}  // namespace racer::corpus
