// What undefined bits leave defined of a sum, a difference or a product, and what has one value whatever an operand is.
#include <algorithm>
#include <bit>

#include "symexec/term/fold.h"
#include "symexec/term/term.h"

namespace racer {

unsigned TermStore::DefinedLow(TermId id) const {
  TermId pieces[64];
  const unsigned n = Pieces(id, pieces);
  unsigned low = 0;
  for (unsigned i = 0; i < n && Defined(pieces[i]); ++i) low += width(pieces[i]);
  return low;
}

// Low bits known to be zero.
unsigned TermStore::TrailingZeros(TermId id) const {
  TermId pieces[64];
  const unsigned n = Pieces(id, pieces);
  unsigned zeros = 0;
  for (unsigned i = 0; i < n && IsConst(pieces[i]); ++i) {
    const uint64_t bits = const_bits(pieces[i]);
    if (bits != 0) return zeros + static_cast<unsigned>(std::countr_zero(bits));
    zeros += width(pieces[i]);
  }
  return zeros;
}

// The low w bits of `a`, of which those from bit `defined` on do not count.
TermId TermStore::DefinedPart(unsigned w, TermId a, unsigned defined) {
  if (defined == 0) return BvConst(w, 0);
  return defined >= w ? Extract(w, a, 0) : ZExt(w, Extract(defined, a, 0));
}

// x + y, x - y or x * y. Bit k of it depends on bits k..0 of the operands alone, so what lies below the lowest undefined one is
// that of the low parts; a product with 2^z y' moves it up by z. Of defined operands, the operation as it is.
TermId TermStore::MakeFromLow(TermKind kind, unsigned w, TermId a, TermId b) {
  if (Defined(a) && Defined(b)) return Make(kind, w, a, b);
  const unsigned defined_a = DefinedLow(a), defined_b = DefinedLow(b);
  unsigned low = std::min(defined_a, defined_b);
  if (kind == TermKind::kBvMul) low = std::min({w, defined_a + TrailingZeros(b), defined_b + TrailingZeros(a)});
  if (low == 0) return Make(kind, w, a, b);
  const TermId defined = Bv(kind, low, DefinedPart(low, a, defined_a), DefinedPart(low, b, defined_b));
  if (low == w) return Fire(TermRule::kDefinedLow, defined);
  return Fire(TermRule::kDefinedLow, Concat(Extract(w - low, Make(kind, w, a, b), low), defined));
}

// A constant that no value is less than (least), or that is less than none, in the order of kBvUlt or kBvSlt.
bool TermStore::IsExtreme(TermKind less, unsigned w, TermId id, bool least) const {
  if (!IsConst(id)) return false;
  const uint64_t smallest = less == TermKind::kBvSlt ? uint64_t{1} << (w - 1) : 0;
  return const_bits(id) == (least ? smallest : ~smallest & fold::Mask(w));
}

}  // namespace racer
