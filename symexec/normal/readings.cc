#include "symexec/normal/readings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "symexec/ball/decode.h"
#include "symexec/term/sign_operand.h"

namespace racer::normal {

bool Readings::Differ(TermId term) {
  if (states_.size() < store_.size()) states_.resize(store_.size());
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    bool ready = true;
    if (!At(id).known) {
      for (unsigned i = 0; i < store_.arity(id); ++i) {
        if (At(store_.operand(id, i)).known) continue;
        stack.push_back(store_.operand(id, i));
        ready = false;
      }
      if (ready) At(id) = Look(id);
    }
    if (ready) stack.pop_back();
  }
  return At(term).differs;
}

// The operands are known.
Readings::State Readings::Look(TermId id) {
  State state{.known = true};
  for (unsigned i = 0; i < store_.arity(id); ++i) {
    const State& operand = At(store_.operand(id, i));
    state.literal = state.literal || operand.literal;
    state.differs = state.differs || operand.differs;
  }
  const TermKind kind = store_.kind(id);
  if (kind == TermKind::kFpConst) state.literal = constants_.Find(store_.format(id), store_.const_bits(id)).has_value();
  if (!state.literal || state.differs) return state;
  if (kind == TermKind::kFpCompare) state.differs = ComparisonDiffers(id);
  if (kind == TermKind::kFpToInt) state.differs = RoundingDiffers(store_.operand(id, 0), store_.int_rounding(id));
  if (kind == TermKind::kFpConvert && IsNarrow(store_.format(id))) state.differs = QuantisationDiffers(id);
  if (kind != TermKind::kFpUnary && kind != TermKind::kFpBinary) return state;
  const FpAttr attr = store_.fp_attr(id);
  const FpKind op = store_.fp_kind(id);
  const bool extremum = op == FpKind::kMin || op == FpKind::kMax;
  if (const std::optional<unsigned> sign = SignOperand(store_, id)) state.differs = SignDiffers(store_.operand(id, *sign));
  if (op == FpKind::kRoundInt) state.differs = RoundingDiffers(store_.operand(id, 0), attr.rounding);
  if (extremum && attr.xorsign) state.differs = SignDiffers(store_.operand(id, 0)) || SignDiffers(store_.operand(id, 1));
  return state;
}

// Of what is taken the sign of, divided by, or under a root.
bool Readings::SignDiffers(TermId operand) {
  Signs signs[2] = {kAnySign, kAnySign};
  unsigned reading = 0;
  for (Canonicalizer* forms : {&exact_, &lifted_}) {
    std::string failure;
    const Form form = forms->Normalize(operand, &failure);
    if (form.poly == kNoPoly) return false;
    signs[reading++] = algebra_.SignsOf(form.poly);
  }
  return signs[0] != signs[1];
}

bool Readings::ComparisonDiffers(TermId comparison) {
  Signs signs[2] = {kAnySign, kAnySign};
  unsigned reading = 0;
  for (Canonicalizer* forms : {&exact_, &lifted_}) {
    std::string failure;
    const Form a = forms->Normalize(store_.operand(comparison, 0), &failure);
    if (a.poly == kNoPoly) return false;  // and no proof by canonical forms either
    const Form b = forms->Normalize(store_.operand(comparison, 1), &failure);
    if (b.poly == kNoPoly) return false;
    const PolyId difference = algebra_.Add(a.poly, b.poly, Rational(-1));
    if (difference == kNoPoly) return false;
    signs[reading++] = algebra_.SignsOf(difference);
  }
  return signs[0] != signs[1];
}

// Of a constant, or of those that a clamp may leave; what has inputs is one function of them in both readings.
bool Readings::RoundingDiffers(TermId operand, Rounding rounding) {
  std::vector<std::optional<Rational>> results[2];
  unsigned reading = 0;
  for (Canonicalizer* forms : {&exact_, &lifted_}) {
    std::string failure;
    const Form form = forms->Normalize(operand, &failure);
    if (form.poly == kNoPoly) return false;
    for (const Rational& constant : forms->ConstantArms(form.poly)) results[reading].push_back(RoundToInteger(constant, rounding));
    std::sort(results[reading].begin(), results[reading].end());
    ++reading;
  }
  return results[0] != results[1];
}

bool Readings::QuantisationDiffers(TermId conversion) {
  const FpAttr attr = store_.fp_attr(conversion);
  std::optional<Rational> results[2];
  unsigned reading = 0;
  for (Canonicalizer* forms : {&exact_, &lifted_}) {
    std::string failure;
    const Form form = forms->Normalize(store_.operand(conversion, 0), &failure);
    if (form.poly == kNoPoly) return false;
    if (algebra_.IsConstant(form.poly))
      results[reading] = Quantise(attr.format, attr.rounding, attr.satfinite, algebra_.ConstantValue(form.poly));
    ++reading;
  }
  return results[0] != results[1];
}

}  // namespace racer::normal
