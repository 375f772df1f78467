#include "symexec/normal/canonical.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "symexec/term/fold.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

size_t Index(TermId t) { return static_cast<size_t>(t); }

// Quantisation is a function of its own, not a rounding to be ignored.
bool IsReal(FpFormat format) { return !IsNarrow(format); }

Rational OfUnsigned(uint64_t value) {
  return Rational::Dyadic(static_cast<int64_t>(value >> 32), 32) + Rational(static_cast<int64_t>(value & 0xffffffffu));
}

}  // namespace

Canonicalizer::Canonicalizer(Shared& shared, const ConstantTable* constant_table, bool sums_as_atoms)
    : shared_(shared), store_(shared.store), algebra_(shared.algebra), constant_table_(constant_table), sums_as_atoms_(sums_as_atoms) {}

void Canonicalizer::Reserve() {
  size_t n = store_.size();
  if (forms_.size() >= n) return;
  forms_.resize(n, Form{kUnset, kEmptySet, kEmptySet});
  owner_.resize(n, 0);
  visited_in_.resize(n, 0);
}

void Canonicalizer::Set(TermId t, PolyId poly, SetId conditions, SetId lifts) { forms_[Index(t)] = {poly, conditions, lifts}; }

void Canonicalizer::SetFailed(TermId t, std::string reason) {
  forms_[Index(t)] = {kNoPoly, kEmptySet, kEmptySet};
  failures_[static_cast<uint32_t>(t)] = std::move(reason);
}

void Canonicalizer::SetInfinite(TermId t, int sign, SetId conditions, SetId lifts) {
  SetFailed(t, "an infinite value");
  infinite_[static_cast<uint32_t>(t)] = {sign, conditions, lifts};
}

int Canonicalizer::InfinityOf(TermId t) const {
  const auto found = infinite_.find(static_cast<uint32_t>(t));
  return found == infinite_.end() ? 0 : found->second.sign;
}

Form Canonicalizer::Normalize(TermId term, std::string* failure) {
  RACER_CHECK(!store_.IsBits(term));
  Reserve();
  if (!Done(term) && !QuickLeaf(term)) frames_.push_back({term, 0, false, kEmptySet});
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (Done(frame.term)) {
      frames_.pop_back();
      continue;
    }
    if (!frame.gathered) {
      frame.gathered = true;
      frame.items = items_.size();
      size_t begin = frame.items;
      if (IsAdditive(frame.term))
        GatherSum(frame);
      else
        GatherOperands(frame);
      // `frame` may dangle from here on.
      for (size_t i = begin; i < items_.size(); ++i) {
        for (TermId leaf : {items_[i].a, items_[i].b}) {
          if (leaf != kNoTerm && !Done(leaf) && !QuickLeaf(leaf)) frames_.push_back({leaf, 0, false, kEmptySet});
        }
      }
      continue;
    }
    Frame finished = frame;
    frames_.pop_back();
    if (IsAdditive(finished.term))
      FinishSum(finished);
    else
      FinishOperation(finished);
    items_.resize(finished.items);
  }
  Form form = forms_[Index(term)];
  if (form.poly == kNoPoly && failure != nullptr) *failure = failures_[static_cast<uint32_t>(term)];
  return form;
}

// --- leaves

AtomId Canonicalizer::InputAtom(TermId t) {
  std::vector<uint32_t>& atoms = shared_.input_atoms;
  if (atoms.size() < store_.size()) atoms.resize(store_.size(), 0);
  if (atoms[Index(t)] != 0) return AtomId{atoms[Index(t)] - 1};
  Atom atom{.kind = AtomKind::kInput, .term = t};
  size_t symbol = static_cast<size_t>(store_.input_symbol(t));
  if (symbol < shared_.ranges.size()) {
    const SymbolRange& r = shared_.ranges[symbol];
    atom.range = &r;
    if (r.low && r.low->Sign() >= 0) atom.signs &= static_cast<Signs>(r.low->Sign() > 0 || r.low_open ? kPositive : kPositive | kZeroSign);
    if (r.high && r.high->Sign() <= 0)
      atom.signs &= static_cast<Signs>(r.high->Sign() < 0 || r.high_open ? kNegative : kNegative | kZeroSign);
    if (atom.signs == 0) atom.signs = kAnySign;  // an empty range says nothing
  }
  AtomId id = algebra_.AddAtom(std::move(atom));
  atoms[Index(t)] = static_cast<uint32_t>(id) + 1;
  return id;
}

bool Canonicalizer::QuickLeaf(TermId t) {
  switch (store_.kind(t)) {
    case TermKind::kFpInput: Set(t, algebra_.OfAtom(InputAtom(t)), kEmptySet, kEmptySet); return true;
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kIntToFp:
    case TermKind::kFpConvert: {
      const ConstantInfo* c = ConstantOf(t);
      if (c == nullptr) return false;
      Set(t, algebra_.Constant(c->value), kEmptySet, c->lifts);
      return true;
    }
    case TermKind::kBvConst:
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kBvAdd:
    case TermKind::kBvSub:
    case TermKind::kBvMul:
    case TermKind::kBvUDiv:
    case TermKind::kBvURem:
    case TermKind::kBvSDiv:
    case TermKind::kBvSRem:
    case TermKind::kBvAnd:
    case TermKind::kBvOr:
    case TermKind::kBvXor:
    case TermKind::kBvNot:
    case TermKind::kBvShl:
    case TermKind::kBvLShr:
    case TermKind::kBvAShr:
    case TermKind::kBvEq:
    case TermKind::kBvUlt:
    case TermKind::kBvSlt:
    case TermKind::kBvIte:
    case TermKind::kBvExtract:
    case TermKind::kBvConcat:
    case TermKind::kBvZExt:
    case TermKind::kBvSExt:
    case TermKind::kFpToBits:
    case TermKind::kFpCompare:
    case TermKind::kFpToInt: RACER_UNREACHABLE(store_.kind(t));
    case TermKind::kBitsToFp:
    case TermKind::kFpIte:
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: return false;
  }
  RACER_UNREACHABLE(store_.kind(t));
}

std::optional<PolyId> Canonicalizer::LiteralForm(TermId t, SetId* lifts) {
  FpFormat format = store_.format(t);
  uint64_t bits = store_.const_bits(t);
  std::optional<Dyadic> d = Decode(format, bits);
  if (!d) return std::nullopt;
  if (constant_table_ != nullptr) {
    if (std::optional<NamedReal> real = constant_table_->Find(format, bits)) {
      saw_liftable_ = true;
      *lifts = shared_.lifts.Intern({static_cast<uint32_t>(t)});
      algebra_.Fire(Rule::kLiftConstant, kZero);
      PolyId form = algebra_.Scale(algebra_.SqrtOfRational(real->radicand), real->factor);
      const auto times = [&](PolyId base, int power) {
        if (power == 0 || form == kNoPoly) return;
        base = power < 0 ? algebra_.Inverse(base) : base;
        form = algebra_.Multiply(form, algebra_.Power(base, static_cast<unsigned>(power < 0 ? -power : power)));
      };
      times(algebra_.Of(NamedConstant::kLog2E), real->log2_e);
      times(algebra_.Sqrt(algebra_.Of(NamedConstant::kPi)), real->root_pi);
      return form;
    }
  }
  Rational value = Rational::Dyadic(static_cast<int64_t>(d->mantissa), d->exponent);
  return algebra_.Constant(d->negative ? -value : value);
}

const Canonicalizer::ConstantInfo* Canonicalizer::ConstantOf(TermId t) {
  TermKind kind = store_.kind(t);
  if (kind == TermKind::kFpConvert) {
    // A constant under conversions that change nothing over the reals.
    TermId inner = t;
    for (int i = 0; i < 8 && store_.kind(inner) == TermKind::kFpConvert; ++i) {
      FpAttr attr = store_.fp_attr(inner);
      if (attr.sat || attr.relu || !IsReal(attr.format)) return nullptr;
      inner = store_.operand(inner, 0);
    }
    return store_.kind(inner) == TermKind::kFpConvert ? nullptr : ConstantOf(inner);
  }
  if (kind != TermKind::kFpConst && kind != TermKind::kFpReal && kind != TermKind::kIntToFp) return nullptr;
  if (kind == TermKind::kIntToFp && (!store_.IsConst(store_.operand(t, 0)) || store_.fp_attr(t).sat || store_.fp_attr(t).relu))
    return nullptr;
  auto [it, added] = constants_.try_emplace(static_cast<uint32_t>(t));
  ConstantInfo& info = it->second;
  if (added) {
    if (kind == TermKind::kFpReal) {
      info.known = true;
      info.value = store_.real_value(t);
    } else if (kind == TermKind::kIntToFp) {
      TermId bits = store_.operand(t, 0);
      info.known = IsReal(store_.format(t));
      info.value = IsSigned(store_.int_type(t)) ? Rational(fold::Signed(store_.width(bits), store_.const_bits(bits)))
                                                : OfUnsigned(store_.const_bits(bits));
    } else if (std::optional<PolyId> form = LiteralForm(t, &info.lifts); form && *form != kNoPoly && algebra_.IsConstant(*form)) {
      info.known = true;
      info.value = algebra_.ConstantValue(*form);
    }
  }
  return info.known ? &info : nullptr;
}

// --- sums

bool Canonicalizer::IsAdditive(TermId t) const {
  switch (store_.kind(t)) {
    case TermKind::kFpConvert: {
      FpAttr attr = store_.fp_attr(t);
      return !attr.sat && !attr.relu && !attr.satfinite && IsReal(attr.format);  // the finite end of an infinity is looked at
    }
    case TermKind::kFpUnary: {
      FpAttr attr = store_.fp_attr(t);
      return store_.fp_kind(t) == FpKind::kNeg && !attr.sat && !attr.relu;
    }
    case TermKind::kFpBinary: {
      FpAttr attr = store_.fp_attr(t);
      FpKind kind = store_.fp_kind(t);
      return (kind == FpKind::kAdd || kind == FpKind::kSub || kind == FpKind::kMul) && !attr.sat && !attr.relu && !attr.xorsign;
    }
    case TermKind::kFpTernary: {
      FpAttr attr = store_.fp_attr(t);
      return store_.fp_kind(t) == FpKind::kFma && !attr.sat && !attr.relu;
    }
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput:
    case TermKind::kBitsToFp:
    case TermKind::kFpIte:
    case TermKind::kIntToFp: return false;
    case TermKind::kBvConst:
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kBvAdd:
    case TermKind::kBvSub:
    case TermKind::kBvMul:
    case TermKind::kBvUDiv:
    case TermKind::kBvURem:
    case TermKind::kBvSDiv:
    case TermKind::kBvSRem:
    case TermKind::kBvAnd:
    case TermKind::kBvOr:
    case TermKind::kBvXor:
    case TermKind::kBvNot:
    case TermKind::kBvShl:
    case TermKind::kBvLShr:
    case TermKind::kBvAShr:
    case TermKind::kBvEq:
    case TermKind::kBvUlt:
    case TermKind::kBvSlt:
    case TermKind::kBvIte:
    case TermKind::kBvExtract:
    case TermKind::kBvConcat:
    case TermKind::kBvZExt:
    case TermKind::kBvSExt:
    case TermKind::kFpToBits:
    case TermKind::kFpCompare:
    case TermKind::kFpToInt: RACER_UNREACHABLE(store_.kind(t));
  }
  RACER_UNREACHABLE(store_.kind(t));
}

// Whether the child's leaves flow into the parent's sum. A child that a second parent (or the same sum a second time) asks
// for gets a form of its own instead, so that shared sums are built once and x + x chains stay linear.
bool Canonicalizer::Absorb(TermId child, TermId parent) { return !Done(child) && IsAdditive(child) && Claim(child, parent); }

bool Canonicalizer::Claim(TermId child, TermId parent) {
  uint32_t& owner = owner_[Index(child)];
  uint32_t& when = visited_in_[Index(child)];
  if (owner == 0) {
    owner = static_cast<uint32_t>(parent);
  } else if (owner != static_cast<uint32_t>(parent) || when == gathering_) {
    return false;
  }
  when = gathering_;
  return true;
}

void Canonicalizer::GatherSum(Frame& frame) {
  ++gathering_;
  algebra_.Fire(Rule::kSumOfLeaves, kZero);
  sum_stack_.clear();
  sum_stack_.emplace_back(frame.term, Rational(1));
  while (!sum_stack_.empty()) {
    auto [t, scale] = std::move(sum_stack_.back());
    sum_stack_.pop_back();
    auto child = [&](TermId c, const Rational& s) {
      if (Absorb(c, t))
        sum_stack_.emplace_back(c, s);
      else
        items_.push_back({s, c, kNoTerm});
    };
    // scale * a * b, with a literal factor moved into the scale.
    auto product = [&](TermId a, TermId b) {
      const ConstantInfo* c = ConstantOf(a);
      if (c == nullptr) {
        std::swap(a, b);
        c = ConstantOf(a);
      }
      if (c == nullptr) {
        items_.push_back({scale, b, a});
        return;
      }
      frame.lifts = shared_.lifts.Union(frame.lifts, c->lifts);
      child(b, scale * c->value);
    };
    TermId a = store_.operand(t, 0), b = store_.operand(t, 1);
    const TermKind kind = store_.kind(t);  // IsAdditive admits only these four
    if (kind == TermKind::kFpConvert) {
      child(a, scale);
    } else if (kind == TermKind::kFpUnary) {
      child(a, -scale);
    } else if (kind == TermKind::kFpTernary) {
      product(a, b);
      child(store_.operand(t, 2), scale);
    } else if (store_.fp_kind(t) == FpKind::kMul) {
      product(a, b);
    } else {
      child(a, scale);
      child(b, store_.fp_kind(t) == FpKind::kSub ? -scale : scale);
    }
  }
}

void Canonicalizer::FinishSum(const Frame& frame) {
  SetId conditions = kEmptySet, lifts = frame.lifts;
  int infinite = 0;
  const auto fail = [&](std::string why) {
    sum_.Clear();
    SetFailed(frame.term, std::move(why));
  };
  for (size_t i = frame.items; i < items_.size(); ++i) {
    const Item& item = items_[i];
    Form factors[2];
    int signs[2] = {0, 0};
    bool finite = true;
    for (unsigned k = 0; k < 2; ++k) {
      const TermId factor = k == 0 ? item.a : item.b;
      if (factor == kNoTerm) continue;
      factors[k] = forms_[Index(factor)];
      if (factors[k].poly == kNoPoly) {
        signs[k] = InfinityOf(factor);
        if (signs[k] == 0) return fail(failures_[static_cast<uint32_t>(factor)]);
        const Infinite& known = infinite_[static_cast<uint32_t>(factor)];
        factors[k].conditions = known.conditions;
        factors[k].lifts = known.lifts;
        finite = false;
      }
      conditions = shared_.conditions.Union(conditions, factors[k].conditions);
      lifts = shared_.lifts.Union(lifts, factors[k].lifts);
    }
    const Form &a = factors[0], &b = factors[1];
    if (!finite) {
      int sign = item.scale.Sign();
      for (unsigned k = 0; k < (item.b == kNoTerm ? 1u : 2u); ++k) {
        const Signs known = signs[k] == 0 ? algebra_.SignsOf(factors[k].poly) : 0;
        sign *= signs[k] != 0 ? signs[k] : known == kPositive ? 1 : known == kNegative ? -1 : 0;
      }
      if (sign == 0) return fail("an infinity times a value of unknown sign");
      if (infinite != 0 && sign != infinite) return fail("the difference of two infinities");
      infinite = sign;
      continue;
    }
    bool ok = true;
    if (item.b == kNoTerm) {
      ok = algebra_.AddForm(sum_, item.scale, a.poly);
    } else {
      PolyId left = Factor(a.poly, b.poly), right = Factor(b.poly, a.poly);
      ok = left != kNoPoly && right != kNoPoly && algebra_.AddProduct(sum_, item.scale, left, right);
    }
    if (!ok) return fail(algebra_.failure());
  }
  PolyId result = algebra_.Finish(sum_);
  if (infinite != 0) return SetInfinite(frame.term, infinite, conditions, lifts);
  Set(frame.term, result, conditions, lifts);
  if (conditions == kEmptySet) LearnFromItems(frame, result);
}

// What stands for a factor of a product with `other`.
PolyId Canonicalizer::Factor(PolyId a, PolyId other) {
  constexpr size_t kManyTerms = 64;
  // A power of 2 is fused with what is in each term: the sums of a softmax that are rescaled as the maximum grows.
  if (!sums_as_atoms_ || algebra_.size(a) < kManyTerms || algebra_.IsPowerOf2(other)) return a;
  saw_sum_atom_ = true;
  return algebra_.SumAtom(a);
}

PolyId Canonicalizer::Product(PolyId a, PolyId b) {
  PolyId left = Factor(a, b), right = Factor(b, a);
  return left == kNoPoly || right == kNoPoly ? kNoPoly : algebra_.Multiply(left, right);
}

// A sum of squares shows its sign as it is written, not once it is expanded. Only for sums that are defined everywhere: a sign
// that holds where some root is defined says nothing about the same form without that root.
void Canonicalizer::LearnFromItems(const Frame& frame, PolyId result) {
  bool interesting = false;
  for (size_t i = frame.items; !interesting && i < items_.size(); ++i) {
    const Item& item = items_[i];
    interesting = algebra_.size(forms_[Index(item.a)].poly) > 1 && (item.b == kNoTerm || item.a == item.b);
  }
  if (!interesting || algebra_.SignsOf(result) != kAnySign) return;
  Signs all = kZeroSign;
  for (size_t i = frame.items; i < items_.size() && all != kAnySign; ++i) {
    const Item& item = items_[i];
    Signs signs = algebra_.SignsOf(forms_[Index(item.a)].poly);
    if (item.b != kNoTerm)
      signs = item.a == item.b ? SignsOfSquare(signs) : SignsOfProduct(signs, algebra_.SignsOf(forms_[Index(item.b)].poly));
    Signs scale = item.scale.Sign() > 0 ? kPositive : item.scale.Sign() < 0 ? kNegative : kZeroSign;
    all = SignsOfSum(all, SignsOfProduct(signs, scale));
  }
  if (all == kAnySign) return;
  algebra_.Fire(Rule::kSumOfSquares, result);
  algebra_.LearnSigns(result, all);
}

}  // namespace racer::normal
