#include "symexec/normal/normal.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "symexec/normal/algebra.h"
#include "symexec/normal/canonical.h"
#include "symexec/normal/describe.h"
#include "symexec/normal/fingerprint.h"
#include "symexec/normal/readings.h"

namespace racer {

using normal::ClearDenominators;
using normal::Cleared;
using normal::Form;
using normal::kNoPoly;
using normal::kZero;
using normal::PolyId;
using normal::SetId;
using Status = ProofOutcome::Status;

namespace {

ProofOutcome Proved(std::string step) { return {.status = Status::kProved, .step = std::move(step)}; }
ProofOutcome Unknown(std::string reason) { return {.status = Status::kUnknown, .reason = std::move(reason)}; }
ProofOutcome NotEqual() { return {.status = Status::kNotEqual}; }

}  // namespace

struct Normalizer::Impl {
  Impl(const TermStore& store_in, const SymbolRanges& ranges_in, const NormalOptions& options_in)
      : store(store_in),
        ranges(ranges_in),
        options(options_in),
        algebra({.max_monomials = options_in.max_monomials, .max_product_terms = options_in.max_product_terms}),
        shared(store, ranges, algebra),
        strict(shared, nullptr, false),
        lifted(shared, options.constants, false),
        strict_sums(shared, nullptr, true),
        lifted_sums(shared, options.constants, true),
        fingerprint(algebra, options_in.seed) {
    if (options.constants != nullptr) {
      for (const auto& [exact, lift] : {std::pair(&strict_sums, &lifted_sums), std::pair(&strict, &lifted)}) {
        readings.emplace_back(store, algebra, *exact, *lift, *options.constants);
      }
    }
  }

  ProofOutcome ProveValues(TermId a, TermId b, Effort effort);
  ProofOutcome ProveWith(normal::Canonicalizer& strict_forms, normal::Canonicalizer& lifted_forms, TermId a, TermId b);
  // Equality of two forms; kNotEqual also where it only was not found out (`definite` says which).
  ProofOutcome Compare(const Form& a, const Form& b, bool* definite);
  void Record(SetId lifts);

  const TermStore& store;
  const SymbolRanges ranges;
  const NormalOptions options;
  normal::Algebra algebra;
  normal::Shared shared;
  normal::Canonicalizer strict, lifted, strict_sums, lifted_sums;
  normal::Fingerprint fingerprint;
  std::vector<normal::Readings> readings;  // sums as atoms, and multiplied out
  std::set<std::pair<FpFormat, uint64_t>> recorded;
  std::vector<LiftedConstant> ledger;
};

void Normalizer::Impl::Record(SetId lifts) {
  for (uint32_t raw : shared.lifts.members(lifts)) {
    TermId literal{raw};
    FpFormat format = store.format(literal);
    uint64_t bits = store.const_bits(literal);
    if (!recorded.emplace(format, bits).second) continue;
    std::optional<NamedReal> real = options.constants->Find(format, bits);
    RACER_CHECK(real.has_value());
    ledger.push_back({format, bits, real->name, real->ulp_distance, store.origin(literal)});
  }
}

ProofOutcome Normalizer::Impl::Compare(const Form& a, const Form& b, bool* definite) {
  *definite = true;
  std::string step;
  int error_log2 = 0;
  bool probable = false;
  if (a.poly == b.poly) {
    step = "canonical";
  } else {
    PolyId difference = algebra.Add(a.poly, b.poly, Rational(-1));
    if (difference == kNoPoly) return Unknown("the difference of the forms: " + algebra.failure());
    normal::Fingerprint::Answer answer = fingerprint.Test(difference);
    if (answer == normal::Fingerprint::Answer::kNonZero && !normal::HasRelatedInInverse(algebra, difference)) return NotEqual();
    Cleared cleared = ClearDenominators(algebra, difference, options.max_product_terms);
    if (cleared == Cleared::kZero) {
      step = "cross_multiplication";
    } else if (answer == normal::Fingerprint::Answer::kNonZero) {
      *definite = cleared == Cleared::kNonZero;
      return NotEqual();
    } else if (cleared == Cleared::kNonZero) {
      return NotEqual();  // exact, so it outweighs the fingerprint
    } else if (answer == normal::Fingerprint::Answer::kUndefined) {
      return Unknown("a denominator vanishes at the random point");
    } else {
      probable = true;
      step = "cross_multiplication";
      error_log2 = fingerprint.ErrorLog2(difference);
    }
  }
  SetId left = shared.conditions.Simplify(a.conditions), right = shared.conditions.Simplify(b.conditions);
  if (left != right) {
    auto print = [&](PolyId p) { return normal::DescribeForm(shared, p, 4); };
    return Unknown("equal values, but definedness differs: the left side needs " + shared.conditions.Describe(left, print) +
                   "; the right side needs " + shared.conditions.Describe(right, print));
  }
  if (!probable) return Proved(std::move(step));
  return {.status = Status::kProbablyEqual,
          .step = std::move(step),
          .reason = "cross-multiplication over the limit of terms",
          .error_log2 = error_log2};
}

ProofOutcome Normalizer::Impl::ProveValues(TermId a, TermId b, Effort effort) {
  if (store.ContainsUndef(a) || store.ContainsUndef(b)) return Unknown("an uninitialised value");
  if (a == b) return Proved("same_term");
  // First with sums as atoms, which is cheap; multiplied out only where that hides something.
  ProofOutcome quick = ProveWith(strict_sums, lifted_sums, a, b);
  if (quick.status == Status::kProved || (!strict_sums.saw_sum_atom() && !lifted_sums.saw_sum_atom())) return quick;
  if (effort == Effort::kQuick) {
    quick.sums_kept = true;
    return quick;
  }
  ProofOutcome outcome = ProveWith(strict, lifted, a, b);
  return outcome.status == Status::kUnknown && quick.status == Status::kProbablyEqual ? quick : outcome;
}

ProofOutcome Normalizer::Impl::ProveWith(normal::Canonicalizer& strict_forms, normal::Canonicalizer& lifted_forms, TermId a, TermId b) {
  std::string failure;
  Form left = strict_forms.Normalize(a, &failure);
  Form right = left.poly == kNoPoly ? Form{} : strict_forms.Normalize(b, &failure);
  if (left.poly == kNoPoly || right.poly == kNoPoly) return Unknown("canonical form: " + failure);
  bool definite = true;
  ProofOutcome exact = Compare(left, right, &definite);
  if (exact.status != Status::kNotEqual) return exact;
  auto final_not_equal = [&](bool sure) {
    return sure ? exact : Unknown("roots inside denominators: the forms differ, and clearing them is over the limit of terms");
  };
  if (options.constants == nullptr) return final_not_equal(definite);
  left = lifted_forms.Normalize(a, &failure);
  right = left.poly == kNoPoly ? Form{} : lifted_forms.Normalize(b, &failure);
  if (left.poly == kNoPoly || right.poly == kNoPoly) return final_not_equal(definite);
  SetId lifts = shared.lifts.Union(left.lifts, right.lifts);
  if (lifts == normal::kEmptySet) return final_not_equal(definite);
  bool lifted_definite = true;
  ProofOutcome outcome = Compare(left, right, &lifted_definite);
  if (outcome.status == Status::kNotEqual) return final_not_equal(definite && lifted_definite);
  if (outcome.status == Status::kProved || outcome.status == Status::kProbablyEqual) {
    outcome.step = "lifted_constants";
    Record(lifts);
  }
  return outcome;
}

Normalizer::Normalizer(const TermStore& store, const SymbolRanges& ranges, const NormalOptions& options)
    : impl_(std::make_unique<Impl>(store, ranges, options)) {}
Normalizer::~Normalizer() = default;

ProofOutcome Normalizer::ProveEqual(TermId a, TermId b, Effort effort) {
  const TermStore& store = impl_->store;
  if (!store.IsBits(a) && !store.IsBits(b)) return impl_->ProveValues(a, b, effort);
  if (store.IsBits(a) != store.IsBits(b)) return Unknown("a bit pattern against a value");
  if (store.ContainsUndef(a) || store.ContainsUndef(b)) return Unknown("an uninitialised value");
  if (a == b) return Proved("same_term");
  if (store.width(a) != store.width(b)) return Unknown("bit patterns of different widths");
  // Packed patterns are compared slice by slice; every slice must be the bits of a value in the same format on both sides.
  ProofOutcome result = Proved("same_term");
  while (true) {
    const bool packed = store.kind(a) == TermKind::kBvConcat && store.kind(b) == TermKind::kBvConcat &&
                        store.width(store.operand(a, 0)) == store.width(store.operand(b, 0));
    TermId x = packed ? store.operand(a, 0) : a, y = packed ? store.operand(b, 0) : b;
    if (x != y) {
      if (store.kind(x) != TermKind::kFpToBits || store.kind(y) != TermKind::kFpToBits) return Unknown("integer terms");
      x = store.operand(x, 0);
      y = store.operand(y, 0);
      if (store.format(x) != store.format(y)) return Unknown("bit patterns of different floating-point formats");
      ProofOutcome part = impl_->ProveValues(x, y, effort);
      if (part.status == Status::kUnknown || part.status == Status::kNotEqual) return part;
      if (part.status == Status::kProbablyEqual && result.status == Status::kProbablyEqual) {
        part.error_log2 = std::max(part.error_log2, result.error_log2) + 1;
      }
      if (part.status == Status::kProbablyEqual || result.status == Status::kProved) result = part;
    }
    if (!packed) return result;
    a = store.operand(a, 1);
    b = store.operand(b, 1);
  }
}

ProofOutcome Normalizer::ProveIntegersEqual(TermId a, TermId b) {
  const TermStore& store = impl_->store;
  RACER_CHECK(store.IsBits(a) && store.IsBits(b));
  if (store.width(a) != store.width(b)) return Unknown("bit patterns of different widths");
  if (store.ContainsUndef(a) || store.ContainsUndef(b)) return Unknown("an uninitialised value");
  if (a == b) return Proved("same_term");
  normal::Shared& shared = impl_->shared;
  std::string failure;
  for (normal::Canonicalizer* forms : {&impl_->strict, &impl_->lifted}) {
    const Form left = forms->NormalizeInteger(a, &failure);
    const Form right = left.poly == kNoPoly ? Form{} : forms->NormalizeInteger(b, &failure);
    if (left.poly == kNoPoly || right.poly == kNoPoly) return Unknown("canonical form: " + failure);
    const SetId lifts = shared.lifts.Union(left.lifts, right.lifts);
    const bool lifted = forms == &impl_->lifted;
    if (lifted && lifts == normal::kEmptySet) break;
    if (left.poly != right.poly || shared.conditions.Simplify(left.conditions) != shared.conditions.Simplify(right.conditions)) continue;
    if (lifted) impl_->Record(lifts);
    return Proved(lifted ? "lifted_constants" : "canonical");
  }
  return NotEqual();
}

bool Normalizer::DependsOnReading(TermId term) {
  return std::any_of(impl_->readings.begin(), impl_->readings.end(), [&](normal::Readings& readings) { return readings.Differ(term); });
}

const std::vector<LiftedConstant>& Normalizer::ledger() const { return impl_->ledger; }

std::string Normalizer::Describe(TermId a, size_t max_terms) {
  TermId value = a;
  if (impl_->store.IsBits(a)) {
    if (impl_->store.kind(a) != TermKind::kFpToBits) return impl_->store.ToString(a);
    value = impl_->store.operand(a, 0);
  }
  if (impl_->store.ContainsUndef(value)) return impl_->store.ToString(a);
  std::string failure;
  Form form = impl_->strict.Normalize(value, &failure);
  if (form.poly == kNoPoly) return "no canonical form (" + failure + "): " + impl_->store.ToString(value);
  return normal::DescribeForm(impl_->shared, form.poly, max_terms);
}

std::vector<std::string> Normalizer::UninterpretedFunctions() const {
  return {impl_->shared.uninterpreted.begin(), impl_->shared.uninterpreted.end()};
}

}  // namespace racer
