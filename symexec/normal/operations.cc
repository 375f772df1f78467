// Operations that are not sums: division, roots, maxima, selections, functions and bits.
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "symexec/ball/decode.h"
#include "symexec/normal/canonical.h"
#include "symexec/term/fold.h"
#include "symexec/term/widen.h"

namespace racer::normal {
namespace {

size_t Index(TermId t) { return static_cast<size_t>(t); }

// -1, +1: an infinite literal; 0: not one.
int InfiniteSign(const TermStore& store, TermId t) {
  if (store.kind(t) != TermKind::kFpConst) return 0;
  FormatLayout layout = LayoutOf(store.format(t));
  if (!layout.has_infinity) return 0;
  uint64_t bits = store.const_bits(t);
  uint64_t magnitude = bits & fold::Mask(layout.exponent_bits + layout.fraction_bits);
  if (magnitude != fold::Mask(layout.exponent_bits) << layout.fraction_bits) return 0;
  return bits == magnitude ? 1 : -1;
}

constexpr unsigned kNoOperand = ~0U;

// Which operand of a min or max is an infinity that never wins.
unsigned NeutralOperand(const TermStore& store, TermId t) {
  if (store.kind(t) != TermKind::kFpBinary) return kNoOperand;
  FpKind kind = store.fp_kind(t);
  if ((kind != FpKind::kMax && kind != FpKind::kMin) || store.fp_attr(t).xorsign) return kNoOperand;
  int neutral = kind == FpKind::kMax ? -1 : 1;
  if (InfiniteSign(store, store.operand(t, 1)) == neutral) return 1;
  return InfiniteSign(store, store.operand(t, 0)) == neutral ? 0 : kNoOperand;
}

// Operations that give a number for a NaN operand. Of a selection, its predicate is meant.
bool AbsorbsNaN(const TermStore& store, TermId t) {
  switch (store.kind(t)) {
    case TermKind::kFpIte: return true;
    case TermKind::kFpConvert: return store.fp_attr(t).sat || store.fp_attr(t).satfinite;
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: {
      FpKind kind = store.fp_kind(t);
      FpAttr attr = store.fp_attr(t);
      return attr.sat || ((kind == FpKind::kMax || kind == FpKind::kMin) && !attr.nan);
    }
    default: return false;  // no other kind computes on a value
  }
}

// Where the sign of an operand comes from: conversions hand it on.
TermId SignSource(const TermStore& store, TermId of) {
  while (store.kind(of) == TermKind::kFpConvert && !store.fp_attr(of).sat && !store.fp_attr(of).relu) of = store.operand(of, 0);
  return of;
}

bool IsNegationOf(const TermStore& store, TermId a, TermId of) {
  return a != kNoTerm && store.kind(a) == TermKind::kFpUnary && store.fp_kind(a) == FpKind::kNeg && store.operand(a, 0) == of;
}

bool IsLogic(TermKind kind) {
  return kind == TermKind::kBvAnd || kind == TermKind::kBvOr || kind == TermKind::kBvXor || kind == TermKind::kBvNot;
}

}  // namespace

// Whether the child's operands are operands of its parent, an extremum of the same kind.
bool Canonicalizer::AbsorbExtremum(TermId child, TermId parent) {
  const auto extremum = [&](TermId t) {
    return store_.kind(t) == TermKind::kFpBinary && (store_.fp_kind(t) == FpKind::kMax || store_.fp_kind(t) == FpKind::kMin) &&
           !store_.fp_attr(t).xorsign;
  };
  if (Done(child) || !extremum(child) || !extremum(parent) || store_.fp_kind(child) != store_.fp_kind(parent)) return false;
  const FpAttr inner = store_.fp_attr(child), outer = store_.fp_attr(parent);
  return !inner.sat && !inner.relu && inner.nan == outer.nan && Claim(child, parent);
}

void Canonicalizer::GatherOperands(Frame& frame) {
  TermId t = frame.term;
  auto need = [&](TermId operand) { items_.push_back({Rational(1), operand, kNoTerm}); };
  switch (store_.kind(t)) {
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary: {
      // A chain of maxima (or of minima) is one; max(a, -a) stays |a|.
      ++gathering_;
      std::vector<TermId> chain = {t};
      while (!chain.empty()) {
        const TermId link = chain.back();
        chain.pop_back();
        const unsigned neutral = NeutralOperand(store_, link);
        for (unsigned i = 0; i < store_.arity(link); ++i) {
          if (i == neutral) continue;
          const TermId operand = store_.operand(link, i);
          const TermId other = store_.arity(link) == 2 ? store_.operand(link, 1 - i) : kNoTerm;
          if (!IsNegationOf(store_, other, operand) && AbsorbExtremum(operand, link)) {
            chain.push_back(operand);
            algebra_.Fire(Rule::kMaxFlatten, kZero);
          } else {
            need(operand);
          }
        }
      }
      break;
    }
    case TermKind::kFpConvert: need(store_.operand(t, 0)); break;
    case TermKind::kFpIte:
      need(store_.operand(t, 1));
      need(store_.operand(t, 2));
      GatherPredicate(store_.operand(t, 0));
      break;
    case TermKind::kIntToFp:
    case TermKind::kBitsToFp: GatherIntegers(store_.operand(t, 0)); break;
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput: break;
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
    case TermKind::kFpToInt: RACER_UNREACHABLE(store_.kind(t));  // B terms never get a form
  }
}

// The operands of the comparisons inside a predicate's logic.
void Canonicalizer::GatherPredicate(TermId predicate) {
  std::vector<TermId> stack = {predicate};
  std::set<TermId> seen;
  while (!stack.empty()) {
    TermId t = stack.back();
    stack.pop_back();
    if (!seen.insert(t).second) continue;
    if (store_.kind(t) == TermKind::kFpCompare) {
      items_.push_back({Rational(1), store_.operand(t, 0), kNoTerm});
      items_.push_back({Rational(1), store_.operand(t, 1), kNoTerm});
    } else if (IsLogic(store_.kind(t))) {
      for (unsigned i = 0; i < store_.arity(t); ++i) stack.push_back(store_.operand(t, i));
    }
  }
}

void Canonicalizer::FinishOperation(const Frame& frame) {
  if (store_.kind(frame.term) == TermKind::kIntToFp || store_.kind(frame.term) == TermKind::kBitsToFp) return FinishConversion(frame);
  SetId conditions = kEmptySet, lifts = frame.lifts;
  const bool selection = store_.kind(frame.term) == TermKind::kFpIte;
  bool infinite = false;
  std::vector<PolyId> args;
  for (size_t i = frame.items; i < items_.size(); ++i) {
    TermId a = items_[i].a;
    Form form = forms_[Index(a)];
    if (form.poly == kNoPoly) {
      const auto known = infinite_.find(static_cast<uint32_t>(a));
      if (known == infinite_.end()) {
        SetFailed(frame.term, failures_[static_cast<uint32_t>(a)]);
        return;
      }
      form.conditions = known->second.conditions;
      form.lifts = known->second.lifts;
      infinite = true;
    }
    // The arms of a selection hold their conditions only where they are chosen.
    if (!selection || i >= frame.items + 2) conditions = shared_.conditions.Union(conditions, form.conditions);
    lifts = shared_.lifts.Union(lifts, form.lifts);
    args.push_back(form.poly);
  }
  // A NaN ends there: max(NaN, a) is a, NaN < a is false, sat(NaN) is 0 (and an infinity in .satfinite). Two sides that are undefined at
  // the same inputs would still compute different numbers.
  if (conditions != kEmptySet && AbsorbsNaN(store_, frame.term)) {
    SetFailed(frame.term, "min, max, saturation, comparison or rounding to an integer of a value that may be undefined");
    return;
  }
  PolyId result = kNoPoly;
  if (const int sign = InfiniteSign(store_, frame.term); sign != 0) return SetInfinite(frame.term, sign, kEmptySet, lifts);
  if (infinite && !selection) {
    if (!FinishInfinite(frame.term, std::move(args), conditions, lifts)) SetFailed(frame.term, "an operation on an infinite value");
    return;
  }
  if (store_.kind(frame.term) == TermKind::kFpConst) {
    std::optional<PolyId> literal = LiteralForm(frame.term, &lifts);
    result = literal ? *literal : algebra_.Fail("the constant " + store_.ToString(frame.term) + ", which is no real number");
  } else {
    result = Operation(frame.term, args, &conditions);
  }
  if (result == kNoPoly) {
    if (chosen_infinity_ != 0) return SetInfinite(frame.term, std::exchange(chosen_infinity_, 0), conditions, lifts);
    SetFailed(frame.term, algebra_.failure());
    return;
  }
  Set(frame.term, result, conditions, lifts);
}

PolyId Canonicalizer::Clamp(PolyId value, bool sat, bool relu) {
  if (value == kNoPoly) return kNoPoly;
  if (relu) value = algebra_.Fire(Rule::kReluAsMax, algebra_.Max({value, kZero}));
  if (value == kNoPoly || !sat) return value;
  value = algebra_.Max({value, kZero});
  PolyId negated = value == kNoPoly ? kNoPoly : algebra_.Scale(value, Rational(-1));
  if (negated == kNoPoly) return kNoPoly;
  PolyId low = algebra_.Max({negated, algebra_.Constant(Rational(-1))});
  return low == kNoPoly ? kNoPoly : algebra_.Fire(Rule::kSatAsMax, algebra_.Scale(low, Rational(-1)));
}

PolyId Canonicalizer::Function(std::vector<uint32_t> code, const std::string& name, std::vector<PolyId> args, Signs signs,
                               FunctionTraits traits) {
  auto [it, added] = shared_.function_codes.try_emplace(code, static_cast<uint32_t>(shared_.function_names.size()));
  if (added) shared_.function_names.push_back(name);
  if (traits.reported) shared_.uninterpreted.insert(name);
  std::vector<uint32_t> key = {static_cast<uint32_t>(AtomKind::kFunction), it->second};
  Atom atom{.kind = AtomKind::kFunction, .signs = signs, .range = traits.range, .integer = traits.integer};
  atom.function = it->second;
  for (PolyId arg : args) {
    key.push_back(static_cast<uint32_t>(arg));
    atom.args.push_back(static_cast<uint32_t>(arg));
  }
  return algebra_.OfAtom(algebra_.InternAtom(std::move(key), std::move(atom)));
}

// The value of a pattern that the ring does not look into: it may be no number at all.
PolyId Canonicalizer::Opaque(TermId t, uint32_t format, SetId* conditions) {
  *conditions = shared_.conditions.Union(*conditions, shared_.conditions.Opaque(static_cast<uint32_t>(t)));
  Atom atom{.kind = AtomKind::kOpaque, .term = t};
  return algebra_.OfAtom(
      algebra_.InternAtom({static_cast<uint32_t>(AtomKind::kOpaque), 2 + format, static_cast<uint32_t>(t)}, std::move(atom)));
}

// A conversion to a narrow format: a function of its operand's value, known where that is a number.
PolyId Canonicalizer::Quantised(const FpAttr& attr, PolyId value) {
  if (algebra_.IsConstant(value)) {
    const std::optional<Rational> result = Quantise(attr.format, attr.rounding, attr.satfinite, algebra_.ConstantValue(value));
    if (!result) return algebra_.Fail("a conversion to ." + std::string(Spelling(attr.format)) + " that gives no number");
    return algebra_.Fire(Rule::kRoundConstant, algebra_.Constant(*result));
  }
  // Rounding keeps a sign or gives zero; ue8m0 has neither.
  const Signs signs = attr.format == FpFormat::kUE8M0 ? kPositive : static_cast<Signs>(algebra_.SignsOf(value) | kZeroSign);
  return Function({2, static_cast<uint32_t>(attr.format), static_cast<uint32_t>(attr.rounding), attr.satfinite ? 1u : 0u},
                  QuantiserName(attr.format, attr.satfinite), {value}, signs);
}

bool Canonicalizer::HoldsPartial(TermId t) {
  // Operands have smaller ids, so one sweep upwards settles every term.
  std::vector<bool>& partial = shared_.partial;
  while (partial.size() <= Index(t)) {
    TermId id{static_cast<uint32_t>(partial.size())};
    bool holds = false;
    if (id != kNoTerm) {
      TermKind kind = store_.kind(id);
      if (kind == TermKind::kFpUnary || kind == TermKind::kFpBinary) {
        FpKind op = store_.fp_kind(id);
        holds = op == FpKind::kDiv || op == FpKind::kRcp || op == FpKind::kSqrt || op == FpKind::kRsqrt || op == FpKind::kLg2 ||
                op == FpKind::kLog || op == FpKind::kPow;
      }
      for (unsigned i = 0; i < store_.arity(id); ++i) holds = holds || partial[Index(store_.operand(id, i))];
    }
    partial.push_back(holds);
  }
  return partial[Index(t)];
}

// A square that is written as one keeps its root; found again in the expanded form it would not be.
PolyId Canonicalizer::Root(TermId t, PolyId radicand) {
  TermId of = store_.operand(t, 0);
  const bool square = store_.kind(of) == TermKind::kFpBinary && store_.fp_kind(of) == FpKind::kMul &&
                      store_.operand(of, 0) == store_.operand(of, 1) && !store_.fp_attr(of).sat && !store_.fp_attr(of).relu;
  if (!square || algebra_.size(radicand) <= 1) return algebra_.Sqrt(radicand);
  Form factor = forms_[Index(store_.operand(of, 0))];
  if (factor.poly == kUnset || factor.poly == kNoPoly) return algebra_.Sqrt(radicand);
  return algebra_.Fire(Rule::kSqrtOfSquare, algebra_.Abs(factor.poly));
}

PolyId Canonicalizer::Operation(TermId t, const std::vector<PolyId>& args, SetId* conditions) {
  Conditions& where = shared_.conditions;
  // Leaves and sums without clamps were handled before; every kind of term that is left stands here.
  const TermKind term_kind = store_.kind(t);
  if (term_kind == TermKind::kFpIte) return Select(t, args[0], args[1], conditions);
  if (term_kind == TermKind::kFpConvert) {
    FpAttr attr = store_.fp_attr(t);
    PolyId value = args[0];
    if (IsNarrow(attr.format)) value = Quantised(attr, args[0]);
    return Clamp(value, attr.sat, attr.relu);
  }
  RACER_CHECK(term_kind == TermKind::kFpUnary || term_kind == TermKind::kFpBinary || term_kind == TermKind::kFpTernary);

  FpAttr attr = store_.fp_attr(t);
  FpKind kind = store_.fp_kind(t);
  auto clamp = [&](PolyId value) { return Clamp(value, attr.sat, attr.relu); };
  const Rational minus_one(-1);
  switch (kind) {
    // Sums and products reach this place only with sat or relu: the plain value first.
    case FpKind::kAdd: return clamp(algebra_.Add(args[0], args[1]));
    case FpKind::kSub: return clamp(algebra_.Add(args[0], args[1], minus_one));
    case FpKind::kMul: return clamp(Product(args[0], args[1]));
    case FpKind::kFma: {
      PolyId product = Product(args[0], args[1]);
      return product == kNoPoly ? kNoPoly : clamp(algebra_.Add(product, args[2]));
    }
    case FpKind::kNeg: return clamp(algebra_.Scale(args[0], minus_one));
    case FpKind::kAbs: return clamp(algebra_.Abs(args[0]));
    case FpKind::kDiv: {
      if (!where.NonZero(args[1], conditions)) return kNoPoly;
      PolyId inverse = algebra_.Inverse(args[1]);
      return inverse == kNoPoly ? kNoPoly : clamp(Product(args[0], inverse));
    }
    case FpKind::kRcp: return where.NonZero(args[0], conditions) ? clamp(algebra_.Inverse(args[0])) : kNoPoly;
    case FpKind::kSqrt: return where.NonNegative(args[0], conditions) ? clamp(Root(t, args[0])) : kNoPoly;
    case FpKind::kRsqrt: {
      if (!where.Positive(args[0], conditions)) return kNoPoly;
      PolyId root = Root(t, args[0]);
      return root == kNoPoly ? kNoPoly : clamp(algebra_.Inverse(root));
    }
    case FpKind::kMax:
    case FpKind::kMin: {
      if (!attr.xorsign) return clamp(Extremum(t, args));
      if (args.size() != 2) return algebra_.Fail("an infinite operand of min or max with .xorsign");
      std::vector<uint32_t> code = {3, static_cast<uint32_t>(kind)};
      // The sign of a zero shows on the other magnitude, and only the same term has it. A minimum is zero itself.
      for (unsigned i = 0; i < 2 && kind == FpKind::kMax; ++i) {
        const bool signed_zero = !NeverZero(algebra_.SignsOf(args[i]));
        code.push_back(signed_zero ? static_cast<uint32_t>(SignSource(store_, store_.operand(t, i))) : 0);
      }
      return clamp(Function(std::move(code), kind == FpKind::kMax ? "max.xorsign.abs" : "min.xorsign.abs", args, kAnySign));
    }
    case FpKind::kCopySign: {
      // |b| times the sign of a. The reals do not know the sign of a zero: unless a is never zero, only the same a has it.
      if (args[0] == kZero) return algebra_.Fail("the sign of a zero");
      PolyId magnitude = algebra_.Abs(args[1]);
      if (magnitude == kNoPoly) return kNoPoly;
      Signs signs = algebra_.SignsOf(args[0]);
      if (signs == kPositive) return clamp(magnitude);
      if (signs == kNegative) return clamp(algebra_.Scale(magnitude, minus_one));
      Rational scale(1);
      PolyId sign;
      if (NeverZero(signs)) {
        PolyId direction = algebra_.Primitive(args[0], true, &scale);
        sign = direction == kNoPoly ? kNoPoly : Function({4}, "sign", {direction}, kNegative | kPositive);
      } else {
        sign = Function({5, static_cast<uint32_t>(SignSource(store_, store_.operand(t, 0)))}, "sign", {args[0]}, kNegative | kPositive);
      }
      PolyId product = sign == kNoPoly ? kNoPoly : algebra_.Multiply(magnitude, sign);
      return product == kNoPoly ? kNoPoly : clamp(algebra_.Scale(product, Rational(scale.Sign())));
    }
    case FpKind::kEx2: return clamp(algebra_.Power2(args[0]));
    case FpKind::kExp: return clamp(Exponential(args[0]));
    case FpKind::kLg2: return where.Positive(args[0], conditions) ? clamp(algebra_.Log2(args[0])) : kNoPoly;
    case FpKind::kLog: {
      if (!where.Positive(args[0], conditions)) return kNoPoly;
      const PolyId log = algebra_.Log2(args[0]);
      return log == kNoPoly ? kNoPoly : clamp(algebra_.Multiply(log, algebra_.Inverse(algebra_.Of(NamedConstant::kLog2E))));
    }
    case FpKind::kPow: return clamp(Pow(args[0], args[1], conditions));
    case FpKind::kErf:
    case FpKind::kSin:
    case FpKind::kCos: return clamp(OddOrEven(kind, args[0]));
    case FpKind::kTanh: {
      const PolyId power = Exponential(algebra_.Scale(args[0], Rational(2)));
      const PolyId sum = power == kNoPoly ? kNoPoly : algebra_.Add(power, algebra_.Constant(Rational(1)));
      const PolyId inverse = sum == kNoPoly ? kNoPoly : algebra_.Inverse(sum);
      if (inverse == kNoPoly) return kNoPoly;
      return algebra_.Fire(Rule::kTanhAsPower, clamp(algebra_.Add(algebra_.Constant(Rational(1)), inverse, Rational(-2))));
    }
    case FpKind::kRoundInt: return clamp(Rounded(attr.rounding, args[0], store_.operand(t, 0)));
  }
  RACER_UNREACHABLE(kind);
}

}  // namespace racer::normal
