// One launch of a corpus kernel: its arguments, and what a straightforward host computation says must be in its buffers.
#ifndef RACER_TESTS_BITS_CORPUS_KERNEL_RUN_H_
#define RACER_TESTS_BITS_CORPUS_KERNEL_RUN_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "symexec/machine/run.h"
#include "tests/bits_corpus/number_formats.h"

namespace racer::corpus {

enum class Format : uint8_t { kInteger, kF16, kBf16, kF32, kF64, kE5m2, kE4m3 };

template <class T>
constexpr Format FormatOf() {
  if constexpr (std::is_same_v<T, float>)
    return Format::kF32;
  else if constexpr (std::is_same_v<T, double>)
    return Format::kF64;
  else if constexpr (std::is_same_v<T, Half>)
    return Format::kF16;
  else if constexpr (std::is_same_v<T, Brain>)
    return Format::kBf16;
  else if constexpr (std::is_same_v<T, E5m2>)
    return Format::kE5m2;
  else if constexpr (std::is_same_v<T, E4m3>)
    return Format::kE4m3;
  else {
    static_assert(std::is_integral_v<T>);
    return Format::kInteger;
  }
}

// |got - want| <= absolute + relative * |want|. Both zero: the same bits (any NaN for a NaN).
struct Tolerance {
  double relative = 0, absolute = 0;
};

struct Buffer {
  Format format = Format::kInteger;
  unsigned element_bytes = 1;
  uint64_t elements = 0;
  std::vector<uint8_t> initial;  // empty: every byte starts undefined, and each must be written
  std::vector<uint8_t> want;     // empty: an input, which must not be stored to
  Tolerance tolerance;
};

class KernelRun {
 public:
  // A block of {0, 0, 0}: as the kernel's .reqntid says.
  explicit KernelRun(Dim3 grid = {1, 1, 1}, Dim3 block = {0, 0, 0}) : grid_(grid), block_(block) {}

  template <class T>
  KernelRun& In(const std::vector<T>& values) {
    return Add<T>(values, {}, {});
  }
  template <class T>
  KernelRun& Out(const std::vector<T>& want, Tolerance tolerance = {}) {
    return Add<T>({}, want, tolerance);
  }
  template <class T>
  KernelRun& InOut(const std::vector<T>& initial, const std::vector<T>& want, Tolerance tolerance = {}) {
    return Add<T>(initial, want, tolerance);
  }
  template <class T>
  KernelRun& Scalar(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    Argument argument{.kind = Argument::Kind::kBits};
    std::memcpy(&argument.bits, &value, sizeof value);
    arguments_.push_back(argument);
    return *this;
  }
  // A parameter that is a structure.
  struct Field {
    uint64_t offset, bytes, bits;
  };
  KernelRun& Structure(const std::vector<Field>& fields) {
    Argument argument{.kind = Argument::Kind::kFields};
    for (const Field& field : fields) {
      argument.fields.push_back(
          {.kind = Argument::Kind::kBits, .bits = field.bits, .field_offset = field.offset, .field_bytes = field.bytes});
    }
    arguments_.push_back(argument);
    return *this;
  }
  KernelRun& DynamicShared(uint64_t bytes) {
    dynamic_shared_ = bytes;
    return *this;
  }

  const Dim3& grid() const { return grid_; }
  const Dim3& block() const { return block_; }
  uint64_t dynamic_shared() const { return dynamic_shared_; }
  const std::vector<Buffer>& buffers() const { return buffers_; }
  const std::vector<Argument>& arguments() const { return arguments_; }

 private:
  template <class T>
  static std::vector<uint8_t> Bytes(const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  template <class T>
  KernelRun& Add(const std::vector<T>& initial, const std::vector<T>& want, Tolerance tolerance) {
    arguments_.push_back({.kind = Argument::Kind::kBuffer, .buffer = static_cast<int>(buffers_.size())});
    buffers_.push_back({.format = FormatOf<T>(),
                        .element_bytes = sizeof(T),
                        .elements = want.empty() ? initial.size() : want.size(),
                        .initial = Bytes(initial),
                        .want = Bytes(want),
                        .tolerance = tolerance});
    return *this;
  }

  Dim3 grid_, block_;
  uint64_t dynamic_shared_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<Argument> arguments_;
};

// A kernel by the name of its entry. `make` is called anew for each target: the host computation does not know which.
struct CorpusKernel {
  const char* entry;
  KernelRun (*make)();
};
using CorpusTable = std::span<const CorpusKernel>;

// The tables, one a source file.
CorpusTable CubBlockKernels();
CorpusTable CubSortKernels();
CorpusTable CooperativeKernels();
CorpusTable NarrowFloatKernels();
CorpusTable IntegerKernels();
CorpusTable MathKernels();
CorpusTable StandardKernels();
CorpusTable TritonElementwiseKernels();
CorpusTable TritonRowKernels();
CorpusTable TritonDataKernels();
CorpusTable TritonMatrixKernels();

// Inputs: the same numbers everywhere, from a small generator of their own (xorshift64*).
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  int64_t Integer(int64_t low, int64_t high) { return low + static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1)); }
  double Real(double low, double high) { return low + (high - low) * (static_cast<double>(Next() >> 11) * 0x1p-53); }

 private:
  uint64_t state_;
};

// f(i) for i in [0, count), as elements of T.
template <class T, class F>
std::vector<T> Make(size_t count, F f) {
  std::vector<T> values;
  values.reserve(count);
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(f(i)));
  return values;
}
template <class T>
std::vector<T> Integers(size_t count, int64_t low, int64_t high, uint64_t seed = 1) {
  Numbers numbers(seed);
  return Make<T>(count, [&](size_t) { return numbers.Integer(low, high); });
}
template <class T>
std::vector<T> Reals(size_t count, double low, double high, uint64_t seed = 1) {
  Numbers numbers(seed);
  return Make<T>(count, [&](size_t) { return numbers.Real(low, high); });
}
template <class T>
std::vector<T> Words(size_t count, uint64_t seed = 1) {  // all bits random
  Numbers numbers(seed);
  return Make<T>(count, [&](size_t) { return numbers.Next() >> 17; });
}

}  // namespace racer::corpus

#endif  // RACER_TESTS_BITS_CORPUS_KERNEL_RUN_H_
