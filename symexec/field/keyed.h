// Functions of two words and a number that are taken for random ones.
#ifndef RACER_SYMEXEC_FIELD_KEYED_H_
#define RACER_SYMEXEC_FIELD_KEYED_H_

#include <cstdint>

namespace racer::field {

// The finalizer of splitmix64, a bijection.
constexpr uint64_t Scramble(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Chains for different numbers share no state, so that the results collide independently.
constexpr uint64_t Keyed(uint64_t seed, uint64_t a, uint64_t b, uint64_t number) {
  const uint64_t key = Scramble(seed + (number + 1) * 0x9e3779b97f4a7c15ULL);
  return Scramble(Scramble(Scramble(a ^ key) + b) ^ (key * 0xd1342543de82ef95ULL));
}

}  // namespace racer::field

#endif  // RACER_SYMEXEC_FIELD_KEYED_H_
