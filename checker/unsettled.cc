#include "checker/unsettled.h"

#include <algorithm>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/term/rebuild.h"

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

bool Unsettled::IsDecision(TermId id) const {
  switch (store_.kind(id)) {
    case TermKind::kFpCompare:
    case TermKind::kFpToInt: return true;
    case TermKind::kFpConvert: return IsNarrow(store_.fp_attr(id).format) || RoundsToInteger(store_.fp_attr(id).rounding);
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
      switch (store_.fp_kind(id)) {
        case FpKind::kDiv:
        case FpKind::kRcp:
        case FpKind::kSqrt:
        case FpKind::kRsqrt:
        case FpKind::kLg2:
        case FpKind::kCopySign:
        case FpKind::kRoundInt: return true;
        case FpKind::kMin:
        case FpKind::kMax: return store_.fp_attr(id).xorsign;
        case FpKind::kAdd:
        case FpKind::kSub:
        case FpKind::kMul:
        case FpKind::kFma:
        case FpKind::kNeg:
        case FpKind::kAbs:
        case FpKind::kEx2:
        case FpKind::kSin:
        case FpKind::kCos:
        case FpKind::kTanh: return false;
      }
      RACER_UNREACHABLE(static_cast<int>(store_.fp_kind(id)));
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
    unsettled_[i] = IsDecision(id) ? (input ? HasUnsettledArm(id) : !closed_.IsSettled(id)) : !input && closed_.IsRoundedFarOff(id);
    within_[i] = within || unsettled_[i];
    has_decision_[i] = decision || (unsettled_[i] && IsDecision(id));
  }
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
  } else if (kind == TermKind::kFpUnary || kind == TermKind::kFpConvert || kind == TermKind::kFpBinary || kind == TermKind::kFpTernary) {
    // Whatever is made of one of them and of constants.
    unsigned selected = 0, inputs = 0;
    for (unsigned i = 0; i < store_.arity(term); ++i) {
      if (!has_input_[static_cast<size_t>(store_.operand(term, i))]) continue;
      selected = i;
      ++inputs;
    }
    if (inputs != 1) return arms;
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    for (unsigned i = 0; i < store_.arity(term); ++i) operands[i] = store_.operand(term, i);
    if (of(selected).size() > kMostArms) return of(selected);
    for (TermId arm : of(selected)) {
      operands[selected] = arm;
      arms.push_back(Rebuild(store_, term, operands[0], operands[1], operands[2]));
    }
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
    const FpFormat format = store_.format(decision);
    const FpKind kind = store_.fp_kind(decision);
    const unsigned idle = kind == FpKind::kDiv ? 0 : kind == FpKind::kCopySign ? 1 : 2;
    if (idle < 2) arms[idle] = {store_.FpConst(format, *EncodeExact(format, Rational(1)))};
  }
  if (arms[0].size() > kMostArms || arms[1].size() > kMostArms) return true;
  for (TermId a : arms[0]) {
    for (TermId b : arms[1]) {
      if (!closed_.IsSettled(Rebuild(store_, decision, a, b))) return true;
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
  const TermKind kind = store_.kind(decision);
  if (kind == TermKind::kFpUnary || kind == TermKind::kFpBinary) {
    switch (store_.fp_kind(decision)) {
      case FpKind::kRoundInt:
      case FpKind::kCopySign:
      case FpKind::kMin:
      case FpKind::kMax: break;
      default: return true;
    }
  }
  for (unsigned i = 0; i < store_.arity(decision); ++i) {
    if (!closed_.IsNumber(store_.operand(decision, i))) return true;
  }
  return false;
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
    if (!within_[static_cast<size_t>(id)] || unsettled_[static_cast<size_t>(id)]) {
      replaced_.emplace(id, within_[static_cast<size_t>(id)] ? InputFor(id) : id);
      continue;
    }
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    bool ready = true;
    for (unsigned i = 0; i < store_.arity(id); ++i) {
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
