#include "checker/unsettled.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/term/rebuild.h"
#include "symexec/term/sign_operand.h"

namespace racer {
namespace {

constexpr size_t kMostArms = 16;

ScalarType TypeOf(FpFormat format) {
  switch (format) {
    case FpFormat::kF16: return ScalarType::kF16;
    case FpFormat::kBF16: return ScalarType::kBF16;
    case FpFormat::kTF32: return ScalarType::kTF32;
    case FpFormat::kF32: return ScalarType::kF32;
    case FpFormat::kF64: return ScalarType::kF64;
    case FpFormat::kE4M3: return ScalarType::kE4M3;
    case FpFormat::kE5M2: return ScalarType::kE5M2;
    case FpFormat::kE2M3: return ScalarType::kE2M3;
    case FpFormat::kE3M2: return ScalarType::kE3M2;
    case FpFormat::kE2M1: return ScalarType::kE2M1;
    case FpFormat::kUE8M0: return ScalarType::kUE8M0;
  }
  RACER_UNREACHABLE(static_cast<int>(format));
}

// 2^x is above zero whatever x is.
bool IsExponential(const TermStore& store, TermId id) { return store.kind(id) == TermKind::kFpUnary && store.fp_kind(id) == FpKind::kEx2; }

ScalarType UnsignedType(unsigned width) {
  switch (width) {
    case 8: return ScalarType::kU8;
    case 16: return ScalarType::kU16;
    case 32: return ScalarType::kU32;
    case 64: return ScalarType::kU64;
    default: RACER_UNREACHABLE(width);
  }
}

}  // namespace

TermId Unsettled::One(FpFormat format) { return store_.FpConst(format, *EncodeExact(format, Rational(1))); }

bool Unsettled::IsDecision(TermId id) const {
  switch (store_.kind(id)) {
    case TermKind::kFpCompare:
    case TermKind::kFpToInt: return true;
    case TermKind::kFpConvert: return IsNarrow(store_.fp_attr(id).format) || RoundsToInteger(store_.fp_attr(id).rounding);
    case TermKind::kFpUnary:
    case TermKind::kFpBinary: {
      if (SignOperand(store_, id).has_value()) return true;
      const FpKind kind = store_.fp_kind(id);
      return kind == FpKind::kRoundInt || ((kind == FpKind::kMin || kind == FpKind::kMax) && store_.fp_attr(id).xorsign);
    }
    default: return false;
  }
}

void Unsettled::Extend() {
  const size_t from = within_.empty() ? 1 : within_.size();  // 0 is kNoTerm
  has_input_.resize(store_.size());
  within_.resize(store_.size());
  has_decision_.resize(store_.size());
  unsettled_.resize(store_.size());
  // An operand is made before the term that uses it.
  for (size_t i = from; i < within_.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    const TermKind kind = store_.kind(id);
    bool input = kind == TermKind::kBvInput || kind == TermKind::kFpInput || kind == TermKind::kUndef;
    bool within = false, decision = false;
    for (unsigned k = 0; k < store_.arity(id); ++k) {
      const size_t operand = static_cast<size_t>(store_.operand(id, k));
      input = input || has_input_[operand];
      within = within || within_[operand];
      decision = decision || has_decision_[operand];
    }
    has_input_[i] = input;
    unsettled_[i] = IsUnsettled(id);
    within_[i] = within || unsettled_[i];
    has_decision_[i] = decision || (unsettled_[i] && IsDecision(id));
  }
}

bool Unsettled::IsUnsettled(TermId id) {
  const bool input = has_input_[static_cast<size_t>(id)];
  if (!IsDecision(id)) {
    if (!input) return closed_.IsRoundedFarOff(id);
    // bf16(x > 0 ? 4097 : 0)
    const TermKind kind = store_.kind(id);
    if (kind != TermKind::kFpConvert && kind != TermKind::kIntToFp) return false;
    const std::vector<TermId> arms = ArmsOf(id);
    return std::any_of(arms.begin(), arms.end(), [&](TermId arm) { return closed_.IsRoundedFarOff(arm); });
  }
  const std::optional<unsigned> sign = SignOperand(store_, id);
  // Of one inside, only that comes to the exponential.
  if (sign && IsExponential(store_, store_.operand(id, *sign)) && within_[static_cast<size_t>(store_.operand(id, *sign))]) return false;
  return input || sign ? HasUnsettledArm(id) : !closed_.IsSettled(id);
}

// Of integers and patterns that are selected: constants, and floating-point values without inputs.
std::vector<TermId> Unsettled::ArmsOfBits(TermId term) const {
  std::vector<TermId> arms, stack{term};
  while (!stack.empty() && arms.size() + stack.size() <= kMostArms) {
    const TermId id = stack.back();
    stack.pop_back();
    if (store_.kind(id) == TermKind::kBvIte) {
      stack.push_back(store_.operand(id, 1));
      stack.push_back(store_.operand(id, 2));
    } else if (!has_input_[static_cast<size_t>(id)]) {
      arms.push_back(id);
    }
  }
  for (TermId left : stack) arms.push_back(left);
  return arms;
}

std::vector<TermId> Unsettled::MakeArms(TermId term) {
  if (!has_input_[static_cast<size_t>(term)]) return {term};
  const TermKind kind = store_.kind(term);
  std::vector<TermId> arms;
  const auto of = [&](unsigned i) -> const std::vector<TermId>& { return arms_.at(store_.operand(term, i)); };
  const auto both = [&](unsigned i, unsigned k) {
    arms = of(i);
    for (TermId arm : of(k)) {
      if (std::find(arms.begin(), arms.end(), arm) == arms.end() && arms.size() <= kMostArms) arms.push_back(arm);
    }
  };
  if (kind == TermKind::kFpIte) {
    both(1, 2);
  } else if (kind == TermKind::kFpBinary && (store_.fp_kind(term) == FpKind::kMin || store_.fp_kind(term) == FpKind::kMax)) {
    both(0, 1);
  } else if (kind == TermKind::kBitsToFp || kind == TermKind::kIntToFp) {
    arms = ArmsOfBits(store_.operand(term, 0));
    if (arms.size() > kMostArms) return arms;
    for (TermId& arm : arms) arm = Rebuild(store_, term, arm);
  } else if (kind == TermKind::kFpUnary || kind == TermKind::kFpConvert || kind == TermKind::kFpBinary || kind == TermKind::kFpTernary) {
    // Whatever is made of them and of constants.
    const std::vector<TermId> idle{kNoTerm};
    const std::vector<TermId>* choices[3] = {&idle, &idle, &idle};
    size_t count = 1;
    for (unsigned i = 0; i < store_.arity(term); ++i) {
      choices[i] = &of(i);
      if (of(i).size() > kMostArms) return of(i);
      count *= of(i).size();
    }
    const FpAttr attr = store_.fp_attr(term);
    const bool copies = kind == TermKind::kFpBinary && store_.fp_kind(term) == FpKind::kCopySign && of(0).empty();
    if (copies) {
      // Either sign.
      for (TermId arm : of(1)) {
        const TermId positive = store_.Fp(FpKind::kAbs, FpAttr{.format = attr.format}, arm);
        arms.push_back(positive);
        arms.push_back(store_.Fp(FpKind::kNeg, FpAttr{.format = attr.format}, positive));
      }
    } else if (count <= kMostArms) {
      for (TermId a : *choices[0]) {
        for (TermId b : *choices[1]) {
          for (TermId c : *choices[2]) arms.push_back(Rebuild(store_, term, a, b, c));
        }
      }
    }
    if (attr.sat || attr.relu) arms.push_back(store_.FpConst(attr.format, 0));
    if (attr.sat) arms.push_back(One(attr.format));
  }
  return arms;
}

const std::vector<TermId>& Unsettled::ArmsOf(TermId term) {
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    bool ready = true;
    if (!arms_.contains(id)) {
      for (unsigned i = 0; i < store_.arity(id) && has_input_[static_cast<size_t>(id)]; ++i) {
        if (arms_.contains(store_.operand(id, i))) continue;
        stack.push_back(store_.operand(id, i));
        ready = false;
      }
      if (ready) arms_.emplace(id, MakeArms(id));
    }
    if (ready) stack.pop_back();
  }
  return arms_.at(term);
}

// floor(x > 0 ? a : b) is one of two decisions on constants, floor(min(x, a)) one or none.
bool Unsettled::HasUnsettledArm(TermId decision) {
  std::vector<TermId> arms[2];
  for (unsigned k = 0; k < store_.arity(decision); ++k) arms[k] = ArmsOf(store_.operand(decision, k));
  if (store_.arity(decision) < 2) arms[1].push_back(kNoTerm);
  // What is divided, and whose sign goes, decide nothing.
  if (store_.kind(decision) == TermKind::kFpBinary) {
    const FpKind kind = store_.fp_kind(decision);
    const unsigned idle = kind == FpKind::kDiv ? 0 : kind == FpKind::kCopySign ? 1 : 2;
    if (idle < 2) arms[idle] = {One(store_.format(decision))};
  }
  if (arms[0].size() > kMostArms || arms[1].size() > kMostArms) return true;
  const std::optional<unsigned> sign = SignOperand(store_, decision);
  for (TermId a : arms[0]) {
    for (TermId b : arms[1]) {
      if (closed_.IsSettled(Rebuild(store_, decision, a, b))) continue;
      if (!sign || store_.fp_attr(decision).ftz || !closed_.HasSignOfReal(*sign == 0 ? a : b)) return true;
    }
  }
  return false;
}

bool Unsettled::Within(TermId term) {
  if (static_cast<size_t>(term) >= within_.size()) Extend();
  return within_[static_cast<size_t>(term)];
}

TermId Unsettled::In(TermId term) const {
  while (!unsettled_[static_cast<size_t>(term)]) {
    unsigned i = 0;
    while (!within_[static_cast<size_t>(store_.operand(term, i))]) ++i;
    term = store_.operand(term, i);
  }
  return term;
}

TermId Unsettled::FreshInput(ScalarType type) {
  const auto [known, added] = symbols_.try_emplace(type);
  if (added) known->second = store_.AddSymbol({"constants_decide", type, {uint64_t{1} << 32}});
  const size_t symbol = static_cast<size_t>(known->second);
  if (added) {
    ranges_.resize(symbol + 1);
    cell_counts_.resize(symbol + 1);
  }
  const uint32_t index = static_cast<uint32_t>(cell_counts_[symbol]++);
  return IsFloatScalar(type) ? store_.FpInput(known->second, index) : store_.BvInput(known->second, index);
}

bool Unsettled::MayBeNoNumber(TermId decision) {
  if (!IsDecision(decision)) return !closed_.IsNumber(decision);
  for (unsigned i = 0; i < store_.arity(decision); ++i) {
    if (!closed_.IsNumber(store_.operand(decision, i))) return true;
  }
  return false;
}

TermId Unsettled::StandInFor(TermId operand) {
  const auto [known, added] = stand_ins_.try_emplace(operand);
  if (!added) return known->second;
  const FpFormat format = store_.format(operand);
  TermId any = FreshInput(TypeOf(format));
  for (TermId arm : ArmsOf(operand)) {
    if (closed_.IsNumber(arm)) continue;
    any = store_.Fp(FpKind::kLg2, FpAttr{.format = format}, any);
    break;
  }
  return known->second = any;
}

TermId Unsettled::InputFor(TermId decision) {
  if (!store_.IsBits(decision)) {
    const TermId any = FreshInput(TypeOf(store_.format(decision)));
    // A NaN or an infinity, too: a function that takes every value and is not defined everywhere.
    return MayBeNoNumber(decision) ? store_.Fp(FpKind::kLg2, FpAttr{.format = store_.format(decision)}, any) : any;
  }
  // Either outcome of a comparison: that of any number with zero.
  if (store_.kind(decision) == TermKind::kFpCompare)
    return store_.FpCompare(CompareOp::kLt, /*ftz=*/false, FreshInput(ScalarType::kF64), store_.FpConst(FpFormat::kF64, 0));
  return FreshInput(UnsignedType(store_.width(decision)));
}

TermId Unsettled::Replaced(TermId term) {
  if (!Within(term)) return term;
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    if (replaced_.contains(id)) {
      stack.pop_back();
      continue;
    }
    // From outside: what a decision rests on is not looked at again.
    const std::optional<unsigned> sign = unsettled_[static_cast<size_t>(id)] ? SignOperand(store_, id) : std::nullopt;
    if (!within_[static_cast<size_t>(id)] || (unsettled_[static_cast<size_t>(id)] && !sign)) {
      replaced_.emplace(id, within_[static_cast<size_t>(id)] ? InputFor(id) : id);
      continue;
    }
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    bool ready = true;
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      if (sign == i) {
        operands[i] = StandInFor(store_.operand(id, i));
        continue;
      }
      const auto found = replaced_.find(store_.operand(id, i));
      if (found == replaced_.end()) {
        stack.push_back(store_.operand(id, i));
        ready = false;
      } else {
        operands[i] = found->second;
      }
    }
    if (ready) replaced_.emplace(id, Rebuild(store_, id, operands[0], operands[1], operands[2]));
  }
  return replaced_.at(term);
}

}  // namespace racer
