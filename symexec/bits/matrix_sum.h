// What a tensor core makes of a row of A, a column of B and an accumulator.
//
// The manual leaves open in which order, with which width and with which rounding the products of a floating-point mma are summed.
// Bits does what an H200 was seen to do (testdata/h200_matrix.txt holds every form of sm_90a, bit for bit):
// - products are exact; they and the accumulator are cut, toward zero, to 25 bits below the largest exponent among them (that of a
//   product is the sum of its factors' exponents) and summed; the sum is cut to .f32, or rounded to nearest for .f16;
// - one such step takes all of k and c; 8-bit formats take two, begin with zero and add c at last;
// - wmma.mma of .tf32 takes two, of four products each;
// - m8n8k4 in .f16 is ordinary .f32 arithmetic;
// - .f64 is a chain of fused multiply-adds in the order of k.
// Where an mma of another architecture differs, a witness may differ in last bits; no proof depends on them.
#ifndef RACER_SYMEXEC_BITS_MATRIX_SUM_H_
#define RACER_SYMEXEC_BITS_MATRIX_SUM_H_

#include <cstdint>
#include <span>

#include "base/rational.h"
#include "ptx_frontend/isa/matrix_form.h"

namespace racer::bits {

// A factor or an addend: (-1)^negative * significand * 2^exponent.
struct MatrixNumber {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan } kind = Kind::kFinite;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
  int top = 0;  // the exponent that its format gives it: that of its hidden bit
};
// .tf32 reads the upper 19 bits; .e2m1 in a byte lies in its bits 2 to 5 (form.in_bytes).
MatrixNumber DecodeElement(const MatrixForm& form, MatrixElement element, uint64_t bits);
// Scales are factors too.
MatrixNumber Product(const MatrixNumber& a, const MatrixNumber& b);

// The pattern of D for a row of A and a column of B, already multiplied (a sparse A: the stored products only, in stored order).
uint64_t SumProducts(const MatrixForm& form, std::span<const MatrixNumber> products, uint64_t c);
// .f64: the patterns themselves.
uint64_t SumProducts64(const MatrixForm& form, std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c);

// A finite number.
Rational ValueOf(const MatrixNumber& x);
// An integer .f64 of at most 2^20 that is not -0: sums of products of a few such are exact in every order.
bool IsSmallInteger64(uint64_t pattern);

// Whether the sum is the same in every order and with every rounding, so that its pattern is the real sum: all partial sums lie
// within a few bits, or something is infinite or no number. Zeros and small integers do.
bool IsPlainSum(const MatrixForm& form, std::span<const MatrixNumber> products, uint64_t c);

}  // namespace racer::bits

#endif  // RACER_SYMEXEC_BITS_MATRIX_SUM_H_
