#include "symexec/ball/ball.h"

#include <arb.h>
#include <flint/flint.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "symexec/ball/decode.h"
#include "symexec/ball/device.h"
#include "symexec/ball/real_ops.h"
#include "symexec/term/fold.h"

namespace racer {
namespace {

using Kind = RealValue::Kind;

// Comparisons and arithmetic of two patterns of width w.
uint64_t EvalBvBinary(TermKind kind, unsigned w, uint64_t a, uint64_t b) {
  switch (kind) {
    case TermKind::kBvAdd: return (a + b) & fold::Mask(w);
    case TermKind::kBvSub: return (a - b) & fold::Mask(w);
    case TermKind::kBvMul: return (a * b) & fold::Mask(w);
    case TermKind::kBvUDiv: return fold::UDiv(w, a, b);
    case TermKind::kBvURem: return fold::URem(w, a, b);
    case TermKind::kBvSDiv: return fold::SDiv(w, a, b);
    case TermKind::kBvSRem: return fold::SRem(w, a, b);
    case TermKind::kBvAnd: return a & b;
    case TermKind::kBvOr: return a | b;
    case TermKind::kBvXor: return a ^ b;
    case TermKind::kBvShl: return fold::Shl(w, a, b);
    case TermKind::kBvLShr: return fold::LShr(w, a, b);
    case TermKind::kBvAShr: return fold::AShr(w, a, b);
    case TermKind::kBvEq: return a == b ? 1 : 0;
    case TermKind::kBvUlt: return a < b ? 1 : 0;
    case TermKind::kBvSlt: return fold::Signed(w, a) < fold::Signed(w, b) ? 1 : 0;
    case TermKind::kBvConst:
    case TermKind::kBvInput:
    case TermKind::kUndef:
    case TermKind::kBvNot:
    case TermKind::kBvIte:
    case TermKind::kBvExtract:
    case TermKind::kBvConcat:
    case TermKind::kBvZExt:
    case TermKind::kBvSExt:
    case TermKind::kFpToBits:
    case TermKind::kFpCompare:
    case TermKind::kFpToInt:
    case TermKind::kFpConst:
    case TermKind::kFpReal:
    case TermKind::kFpInput:
    case TermKind::kBitsToFp:
    case TermKind::kFpIte:
    case TermKind::kFpUnary:
    case TermKind::kFpBinary:
    case TermKind::kFpTernary:
    case TermKind::kFpConvert:
    case TermKind::kIntToFp: break;
  }
  RACER_UNREACHABLE(kind);
}

// The number clamped to the range of an integer type, as a pattern.
uint64_t ClampToInteger(ScalarType to, const arf_t value) {
  const unsigned w = BitWidth(to);
  fmpz_t n, low, high;
  fmpz_init(n);
  fmpz_init(low);
  fmpz_init(high);
  arf_get_fmpz(n, value, ARF_RND_DOWN);
  fmpz_one(high);
  fmpz_mul_2exp(high, high, IsSigned(to) ? w - 1 : w);
  if (IsSigned(to)) fmpz_neg(low, high);
  fmpz_sub_ui(high, high, 1);
  if (fmpz_cmp(n, low) < 0) fmpz_set(n, low);
  if (fmpz_cmp(n, high) > 0) fmpz_set(n, high);
  // Two's complement by reduction modulo 2^64.
  fmpz_fdiv_r_2exp(n, n, 64);
  const uint64_t bits = fmpz_get_ui(n) & fold::Mask(w);
  fmpz_clear(n);
  fmpz_clear(low);
  fmpz_clear(high);
  return bits;
}

double ToDouble(const arf_t value, arf_rnd_t rounding) {
  const double result = arf_get_d(value, rounding);
  // Rounded towards zero an overflow is still finite.
  if (std::isinf(result) && rounding == ARF_RND_DOWN) return std::copysign(DBL_MAX, result);
  return result;
}

// Digits of the middle that the radius leaves certain.
std::string CertainDigits(const arb_t ball) {
  // Decimal conversion is quadratic in the exponent; such values are of no use to a reader.
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, ball);
  const bool giant = mag_cmp_2exp_si(bound, 20000) > 0;
  const bool tiny = !arb_is_zero(ball) && mag_cmp_2exp_si(bound, -20000) < 0;
  mag_clear(bound);
  if (giant) return "beyond 2^20000";
  if (tiny) return "below 2^-20000";
  char* text = arb_get_str(ball, 17, ARB_STR_NO_RADIUS);
  std::string result(text);
  flint_free(text);
  return result;
}

}  // namespace

struct BallEvaluator::Impl {
  static constexpr size_t kPageSize = 512;
  using Page = std::array<RealValue, kPageSize>;

  const TermStore& store;
  const InputPoint& point;
  slong precision;
  bool on_device, approximate;
  std::unordered_set<TermId> exact;          // of approximate terms
  std::vector<std::unique_ptr<Page>> pages;  // by TermId; pages of terms never reached stay null
  std::vector<TermId> stack;
  RealValue none;
  TermId moved = kNoTerm;  // a literal that stands for moved_bits
  uint64_t moved_bits = 0;

  Impl(const TermStore& s, const InputPoint& p, int bits, View view)
      : store(s), point(p), precision(bits), on_device(view == View::kDevice), approximate(view == View::kApproximate) {
    none.SetUnknown();
  }

  RealValue& Slot(TermId id) {
    const size_t index = static_cast<size_t>(id);
    const size_t page = index / kPageSize;
    if (page >= pages.size()) pages.resize(std::max(page + 1, store.size() / kPageSize + 1));
    if (!pages[page]) pages[page] = std::make_unique<Page>();
    return (*pages[page])[index % kPageSize];
  }

  const RealValue& Get(TermId root) {
    if (Slot(root).kind != Kind::kEmpty) return Slot(root);
    stack.push_back(root);
    while (!stack.empty()) {
      const TermId id = stack.back();
      if (Slot(id).kind != Kind::kEmpty) {
        stack.pop_back();
        continue;
      }
      if (!PushOperands(id)) continue;
      stack.pop_back();
      Compute(id, &Slot(id));
      RACER_CHECK(Slot(id).kind != Kind::kEmpty);
    }
    return Slot(root);
  }

  bool Push(TermId id) {
    if (Slot(id).kind != Kind::kEmpty) return false;
    stack.push_back(id);
    return true;
  }

  // True when every operand that the value depends on is there.
  bool PushOperands(TermId id) {
    const TermKind kind = store.kind(id);
    if (kind == TermKind::kBvIte || kind == TermKind::kFpIte) {
      if (Push(store.operand(id, 0))) return false;
      // A branch not taken may be undefined, so it is not looked at.
      const RealValue& condition = Slot(store.operand(id, 0));
      return condition.kind != Kind::kBits || !Push(store.operand(id, condition.bits != 0 ? 1 : 2));
    }
    bool pushed = false;
    const unsigned arity = store.arity(id);
    for (unsigned i = 0; i < arity; ++i) pushed |= Push(store.operand(id, i));
    return !pushed;
  }

  // The input cell's pattern, or nullptr if the point does not give it.
  const uint64_t* InputBits(TermId id) const {
    const size_t symbol = static_cast<size_t>(store.input_symbol(id));
    const size_t cell = store.input_index(id);
    if (symbol >= point.bits.size() || cell >= point.bits[symbol].size()) return nullptr;
    return &point.bits[symbol][cell];
  }

  // Undefined or unknown where an operand is; false if every operand has a value.
  bool Propagate(TermId id, RealValue* out) {
    bool unknown = false;
    for (unsigned i = 0; i < store.arity(id); ++i) {
      const Kind kind = Slot(store.operand(id, i)).kind;
      if (kind == Kind::kUndefined) {
        out->SetUndefined();
        return true;
      }
      unknown |= kind == Kind::kUnknown;
    }
    if (unknown) out->SetUnknown();
    return unknown;
  }

  void Compute(TermId id, RealValue* out) {
    const unsigned w = store.IsBits(id) ? store.width(id) : 0;
    switch (store.kind(id)) {
      case TermKind::kBvConst: return out->SetBits(store.const_bits(id));
      case TermKind::kBvInput: {
        const uint64_t* bits = InputBits(id);
        return bits != nullptr ? out->SetBits(*bits & fold::Mask(store.width(id))) : out->SetUnknown();
      }
      case TermKind::kUndef: return out->SetUnknown();
      case TermKind::kFpConst: return RealFromBits(store.format(id), id == moved ? moved_bits : store.const_bits(id), out);
      case TermKind::kFpReal:
        arb_set_fmpq(out->ball, store.real_value(id).raw(), precision);
        out->SetReal();
        return on_device ? RoundOnDevice(store.format(id), out) : void();
      case TermKind::kFpInput: {
        const uint64_t* bits = InputBits(id);
        return bits != nullptr ? RealFromBits(store.format(id), *bits, out) : out->SetUnknown();
      }
      case TermKind::kBvIte:
      case TermKind::kFpIte: {
        const RealValue& condition = Slot(store.operand(id, 0));
        if (condition.kind == Kind::kBits)
          *out = Slot(store.operand(id, condition.bits != 0 ? 1 : 2));
        else
          out->kind = condition.kind == Kind::kUndefined ? Kind::kUndefined : Kind::kUnknown;
        return;
      }
      case TermKind::kFpUnary:
      case TermKind::kFpBinary:
      case TermKind::kFpTernary: return ComputeFp(id, out);
      case TermKind::kFpConvert: return (on_device ? ConvertFpOnDevice : ConvertFp)(store.fp_attr(id), Operand(id, 0), precision, out);
      case TermKind::kFpCompare: return Propagate(id, out) ? void() : ComputeCompare(id, out);
      case TermKind::kFpToInt: return Propagate(id, out) ? void() : ComputeFpToInt(id, out);
      case TermKind::kIntToFp: return Propagate(id, out) ? void() : ComputeIntToFp(id, out);
      // The pattern of a computed value depends on its roundings; only patterns that merely moved, or of exact results, are known.
      case TermKind::kFpToBits:
        if (Propagate(id, out)) return;
        if (const auto bits = CertainPattern(store.format(store.operand(id, 0)), Operand(id, 0)))
          return out->SetBits(*bits & fold::Mask(w));
        return out->SetUnknown();
      case TermKind::kBitsToFp: return Propagate(id, out) ? void() : RealFromBits(store.format(id), Operand(id, 0).bits, out);
      case TermKind::kBvNot: return Propagate(id, out) ? void() : out->SetBits(~Operand(id, 0).bits & fold::Mask(w));
      case TermKind::kBvExtract:
        return Propagate(id, out) ? void() : out->SetBits(Operand(id, 0).bits >> store.extract_lo(id) & fold::Mask(w));
      case TermKind::kBvConcat:
        if (Propagate(id, out)) return;
        return out->SetBits(Operand(id, 0).bits << store.width(store.operand(id, 1)) | Operand(id, 1).bits);
      case TermKind::kBvZExt: return Propagate(id, out) ? void() : out->SetBits(Operand(id, 0).bits);
      case TermKind::kBvSExt:
        return Propagate(id, out) ? void() : out->SetBits(fold::SExt(store.width(store.operand(id, 0)), w, Operand(id, 0).bits));
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
      case TermKind::kBvShl:
      case TermKind::kBvLShr:
      case TermKind::kBvAShr:
      case TermKind::kBvEq:
      case TermKind::kBvUlt:
      case TermKind::kBvSlt:
        if (Propagate(id, out)) return;
        return out->SetBits(EvalBvBinary(store.kind(id), store.width(store.operand(id, 0)), Operand(id, 0).bits, Operand(id, 1).bits));
    }
    RACER_UNREACHABLE(store.kind(id));
  }

  const RealValue& Operand(TermId id, unsigned i) { return i < store.arity(id) ? Slot(store.operand(id, i)) : none; }

  void ComputeFp(TermId id, RealValue* out) {
    const FpKind kind = store.fp_kind(id);
    const FpAttr attr = store.fp_attr(id);
    const RealValue& a = Operand(id, 0);
    (on_device ? ApplyFpOnDevice : ApplyFp)(kind, attr, a, Operand(id, 1), Operand(id, 2), precision, out);
    if (approximate && !exact.contains(id)) AllowForApproximation(kind, attr, a, Operand(id, 1), out);
    // x - x is exactly 0, though the difference of two enclosures is not.
    if (kind == FpKind::kSub && store.operand(id, 0) == store.operand(id, 1) && a.kind == Kind::kReal) arb_zero(out->ball);
  }

  // The operands of these three have a value.
  void ComputeCompare(TermId id, RealValue* out) {
    RealValue zero;
    zero.SetReal();
    // Equal to itself, although an enclosure with a radius does not show it.
    const bool same = store.operand(id, 0) == store.operand(id, 1);
    RealValue a = same ? zero : Operand(id, 0);
    RealValue b = same ? zero : Operand(id, 1);
    if (on_device && store.ftz(id)) {
      for (RealValue* operand : {&a, &b}) FlushOnDevice(store.format(store.operand(id, 0)), operand);
    }
    const std::optional<bool> holds = CompareReal(store.compare_op(id), a, b);
    return holds ? out->SetBits(*holds ? 1 : 0) : out->SetUnknown();
  }

  void ComputeFpToInt(TermId id, RealValue* out) {
    RealValue a = Operand(id, 0);
    if (a.kind != Kind::kReal) return out->SetUnknown();
    if (on_device && store.ftz(id)) FlushOnDevice(store.format(store.operand(id, 0)), &a);
    arf_t integer;
    arf_init(integer);
    if (RoundToInteger(store.int_rounding(id), a, precision, integer))
      out->SetBits(ClampToInteger(store.int_type(id), integer));
    else
      out->SetUnknown();
    arf_clear(integer);
  }

  void ComputeIntToFp(TermId id, RealValue* out) {
    const ScalarType from = store.int_type(id);
    if (IsSigned(from))
      arb_set_si(out->ball, fold::Signed(BitWidth(from), Operand(id, 0).bits));
    else
      arb_set_ui(out->ball, Operand(id, 0).bits);
    out->SetReal();
    Clamp(store.fp_attr(id), precision, out);
    out->exact = HeldExactly(store.fp_attr(id).format, *out);
    if (on_device) RoundOnDevice(store.fp_attr(id).format, out);
  }

  bool BothReal(TermId a, TermId b) { return Get(a).kind == Kind::kReal && Get(b).kind == Kind::kReal; }
};

BallEvaluator::BallEvaluator(const TermStore& store, const InputPoint& point, int precision_bits, View view)
    : impl_(std::make_unique<Impl>(store, point, precision_bits, view)) {}
BallEvaluator::~BallEvaluator() = default;

void BallEvaluator::TakeAsExact(std::unordered_set<TermId> terms) {
  RACER_CHECK(impl_->pages.empty());
  impl_->exact = std::move(terms);
}

void BallEvaluator::Move(TermId literal, uint64_t bits) {
  RACER_CHECK(impl_->pages.empty() && impl_->store.kind(literal) == TermKind::kFpConst);
  impl_->moved = literal;
  impl_->moved_bits = bits;
}

BallEvaluator::Value BallEvaluator::Evaluate(TermId term, bool with_decimal) {
  const RealValue& value = impl_->Get(term);
  Value result;
  switch (value.kind) {
    case Kind::kReal:
      result.kind = Value::Kind::kReal;
      result.middle = arf_get_d(arb_midref(value.ball), ARF_RND_NEAR);
      if (with_decimal) result.decimal = CertainDigits(value.ball);
      return result;
    case Kind::kBits:
      result.kind = Value::Kind::kBits;
      result.bits = value.bits;
      return result;
    case Kind::kUndefined: result.kind = Value::Kind::kUndefined; return result;
    case Kind::kInfinite:
    case Kind::kUnknown: result.kind = Value::Kind::kUnknown; return result;
    case Kind::kEmpty: break;
  }
  RACER_UNREACHABLE(value.kind);
}

bool BallEvaluator::IsInteger(TermId term) {
  impl_->Get(term);
  return impl_->Slot(term).kind == Kind::kReal && arb_is_int(impl_->Slot(term).ball) != 0;
}

bool BallEvaluator::CertainlyDifferent(TermId a, TermId b) {
  if (impl_->Get(a).kind == Kind::kBits && impl_->Get(b).kind == Kind::kBits) return impl_->Slot(a).bits != impl_->Slot(b).bits;
  return impl_->BothReal(a, b) && arb_ne(impl_->Slot(a).ball, impl_->Slot(b).ball) != 0;
}

double BallEvaluator::DifferenceLowerBound(TermId a, TermId b) {
  if (!impl_->BothReal(a, b)) return 0;
  arb_t difference;
  arf_t bound;
  arb_init(difference);
  arf_init(bound);
  arb_sub(difference, impl_->Slot(a).ball, impl_->Slot(b).ball, impl_->precision);
  arb_get_abs_lbound_arf(bound, difference, 64);
  const double result = ToDouble(bound, ARF_RND_DOWN);
  arb_clear(difference);
  arf_clear(bound);
  return result;
}

double BallEvaluator::Difference(TermId a, TermId b) {
  if (!impl_->BothReal(a, b)) return 0;
  arb_t difference;
  arb_init(difference);
  arb_sub(difference, impl_->Slot(a).ball, impl_->Slot(b).ball, impl_->precision);
  const double result = arf_get_d(arb_midref(difference), ARF_RND_NEAR);
  arb_clear(difference);
  return result;
}

double BallEvaluator::MagnitudeUpperBound(TermId a, TermId b) {
  if (!impl_->BothReal(a, b)) return std::numeric_limits<double>::infinity();
  double result = 0;
  arf_t bound;
  arf_init(bound);
  for (TermId id : {a, b}) {
    arb_get_abs_ubound_arf(bound, impl_->Slot(id).ball, 64);
    result = std::max(result, ToDouble(bound, ARF_RND_UP));
  }
  arf_clear(bound);
  return result;
}

double BallEvaluator::DistanceUpperBound(TermId term, FpFormat format, uint64_t bits) {
  RealValue pattern;
  RealFromBits(format, bits, &pattern);
  const RealValue& value = impl_->Get(term);
  if (pattern.kind != Kind::kReal || value.kind != Kind::kReal) return std::numeric_limits<double>::infinity();
  arf_t bound;
  arf_init(bound);
  arb_sub(pattern.ball, pattern.ball, value.ball, impl_->precision);
  arb_get_abs_ubound_arf(bound, pattern.ball, 64);
  const double result = ToDouble(bound, ARF_RND_UP);
  arf_clear(bound);
  return result;
}

}  // namespace racer
