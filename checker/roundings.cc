#include "checker/roundings.h"

#include "symexec/ball/decode.h"
#include "symexec/term/rounded.h"

namespace racer {
namespace {

// A conversion that is nothing over the reals; those to less than 16 bits are functions of their own.
bool IsPlainConversion(const TermStore& store, TermId id) {
  if (store.kind(id) != TermKind::kFpConvert) return false;
  const FpAttr attr = store.fp_attr(id);
  return !attr.sat && !attr.relu && !RoundsToInteger(attr.rounding) && !IsNarrow(attr.format);
}

bool IsFp(const TermStore& store, TermId id, FpKind kind) {
  const TermKind node = store.kind(id);
  return (node == TermKind::kFpUnary || node == TermKind::kFpBinary || node == TermKind::kFpTernary) && store.fp_kind(id) == kind;
}

// The value without its sign and the conversions around it.
struct Stripped {
  TermId value;
  unsigned narrowings = 0;
  bool negative = false;
};
Stripped Strip(const TermStore& store, TermId id) {
  Stripped result{id};
  while (true) {
    if (IsPlainConversion(store, result.value)) {
      result.narrowings += IsNarrowing(store, result.value) ? 1 : 0;
    } else if (IsFp(store, result.value, FpKind::kNeg)) {
      result.negative = !result.negative;
    } else {
      return result;
    }
    result.value = store.operand(result.value, 0);
  }
}

bool IsFinite(const TermStore& store, TermId id, int64_t value) {
  if (store.kind(id) != TermKind::kFpConst) return false;
  const std::optional<Rational> literal = FiniteValue(store.format(id), store.const_bits(id));
  return literal.has_value() && *literal == Rational(value);
}

bool IsInfinite(const TermStore& store, TermId id) {
  return store.kind(id) == TermKind::kFpConst && DecodeFp(store.format(id), store.const_bits(id)).kind == DecodedFp::Kind::kInfinite;
}

// Whether the term is surely zero where `value` is: a multiple of it.
bool VanishesWith(const TermStore& store, TermId term, TermId value) {
  if (IsFinite(store, term, 0)) return true;
  term = Strip(store, term).value;
  if (term == value) return true;
  if (!IsFp(store, term, FpKind::kMul)) return false;
  return Strip(store, store.operand(term, 0)).value == value || Strip(store, store.operand(term, 1)).value == value;
}

unsigned QuantiserBit(FpFormat format, bool satfinite) { return static_cast<unsigned>(format) * 2 + (satfinite ? 1 : 0); }
static_assert(static_cast<unsigned>(FpFormat::kUE8M0) * 2 + 1 < 32);

}  // namespace

std::vector<std::string> Roundings::QuantiserNames(uint32_t quantised) {
  std::vector<std::string> names;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((quantised >> bit & 1) != 0) names.push_back(QuantiserName(static_cast<FpFormat>(bit / 2), bit % 2 != 0));
  }
  return names;
}

Roundings::Traits Roundings::Of(TermId term) {
  if (traits_.empty()) Build();
  return At(term);
}

void Roundings::Build() {
  rounded_ = RoundedTerms(store_);
  traits_.resize(store_.size());
  // An operand is made before the term that uses it.
  for (size_t i = 1; i < store_.size(); ++i) traits_[i] = OfNode(TermId{static_cast<uint32_t>(i)});
}

// A comparison or a conversion to an integer whose outcome the roundings may change.
bool Roundings::DecidesOn(TermId id) const {
  const TermId a = store_.operand(id, 0);
  if (store_.kind(id) == TermKind::kFpToInt) return store_.ftz(id) || rounded_[static_cast<size_t>(a)];
  if (store_.kind(id) != TermKind::kFpCompare) return false;
  const TermId b = store_.operand(id, 1);
  // x = x asks for a NaN, x < infinity for an overflow, and both have assumptions of their own.
  if (a == b || IsInfinite(store_, a) || IsInfinite(store_, b)) return false;
  return store_.ftz(id) || rounded_[static_cast<size_t>(a)] || rounded_[static_cast<size_t>(b)];
}

// A maximum, a minimum, a clamp, a magnitude, a (leaky) rectifier: where both sides of the comparison are equal, so are both arms.
bool Roundings::IsContinuousSelection(TermId id) const {
  if (store_.kind(id) != TermKind::kFpIte) return false;
  const TermId condition = store_.operand(id, 0);
  if (store_.kind(condition) != TermKind::kFpCompare) return false;
  switch (store_.compare_op(condition)) {
    case CompareOp::kLt:
    case CompareOp::kLe:
    case CompareOp::kLtu:
    case CompareOp::kLeu: break;
    default: return false;
  }
  const TermId a = store_.operand(condition, 0), b = store_.operand(condition, 1);
  const TermId then = store_.operand(id, 1), otherwise = store_.operand(id, 2);
  if ((then == a && otherwise == b) || (then == b && otherwise == a)) return true;
  const TermId value = IsFinite(store_, b, 0) ? a : IsFinite(store_, a, 0) ? b : kNoTerm;
  if (value == kNoTerm) return false;
  const TermId stripped = Strip(store_, value).value;
  return VanishesWith(store_, then, stripped) && VanishesWith(store_, otherwise, stripped);
}

bool Roundings::IsResidual(TermId id) const {
  TermId a = kNoTerm, b = kNoTerm;
  bool subtracts = IsFp(store_, id, FpKind::kSub);
  if (subtracts || IsFp(store_, id, FpKind::kAdd)) {
    a = store_.operand(id, 0);
    b = store_.operand(id, 1);
  } else if (IsFp(store_, id, FpKind::kFma)) {
    a = store_.operand(id, 2);
    for (unsigned i = 0; i < 2; ++i) {
      const TermId factor = store_.operand(id, i);
      subtracts = IsFinite(store_, factor, -1);
      if (subtracts || IsFinite(store_, factor, 1)) {
        b = store_.operand(id, 1 - i);
        break;
      }
    }
  }
  if (b == kNoTerm) return false;
  const Stripped left = Strip(store_, a), right = Strip(store_, b);
  return left.value == right.value && left.narrowings != right.narrowings && (left.negative == right.negative) == subtracts;
}

Roundings::Traits Roundings::OfNode(TermId id) const {
  Traits traits;
  if (IsContinuousSelection(id)) {
    const TermId condition = store_.operand(id, 0);
    traits = At(store_.operand(condition, 0)) | At(store_.operand(condition, 1)) | At(store_.operand(id, 1)) | At(store_.operand(id, 2));
    return traits;
  }
  for (unsigned i = 0; i < store_.arity(id); ++i) traits = traits | At(store_.operand(id, i));
  switch (store_.kind(id)) {
    case TermKind::kFpCompare:
      traits.compares_rounded |= DecidesOn(id);
      traits.decides_rounded |= DecidesOn(id);
      break;
    case TermKind::kFpToInt:
      traits.to_integer = true;
      traits.decides_rounded |= DecidesOn(id);
      break;
    case TermKind::kBitsToFp:
    case TermKind::kFpInput: traits.floating_input = true; break;
    case TermKind::kFpConvert: {
      const FpAttr attr = store_.fp_attr(id);
      if (IsNarrow(attr.format)) traits.quantised |= uint32_t{1} << QuantiserBit(attr.format, attr.satfinite);
      break;
    }
    case TermKind::kFpUnary: traits.to_integer |= IsFp(store_, id, FpKind::kRoundInt); break;
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
      // The sign of a rounded value shows beside another magnitude.
      if (IsFp(store_, id, FpKind::kCopySign) || (IsFp(store_, id, FpKind::kMax) && store_.fp_attr(id).xorsign)) {
        const TermId sign = store_.operand(id, 0), magnitude = store_.operand(id, 1);
        const bool same = Strip(store_, sign).value == Strip(store_, magnitude).value;
        const bool both = !IsFp(store_, id, FpKind::kCopySign);
        traits.compares_rounded |= !same && (rounded_[static_cast<size_t>(sign)] || (both && rounded_[static_cast<size_t>(magnitude)]));
      }
      traits.residual |= IsResidual(id);
      break;
    default: break;
  }
  return traits;
}

}  // namespace racer
