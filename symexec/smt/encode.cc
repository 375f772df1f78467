// From terms to Z3. Runs in the solver process only; the one file that sees Z3's header.
#include <z3++.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"
#include "symexec/ball/dtype.h"
#include "symexec/smt/query.h"
#include "symexec/term/rounded.h"

namespace racer {
namespace {

// A term as Z3 sees it: B of width 1 as Bool, wider B as a bit-vector, R as Real. `defined` without a value: always.
struct Encoded {
  explicit Encoded(z3::expr e) : value(std::move(e)) {}
  z3::expr value;
  std::optional<z3::expr> defined;
  int infinity = 0;  // sign of an infinite literal; `value` is then meaningless
};

// Thrown through the encoder to give up with a reason.
struct Refused {
  std::string reason;
};

class Encoder {
 public:
  Encoder(z3::context& context, z3::solver& solver, const SmtQuery& query)
      : z_(context), solver_(solver), query_(query), store_(query.store) {
    if (query.rounded_unknown) rounded_ = RoundedTerms(store_);
  }

  void EncodeAll() {
    encoded_.reserve(query_.terms.size());
    for (TermId id : query_.terms) {
      position_.emplace(id, encoded_.size());
      Encoded result = Encode(id);
      encoded_.push_back(std::move(result));
    }
  }

  // Holds where the term differs between two readings of the undefined values below it, or has no real value: what hardware
  // computes there is not in the query, and it might be what reaches for an undefined value.
  z3::expr DependsOnUndefined(TermId root) {
    const Encoded first = Of(root);
    ++reading_;
    for (TermId id : query_.terms) {
      if (store_.ContainsUndef(id)) encoded_[position_.at(id)] = Encode(id);
    }
    const Encoded& second = Of(root);
    z3::expr difference = Difference(first, second);
    for (const Encoded* reading : {&first, &second}) {
      if (reading->defined) difference = difference || !*reading->defined;
    }
    return difference;
  }

  // Holds where the two sides differ.
  z3::expr Difference(TermId a, TermId b) { return Difference(Of(a), Of(b)); }
  z3::expr Difference(const Encoded& x, const Encoded& y) {
    if (x.infinity != 0 || y.infinity != 0) throw Refused{"infinite value in the query"};
    if (!x.defined && !y.defined) return x.value != y.value;
    const z3::expr defined_x = x.defined.value_or(z_.bool_val(true)), defined_y = y.defined.value_or(z_.bool_val(true));
    return defined_x != defined_y || (defined_x && x.value != y.value);
  }

  struct Input {
    TermId term;
    z3::expr value;
  };
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  const Encoded& Of(TermId id) const { return encoded_[position_.at(id)]; }
  const Encoded& Operand(TermId id, unsigned i) {
    const TermId operand = store_.operand(id, i);
    return store_.kind(operand) == TermKind::kUndef ? Undefined(id, i, store_.width(operand)) : Of(operand);
  }
  // Any pattern: one for each use of an undefined value and each reading.
  const Encoded& Undefined(TermId user, unsigned i, unsigned width) {
    const auto [found, fresh] = undefined_.try_emplace({user, i, reading_}, z_.bool_val(false));
    if (fresh) found->second = Encoded(FromVector(z_.bv_const(("undefined!" + std::to_string(fresh_++)).c_str(), width)));
    return found->second;
  }
  // What a term's name stands for in a reading: what depends on undefined values is another unknown in each.
  std::string ReadingOf(TermId id) const { return store_.ContainsUndef(id) ? "!" + std::to_string(reading_) : ""; }

  z3::expr Both(const z3::expr& a, const z3::expr& b) { return z3::eq(a, b) ? a : a && b; }
  void Require(const std::optional<z3::expr>& condition, Encoded* result) {
    if (condition) result->defined = result->defined ? Both(*result->defined, *condition) : *condition;
  }
  void RequireOperands(TermId id, Encoded* result) {
    for (unsigned i = 0; i < store_.arity(id); ++i) Require(Operand(id, i).defined, result);
  }

  z3::expr Number(const Rational& value) { return z_.real_val(value.ToString().c_str()); }
  z3::expr Zero() { return z_.real_val(0); }

  // --- patterns
  z3::expr AsVector(const Encoded& b) { return b.value.is_bool() ? z3::ite(b.value, z_.bv_val(1, 1), z_.bv_val(0, 1)) : b.value; }
  z3::expr FromVector(const z3::expr& vector) { return vector.get_sort().bv_size() == 1 ? vector == z_.bv_val(1, 1) : vector; }
  z3::expr Vector(uint64_t bits, unsigned width) { return z_.bv_val(bits, width); }

  z3::expr BvBinary(TermKind kind, const Encoded& x, const Encoded& y) {
    if (x.value.is_bool()) {
      if (kind == TermKind::kBvAnd) return x.value && y.value;
      if (kind == TermKind::kBvOr) return x.value || y.value;
      if (kind == TermKind::kBvXor) return x.value != y.value;
      if (kind == TermKind::kBvEq) return x.value == y.value;
    }
    const z3::expr a = AsVector(x), b = AsVector(y);
    switch (kind) {
      case TermKind::kBvAdd: return FromVector(a + b);
      case TermKind::kBvSub: return FromVector(a - b);
      case TermKind::kBvMul: return FromVector(a * b);
      case TermKind::kBvUDiv: return FromVector(z3::udiv(a, b));
      case TermKind::kBvURem: return FromVector(z3::urem(a, b));
      case TermKind::kBvSDiv: return FromVector(a / b);
      case TermKind::kBvSRem: return FromVector(z3::srem(a, b));
      case TermKind::kBvAnd: return a & b;
      case TermKind::kBvOr: return a | b;
      case TermKind::kBvXor: return a ^ b;
      case TermKind::kBvShl: return FromVector(z3::shl(a, b));
      case TermKind::kBvLShr: return FromVector(z3::lshr(a, b));
      case TermKind::kBvAShr: return FromVector(z3::ashr(a, b));
      case TermKind::kBvEq: return a == b;
      case TermKind::kBvUlt: return z3::ult(a, b);
      case TermKind::kBvSlt: return z3::slt(a, b);
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

  Encoded BvInput(TermId id) {
    const unsigned w = store_.width(id);
    const z3::expr vector = z_.bv_const(Name(id).c_str(), w);
    inputs_.push_back({id, vector});
    const Dtype dtype(store_.symbol(store_.input_symbol(id)).dtype);
    if (const SymbolRange* range = RangeOf(id)) {
      const bool is_signed = dtype.Lowest().Sign() < 0;
      const auto ends = dtype.IntegerEnds(*range);
      if (!ends) throw Refused{"empty input range"};
      const auto [low, high] = *ends;
      solver_.add(is_signed ? z3::sle(Vector(low, w), vector) : z3::ule(Vector(low, w), vector));
      solver_.add(is_signed ? z3::sle(vector, Vector(high, w)) : z3::ule(vector, Vector(high, w)));
    }
    return Encoded(FromVector(vector));
  }

  // --- values
  std::string Name(TermId id) {
    return "s" + std::to_string(static_cast<unsigned>(store_.input_symbol(id))) + "_" + std::to_string(store_.input_index(id));
  }
  const SymbolRange* RangeOf(TermId id) {
    const size_t symbol = static_cast<size_t>(store_.input_symbol(id));
    return symbol < query_.ranges.size() ? &query_.ranges[symbol] : nullptr;
  }

  Encoded FpInput(TermId id) {
    const z3::expr value = z_.real_const(Name(id).c_str());
    inputs_.push_back({id, value});
    if (const SymbolRange* range = RangeOf(id)) {
      if (range->low) solver_.add(range->low_open ? value > Number(*range->low) : value >= Number(*range->low));
      if (range->high) solver_.add(range->high_open ? value < Number(*range->high) : value <= Number(*range->high));
    }
    return Encoded(value);
  }

  Encoded FpConst(TermId id) {
    const DecodedFp decoded = DecodeFp(store_.format(id), store_.const_bits(id));
    if (decoded.kind == DecodedFp::Kind::kInfinite) {
      Encoded result(Zero());
      result.infinity = decoded.negative ? -1 : 1;
      return result;
    }
    const std::optional<Rational> value = FiniteValue(store_.format(id), store_.const_bits(id));
    if (!value) throw Refused{"NaN or unspecified literal in the query"};
    return Encoded(Number(*value));
  }

  // The real s with s >= 0 and s * s = x; anything where x < 0.
  z3::expr SquareRoot(const z3::expr& x) {
    const auto [found, fresh] = roots_.try_emplace(Z3_get_ast_id(z_, x), z_);
    if (fresh) {
      const z3::expr s = Fresh("root");
      solver_.add(z3::implies(x >= Zero(), s >= Zero() && s * s == x));
      found->second = s;
    }
    return found->second;
  }
  // The real q with q * d = n; anything where d = 0.
  z3::expr Quotient(const z3::expr& n, const z3::expr& d) {
    const auto [found, fresh] = quotients_.try_emplace({Z3_get_ast_id(z_, n), Z3_get_ast_id(z_, d)}, z_);
    if (fresh) {
      const z3::expr q = Fresh("quotient");
      solver_.add(z3::implies(d != Zero(), q * d == n));
      found->second = q;
    }
    return found->second;
  }
  z3::expr Fresh(const char* what) { return z_.real_const((std::string(what) + "!" + std::to_string(fresh_++)).c_str()); }

  // Whether the sign bit of an operand is set. Of a zero it is a fact about the rounding history, so there it is a free
  // choice that belongs to the term.
  z3::expr SignBit(TermId id) {
    const auto [found, fresh] = zero_signs_.try_emplace({id, store_.ContainsUndef(id) ? reading_ : 0}, z_);
    if (fresh) found->second = z_.bool_const(("zero_sign!" + std::to_string(fresh_++)).c_str());
    const z3::expr& x = Of(id).value;
    return x < Zero() || (x == Zero() && found->second);
  }
  z3::expr Abs(const z3::expr& x) { return z3::ite(x < Zero(), -x, x); }
  z3::expr Min(const z3::expr& x, const z3::expr& y) { return z3::ite(x <= y, x, y); }
  z3::expr Max(const z3::expr& x, const z3::expr& y) { return z3::ite(x >= y, x, y); }
  z3::expr Clamped(const FpAttr& attr, const z3::expr& x) {
    if (attr.sat) return Min(Max(x, Zero()), z_.real_val(1));
    return attr.relu ? Max(x, Zero()) : x;
  }

  z3::expr Apply(const std::string& name, const z3::expr& argument, z3::sort to) {
    return z_.function(name.c_str(), argument.get_sort(), to)(argument);
  }
  z3::expr RoundedToInteger(Rounding rounding, const z3::expr& x) {
    if (!RoundsToInteger(rounding)) throw Refused{"rounding to an integer in no named direction"};
    return Apply("round!" + std::to_string(static_cast<int>(rounding)), x, z_.real_sort());
  }

  // A conversion to a narrow format is a function that Z3 does not look into.
  z3::expr Quantised(const FpAttr& attr, const z3::expr& x) {
    const std::string name = "quantise!" + std::string(Spelling(attr.format)) + "!" + std::to_string(static_cast<int>(attr.rounding)) +
                             (attr.satfinite ? "!satfinite" : "");
    return Apply(name, x, z_.real_sort());
  }

  Encoded MinMax(TermId id, bool is_max) {
    const FpAttr attr = store_.fp_attr(id);
    const Encoded& x = Operand(id, 0);
    const Encoded& y = Operand(id, 1);
    if (x.infinity != 0 || y.infinity != 0) {
      if (attr.xorsign) throw Refused{"infinite value in the query"};
      // max(-inf, y) = y, max(+inf, y) = +inf.
      const Encoded& infinite = x.infinity != 0 ? x : y;
      const Encoded& other = x.infinity != 0 ? y : x;
      const bool other_wins = (infinite.infinity < 0) == is_max;
      Encoded result = other_wins ? other : infinite;
      Require(other.defined, &result);
      if (result.infinity != 0 && (attr.sat || attr.relu)) throw Refused{"infinite value in the query"};
      result.value = Clamped(attr, result.value);
      return result;
    }
    if (attr.xorsign) {
      const z3::expr magnitude = is_max ? Max(Abs(x.value), Abs(y.value)) : Min(Abs(x.value), Abs(y.value));
      const z3::expr negative = SignBit(store_.operand(id, 0)) != SignBit(store_.operand(id, 1));
      return Encoded(Clamped(attr, z3::ite(negative, -magnitude, magnitude)));
    }
    return Encoded(Clamped(attr, is_max ? Max(x.value, y.value) : Min(x.value, y.value)));
  }

  Encoded Divide(const FpAttr& attr, const z3::expr& n, const z3::expr& d) {
    if (d.is_numeral()) {
      const std::optional<Rational> value = Rational::Parse(Z3_get_numeral_string(z_, d));
      if (value && !value->IsZero()) return Encoded(Clamped(attr, n * Number(value->Inverse())));
    }
    Encoded result(Clamped(attr, Quotient(n, d)));
    result.defined = d != Zero();
    return result;
  }

  Encoded Fp(TermId id) {
    const FpKind kind = store_.fp_kind(id);
    const FpAttr attr = store_.fp_attr(id);
    if (kind == FpKind::kMin || kind == FpKind::kMax) return MinMax(id, kind == FpKind::kMax);
    std::vector<z3::expr> x;
    for (unsigned i = 0; i < store_.arity(id); ++i) {
      if (Operand(id, i).infinity != 0) throw Refused{"infinite value in the query"};
      x.push_back(Operand(id, i).value);
    }
    switch (kind) {
      case FpKind::kAdd: return Encoded(Clamped(attr, x[0] + x[1]));
      case FpKind::kSub: return Encoded(Clamped(attr, x[0] - x[1]));
      case FpKind::kMul: return Encoded(Clamped(attr, x[0] * x[1]));
      case FpKind::kFma: return Encoded(Clamped(attr, x[0] * x[1] + x[2]));
      case FpKind::kDiv: return Divide(attr, x[0], x[1]);
      case FpKind::kRcp: return Divide(attr, z_.real_val(1), x[0]);
      case FpKind::kNeg: return Encoded(Clamped(attr, -x[0]));
      case FpKind::kAbs: return Encoded(Clamped(attr, Abs(x[0])));
      case FpKind::kCopySign: return Encoded(Clamped(attr, z3::ite(SignBit(store_.operand(id, 0)), -Abs(x[1]), Abs(x[1]))));
      case FpKind::kSqrt: {
        Encoded result(Clamped(attr, SquareRoot(x[0])));
        result.defined = x[0] >= Zero();
        return result;
      }
      case FpKind::kRsqrt: {
        // 1 / sqrt(x), through the same root and quotient as a kernel that spells it out.
        Encoded result(Clamped(attr, Quotient(z_.real_val(1), SquareRoot(x[0]))));
        result.defined = x[0] > Zero();
        return result;
      }
      case FpKind::kRoundInt: return Encoded(Clamped(attr, RoundedToInteger(attr.rounding, x[0])));
      case FpKind::kMin:
      case FpKind::kMax:
      case FpKind::kEx2:
      case FpKind::kLg2:
      case FpKind::kSin:
      case FpKind::kCos:
      case FpKind::kTanh:
      case FpKind::kExp:
      case FpKind::kLog:
      case FpKind::kErf:
      case FpKind::kPow: break;  // refused before the query was sent
    }
    RACER_UNREACHABLE(kind);
  }

  // A literal that flushing leaves as it is.
  bool IsNormalLiteral(TermId id) const {
    if (store_.kind(id) != TermKind::kFpConst || store_.format(id) != FpFormat::kF32) return false;
    const uint64_t magnitude = store_.const_bits(id) & 0x7fffffff;
    return magnitude == 0 || magnitude >= 0x00800000;
  }

  // What a comparison or a rounding to an integer sees of its operand: the real value, or an unknown where hardware may hold
  // another one. One term has one value on hardware, too.
  Encoded Seen(TermId id, unsigned i) {
    const Encoded& real = Operand(id, i);
    const TermId operand = store_.operand(id, i);
    const bool flushed = store_.ftz(id) && !IsNormalLiteral(operand);
    if (real.infinity != 0 || !query_.rounded_unknown || (!flushed && !rounded_[static_cast<size_t>(operand)])) return real;
    const std::string name = (flushed ? "flushed!" : "rounded!") + std::to_string(static_cast<uint32_t>(operand)) + ReadingOf(operand);
    Encoded result(z_.real_const(name.c_str()));
    result.defined = real.defined;
    return result;
  }

  Encoded Compare(TermId id) {
    const Encoded a = Seen(id, 0);
    const Encoded b = Seen(id, 1);
    if (a.infinity != 0 || b.infinity != 0) throw Refused{"infinite value in the query"};
    switch (store_.compare_op(id)) {
      case CompareOp::kEq:
      case CompareOp::kEqu: return Encoded(a.value == b.value);
      case CompareOp::kNe:
      case CompareOp::kNeu: return Encoded(a.value != b.value);
      case CompareOp::kLt:
      case CompareOp::kLtu: return Encoded(a.value < b.value);
      case CompareOp::kLe:
      case CompareOp::kLeu: return Encoded(a.value <= b.value);
      case CompareOp::kGt:
      case CompareOp::kGtu: return Encoded(a.value > b.value);
      case CompareOp::kGe:
      case CompareOp::kGeu: return Encoded(a.value >= b.value);
      // No NaN among the reals.
      case CompareOp::kNum: return Encoded(z_.bool_val(true));
      case CompareOp::kNan: return Encoded(z_.bool_val(false));
      case CompareOp::kNone:
      case CompareOp::kLo:
      case CompareOp::kLs:
      case CompareOp::kHi:
      case CompareOp::kHs: break;
    }
    RACER_UNREACHABLE(store_.compare_op(id));
  }

  Encoded IntToFp(TermId id) {
    constexpr unsigned kBitBlastWidth = 16;
    const ScalarType from = store_.int_type(id);
    const unsigned w = BitWidth(from);
    const z3::expr vector = AsVector(Operand(id, 0));
    // Z3 mixes vectors and reals badly: a short integer is the sum of its bits, a long one an opaque function of them.
    if (w > kBitBlastWidth) {
      const z3::expr value = Apply("int_to_real!" + std::to_string(static_cast<int>(from)), vector, z_.real_sort());
      return Encoded(Clamped(store_.fp_attr(id), value));
    }
    z3::expr sum = Zero();
    for (unsigned bit = 0; bit < w; ++bit) {
      const bool weighs_negative = IsSigned(from) && bit + 1 == w;
      const z3::expr weight = Number(Rational::Dyadic(weighs_negative ? -1 : 1, bit));
      sum = sum + z3::ite(vector.extract(bit, bit) == z_.bv_val(1, 1), weight, Zero());
    }
    return Encoded(Clamped(store_.fp_attr(id), sum));
  }

  // An integer or a pattern as an opaque function of a real value.
  Encoded OpaqueBits(TermId id, const std::string& name) {
    const Encoded operand = store_.kind(id) == TermKind::kFpToInt ? Seen(id, 0) : Operand(id, 0);
    if (operand.infinity != 0) throw Refused{"infinite value in the query"};
    return Encoded(FromVector(Apply(name, operand.value, z_.bv_sort(store_.width(id)))));
  }

  Encoded Ite(TermId id) {
    const Encoded& condition = Operand(id, 0);
    const Encoded& a = Operand(id, 1);
    const Encoded& b = Operand(id, 2);
    if (a.infinity != 0 || b.infinity != 0) throw Refused{"infinite value in the query"};
    Encoded result(z3::ite(condition.value, a.value, b.value));
    // The branch not taken may be undefined.
    if (a.defined || b.defined) {
      const z3::expr always = z_.bool_val(true);
      result.defined = z3::ite(condition.value, a.defined.value_or(always), b.defined.value_or(always));
    }
    Require(condition.defined, &result);
    return result;
  }

  // Operations that give a number for a NaN operand: max(NaN, a) is a, NaN < a is false, sat(NaN) is 0.
  bool AbsorbsNaN(TermId id) const {
    switch (store_.kind(id)) {
      case TermKind::kFpCompare:
      case TermKind::kFpToInt: return true;
      case TermKind::kFpConvert: return store_.fp_attr(id).sat || store_.fp_attr(id).satfinite;
      case TermKind::kFpUnary:
      case TermKind::kFpBinary:
      case TermKind::kFpTernary: {
        const FpKind kind = store_.fp_kind(id);
        const FpAttr attr = store_.fp_attr(id);
        return attr.sat || ((kind == FpKind::kMax || kind == FpKind::kMin) && !attr.nan);
      }
      default: return false;  // no other kind takes a value to a number
    }
  }

  // Needs only the operands' encodings.
  Encoded Encode(TermId id) {
    if (AbsorbsNaN(id)) {
      for (unsigned i = 0; i < store_.arity(id); ++i) {
        if (Operand(id, i).defined)
          throw Refused{"min, max, saturation, comparison or rounding to an integer of a value that may be undefined"};
      }
    }
    if (store_.kind(id) == TermKind::kBvIte || store_.kind(id) == TermKind::kFpIte) return Ite(id);
    Encoded result = EncodeStrict(id);
    RequireOperands(id, &result);
    return result;
  }

  Encoded EncodeStrict(TermId id) {
    switch (store_.kind(id)) {
      case TermKind::kBvConst: return Encoded(FromVector(Vector(store_.const_bits(id), store_.width(id))));
      case TermKind::kBvInput: return BvInput(id);
      case TermKind::kFpConst: return FpConst(id);
      case TermKind::kFpReal: return Encoded(Number(store_.real_value(id)));
      case TermKind::kFpInput: return FpInput(id);
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
      case TermKind::kBvSlt: return Encoded(BvBinary(store_.kind(id), Operand(id, 0), Operand(id, 1)));
      case TermKind::kBvNot: return Encoded(Operand(id, 0).value.is_bool() ? !Operand(id, 0).value : ~Operand(id, 0).value);
      case TermKind::kBvExtract: {
        const unsigned low = store_.extract_lo(id);
        return Encoded(FromVector(AsVector(Operand(id, 0)).extract(low + store_.width(id) - 1, low)));
      }
      case TermKind::kBvConcat: return Encoded(z3::concat(AsVector(Operand(id, 0)), AsVector(Operand(id, 1))));
      case TermKind::kBvZExt: return Encoded(z3::zext(AsVector(Operand(id, 0)), store_.width(id) - store_.width(store_.operand(id, 0))));
      case TermKind::kBvSExt: return Encoded(z3::sext(AsVector(Operand(id, 0)), store_.width(id) - store_.width(store_.operand(id, 0))));
      // A pattern shows how its value was rounded, which equality over the reals says nothing about: one unknown for each term.
      case TermKind::kFpToBits:
        return OpaqueBits(id, "bits!" + std::to_string(static_cast<uint32_t>(store_.operand(id, 0))) + ReadingOf(id));
      case TermKind::kFpToInt:
        if (!RoundsToInteger(store_.int_rounding(id))) throw Refused{"rounding to an integer in no named direction"};
        return OpaqueBits(id, "real_to_int!" + std::to_string(static_cast<int>(store_.int_type(id))) + "!" +
                                  std::to_string(static_cast<int>(store_.int_rounding(id))));
      case TermKind::kFpCompare: return Compare(id);
      case TermKind::kBitsToFp: {
        // Some patterns are no real number; which, depends on the pattern alone.
        const std::string format = std::to_string(static_cast<int>(store_.format(id)));
        const z3::expr bits = AsVector(Operand(id, 0));
        Encoded result(Apply("value!" + format, bits, z_.real_sort()));
        result.defined = Apply("finite!" + format, bits, z_.bool_sort());
        return result;
      }
      case TermKind::kFpUnary:
      case TermKind::kFpBinary:
      case TermKind::kFpTernary: return Fp(id);
      case TermKind::kFpConvert: {
        const FpAttr attr = store_.fp_attr(id);
        const Encoded& x = Operand(id, 0);
        if (x.infinity != 0 && (attr.sat || attr.relu || attr.satfinite || IsNarrow(attr.format) || RoundsToInteger(attr.rounding)))
          throw Refused{"infinite value in the query"};
        Encoded result(RoundsToInteger(attr.rounding) ? RoundedToInteger(attr.rounding, x.value)
                       : IsNarrow(attr.format)        ? Quantised(attr, x.value)
                                                      : x.value);
        result.infinity = x.infinity;
        result.value = Clamped(attr, result.value);
        return result;
      }
      case TermKind::kIntToFp: return IntToFp(id);
      case TermKind::kUndef: return Encoded(z_.bool_val(false));  // never looked at: its uses have values of their own
      case TermKind::kBvIte:
      case TermKind::kFpIte: break;
    }
    RACER_UNREACHABLE(store_.kind(id));
  }

  z3::context& z_;
  z3::solver& solver_;
  const SmtQuery& query_;
  const TermStore& store_;
  std::vector<bool> rounded_;  // by term; empty where roundings are ignored
  std::vector<Encoded> encoded_;
  std::unordered_map<TermId, size_t> position_;
  std::vector<Input> inputs_;
  std::map<unsigned, z3::expr> roots_;
  std::map<std::pair<unsigned, unsigned>, z3::expr> quotients_;
  std::map<std::pair<TermId, unsigned>, z3::expr> zero_signs_;
  std::map<std::tuple<TermId, unsigned, unsigned>, Encoded> undefined_;
  unsigned reading_ = 0;
  unsigned fresh_ = 0;
};

// An exact or, for an algebraic number, close value of an input in the model.
std::string ModelValue(const z3::expr& input, const z3::model& model) {
  z3::expr value = model.eval(input, true);
  if (value.is_algebraic()) value = value.algebraic_lower(60);
  RACER_CHECK(value.is_numeral());
  return Z3_get_numeral_string(value.ctx(), value);
}

// Gates are rewritten as and-inverter graphs before the search, which finds the common parts of two counters of bits that share no
// term; the general solver does not get there in seconds. Anything else is left to it.
z3::solver MakeSolver(z3::context& context, const SmtQuery& query) {
  if (!query.gates_only) return z3::solver(context);
  z3::tactic steps = z3::tactic(context, "simplify");
  for (const char* name : {"solve-eqs", "max-bv-sharing", "bit-blast", "aig", "sat"}) steps = steps & z3::tactic(context, name);
  return steps.mk_solver();
}

std::string Solve(const SmtQuery& query) {
  z3::context context;
  z3::solver solver = MakeSolver(context, query);
  z3::params params(context);
  params.set("rlimit", query.rlimit);
  params.set("timeout", query.timeout_ms);
  solver.set(params);
  Encoder encoder(context, solver, query);
  try {
    encoder.EncodeAll();
    solver.add(query.about_undefined ? encoder.DependsOnUndefined(query.a) : encoder.Difference(query.a, query.b));
  } catch (const Refused& refused) {
    return "unknown " + refused.reason;
  }
  switch (solver.check()) {
    case z3::unsat: return "proved";
    case z3::unknown: return "unknown solver limit: " + solver.reason_unknown();
    case z3::sat: break;
  }
  const z3::model model = solver.get_model();
  std::string answer = "counterexample";
  for (const Encoder::Input& input : encoder.inputs()) {
    answer += "\n" + std::to_string(static_cast<unsigned>(query.store.input_symbol(input.term))) + " " +
              std::to_string(query.store.input_index(input.term)) + " " + ModelValue(input.value, model);
  }
  return answer;
}

}  // namespace

std::string SolveHere(const SmtQuery& query) {
  z3::set_param("memory_max_size", static_cast<int>(query.memory_megabytes));
  try {
    return Solve(query);
  } catch (const z3::exception& error) {
    return std::string("unknown solver limit: ") + error.msg();
  }
}

}  // namespace racer
