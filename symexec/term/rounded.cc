#include "symexec/term/rounded.h"

#include <bit>

#include "base/check.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

unsigned Precision(FpFormat format) { return format == FpFormat::kTF32 ? 11 : LayoutOf(format).fraction_bits + 1; }

// Bits that may be set in a pattern read as an unsigned number: zero extension and masks are constants above slices.
unsigned UsedBits(const TermStore& store, TermId id) {
  while (true) {
    switch (store.kind(id)) {
      case TermKind::kBvConst: return static_cast<unsigned>(std::bit_width(store.const_bits(id)));
      case TermKind::kBvZExt: id = store.operand(id, 0); break;
      case TermKind::kBvConcat:
        if (UsedBits(store, store.operand(id, 0)) != 0) return store.width(id);
        id = store.operand(id, 1);
        break;
      default: return store.width(id);
    }
  }
}

// Whether the operation by itself may give another value than over the reals, at exact operands.
bool Rounds(const TermStore& store, TermId id) {
  switch (store.kind(id)) {
    case TermKind::kFpReal: {
      // The caller rounds it to the format.
      const std::optional<int64_t> integer = store.real_value(id).ToInt64();
      const int64_t largest = int64_t{1} << Precision(store.format(id));
      return !integer.has_value() || *integer < -largest || *integer > largest;
    }
    case TermKind::kFpConvert: return store.fp_attr(id).ftz || IsNarrowing(store, id);
    case TermKind::kIntToFp: return UsedBits(store, store.operand(id, 0)) > Precision(store.format(id));
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
      if (store.fp_attr(id).ftz) return true;
      return !NeverRounds(store.fp_kind(id));
    default: return false;
  }
}

}  // namespace

bool IsNarrowing(const TermStore& store, TermId id) {
  if (store.kind(id) != TermKind::kFpConvert) return false;
  const FpFormat from = store.format(store.operand(id, 0)), to = store.format(id);
  return from != to && !WidensExactly(from, to);
}

std::vector<bool> RoundedTerms(const TermStore& store) {
  std::vector<bool> rounded(store.size(), false);
  // An operand is made before the term that uses it.
  for (size_t i = 1; i < store.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    if (store.IsBits(id)) continue;
    bool result = Rounds(store, id);
    for (unsigned k = 0; k < store.arity(id) && !result; ++k) result = rounded[static_cast<size_t>(store.operand(id, k))];
    rounded[i] = result;
  }
  return rounded;
}

}  // namespace racer
