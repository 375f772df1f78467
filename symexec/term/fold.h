// Exact evaluation of bit-vector operations on machine words: SMT-LIB semantics, widths 1 to 64.
#ifndef RACER_SYMEXEC_TERM_FOLD_H_
#define RACER_SYMEXEC_TERM_FOLD_H_

#include <cstdint>

namespace racer::fold {

constexpr uint64_t Mask(unsigned w) { return w >= 64 ? ~uint64_t{0} : (uint64_t{1} << w) - 1; }
constexpr bool SignBit(unsigned w, uint64_t a) { return ((a >> (w - 1)) & 1) != 0; }
constexpr uint64_t SExt(unsigned from, unsigned to, uint64_t a) { return (SignBit(from, a) ? a | ~Mask(from) : a) & Mask(to); }
constexpr int64_t Signed(unsigned w, uint64_t a) { return static_cast<int64_t>(SExt(w, 64, a)); }
constexpr uint64_t Negate(unsigned w, uint64_t a) { return (~a + 1) & Mask(w); }

constexpr uint64_t UDiv(unsigned w, uint64_t a, uint64_t b) { return b == 0 ? Mask(w) : a / b; }
constexpr uint64_t URem(unsigned w, uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }
// The signed pair is defined through the unsigned one on magnitudes, so -2^(w-1) / -1 wraps and x / 0 is 1 or -1 by the sign of x.
constexpr uint64_t SDiv(unsigned w, uint64_t a, uint64_t b) {
  bool sa = SignBit(w, a), sb = SignBit(w, b);
  uint64_t q = UDiv(w, sa ? Negate(w, a) : a, sb ? Negate(w, b) : b);
  return sa != sb ? Negate(w, q) : q;
}
constexpr uint64_t SRem(unsigned w, uint64_t a, uint64_t b) {
  bool sa = SignBit(w, a);
  uint64_t r = URem(w, sa ? Negate(w, a) : a, SignBit(w, b) ? Negate(w, b) : b);
  return sa ? Negate(w, r) : r;
}
constexpr uint64_t Shl(unsigned w, uint64_t a, uint64_t b) { return b >= w ? 0 : (a << b) & Mask(w); }
constexpr uint64_t LShr(unsigned w, uint64_t a, uint64_t b) { return b >= w ? 0 : a >> b; }
constexpr uint64_t AShr(unsigned w, uint64_t a, uint64_t b) {
  return static_cast<uint64_t>(Signed(w, a) >> (b >= w ? w - 1 : b)) & Mask(w);
}

}  // namespace racer::fold

#endif  // RACER_SYMEXEC_TERM_FOLD_H_
