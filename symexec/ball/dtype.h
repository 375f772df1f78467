// The element type of a tensor as a set of exact numbers, each with one pattern.
#ifndef RACER_SYMEXEC_BALL_DTYPE_H_
#define RACER_SYMEXEC_BALL_DTYPE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/term/inputs.h"

namespace racer {

// Whether the range holds any real number at all.
bool IsEmpty(const SymbolRange& range);
bool InRange(const SymbolRange& range, const Rational& value);

class Dtype {
 public:
  // A floating-point, integer or untyped element of at most 64 bits; untyped elements count as unsigned.
  explicit Dtype(ScalarType type);

  bool is_float() const { return is_float_; }
  FpFormat format() const { return format_; }
  // Every integer of at most so many bits is a value.
  unsigned exact_bits() const;
  // Ends of an integer type.
  Rational Lowest() const;
  Rational Highest() const;

  // Patterns of the least and greatest values of an integer type in the range; nullopt if there are none.
  std::optional<std::pair<uint64_t, uint64_t>> IntegerEnds(const SymbolRange& range) const;
  // The finite value of a pattern; nullopt for an infinity or a NaN.
  std::optional<Rational> ValueOf(uint64_t bits) const;
  // The pattern of exactly this value; nullopt if there is none.
  std::optional<uint64_t> Exact(const Rational& value) const;
  // The pattern nearest to the value (integers: the one just below, clamped to the type), or the next one on either side,
  // whichever is in the range; nullopt if none of the three is.
  std::optional<uint64_t> NearestInRange(const SymbolRange& range, const Rational& value) const;

 private:
  std::optional<uint64_t> Near(const Rational& value) const;
  uint64_t IntegerPattern(const Rational& value) const;

  ScalarType type_;
  bool is_float_;
  FpFormat format_;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_BALL_DTYPE_H_
