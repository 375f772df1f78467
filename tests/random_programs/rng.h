// Random numbers that are the same on every machine: the standard's distributions are not.
#ifndef RACER_TESTS_RANDOM_PROGRAMS_RNG_H_
#define RACER_TESTS_RANDOM_PROGRAMS_RNG_H_

#include <cstddef>
#include <cstdint>

namespace racer::programs {

// The finaliser of SplitMix64.
constexpr uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(Mix(seed + 0x9e3779b97f4a7c15)) {}
  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15); }
  // In [0, n), n > 0.
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>((Next() >> 32) * n >> 32); }
  // In [low, high].
  int Between(int low, int high) { return low + static_cast<int>(Below(static_cast<uint32_t>(high - low + 1))); }
  bool Chance(uint32_t percent) { return Below(100) < percent; }
  template <class Container>
  const auto& Pick(const Container& options) {
    return options[Below(static_cast<uint32_t>(options.size()))];
  }
  template <class T, size_t n>
  const T& Pick(const T (&options)[n]) {
    return options[Below(static_cast<uint32_t>(n))];
  }

 private:
  uint64_t state_;
};

}  // namespace racer::programs

#endif  // RACER_TESTS_RANDOM_PROGRAMS_RNG_H_
