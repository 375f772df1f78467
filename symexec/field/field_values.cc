// Arithmetic of the Field domain.
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "symexec/ball/decode.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/bits/exact_bits_domain.h"
#include "symexec/field/field_store.h"
#include "symexec/field/keyed.h"

namespace racer {

using field::P0;
using field::P1;
using field::Q0;
using field::Q1;

namespace {

template <class P>
uint64_t Residue(const Rational& value) {
  const uint64_t numerator = fmpz_fdiv_ui(fmpq_numref(value.raw()), P::prime);
  const uint64_t denominator = fmpz_fdiv_ui(fmpq_denref(value.raw()), P::prime);
  RACER_CHECK(denominator != 0);  // of a literal or a contract's scalar
  return P::Mul(P::From(numerator), P::Inverse(P::From(denominator)));
}

}  // namespace

FieldStore::Node FieldStore::Zero() const {
  Node node{};
  node.kind = Kind::kFloat;
  return node;
}

FieldStore::Node FieldStore::Number(const Rational& value) const {
  Node node = Zero();
  node.words[0] = Residue<P0>(value);
  node.words[1] = Residue<P1>(value);
  if (options_.exponents) {
    node.words[2] = Residue<Q0>(value);
    node.words[3] = Residue<Q1>(value);
  }
  return node;
}

FieldStore::Node FieldStore::Collapsed(const Node& a) const {
  if (a.root == 0) return a;
  const Node& root = roots_[a.root].root;
  Node plain = a;
  plain.words[0] = P0::Mul(a.words[0], root.words[0]);
  plain.words[1] = P1::Mul(a.words[1], root.words[1]);
  plain.words[2] = Q0::Mul(a.words[2], root.words[2]);
  plain.words[3] = Q1::Mul(a.words[3], root.words[3]);
  plain.n = Saturated(uint64_t{a.n} + 1);
  plain.root = 0;
  return plain;
}

FieldStore::Node FieldStore::Negated(Node a) const {
  a.words[0] = P0::Neg(a.words[0]);
  a.words[1] = P1::Neg(a.words[1]);
  a.words[2] = Q0::Neg(a.words[2]);
  a.words[3] = Q1::Neg(a.words[3]);
  return a;
}

FieldStore::Node FieldStore::Sum(const Node& a, const Node& b) {
  if (a.root != b.root) [[unlikely]] {
    if (IsZero(a)) return b;
    if (IsZero(b)) return a;
    return Sum(Collapsed(a), Collapsed(b));
  }
  Node sum = a;
  sum.words[0] = P0::Add(a.words[0], b.words[0]);
  sum.words[1] = P1::Add(a.words[1], b.words[1]);
  if (options_.exponents) {
    sum.words[2] = Q0::Add(a.words[2], b.words[2]);
    sum.words[3] = Q1::Add(a.words[3], b.words[3]);
  }
  sum.n = Saturated(std::max(uint64_t{a.n} + b.d, uint64_t{b.n} + a.d));
  sum.d = Saturated(uint64_t{a.d} + b.d);
  return sum;
}

FieldStore::Node FieldStore::Difference(const Node& a, const Node& b) { return Sum(a, Negated(b)); }

FieldStore::Node FieldStore::Product(const Node& a, const Node& b) {
  Node product = a;
  product.words[0] = P0::Mul(a.words[0], b.words[0]);
  product.words[1] = P1::Mul(a.words[1], b.words[1]);
  if (options_.exponents) {
    product.words[2] = Q0::Mul(a.words[2], b.words[2]);
    product.words[3] = Q1::Mul(a.words[3], b.words[3]);
  }
  product.n = Saturated(uint64_t{a.n} + b.n);
  product.d = Saturated(uint64_t{a.d} + b.d);
  if ((a.root | b.root) != 0) [[unlikely]] {
    if (a.root != 0 && b.root != 0) {
      if (a.root != b.root) return Product(Collapsed(a), Collapsed(b));
      product.root = 0;
      return Product(product, roots_[a.root].radicand);
    }
    product.root = a.root | b.root;
  }
  return product;
}

bool FieldStore::Inverse(const Node& a, Node* to) {
  if (a.root != 0) {
    // 1 / (v s) = s / (v s^2).
    const uint32_t number = a.root;  // `to` may be a
    Node square = a;
    square.root = 0;
    square = Product(square, roots_[number].radicand);
    if (!Inverse(square, to)) return false;
    to->root = number;
    return true;
  }
  if (a.words[0] == 0 || a.words[1] == 0 || (options_.exponents && (a.words[2] == 0 || a.words[3] == 0))) {
    Leave("a division by what is zero at the random point");
    return false;
  }
  Inverted& known = inverses_[(a.words[0] ^ a.words[0] >> 32) % inverses_.size()];
  if (std::memcmp(known.words, a.words, sizeof(known.words)) != 0) {
    std::memcpy(known.words, a.words, sizeof(known.words));
    known.inverse[0] = P0::Inverse(a.words[0]);
    known.inverse[1] = P1::Inverse(a.words[1]);
    if (options_.exponents) {
      known.inverse[2] = Q0::Inverse(a.words[2]);
      known.inverse[3] = Q1::Inverse(a.words[3]);
    }
  }
  *to = a;
  std::memcpy(to->words, known.inverse, sizeof(to->words));
  std::swap(to->n, to->d);
  return true;
}

// A value of its own for each pair of arguments.
FieldStore::Node FieldStore::Keyed(uint64_t tag, const Node& a, const Node* b) {
  const Node x = Collapsed(a), y = b == nullptr ? Zero() : Collapsed(*b);
  ++keyed_;
  keyed_degree_ = std::max({keyed_degree_, uint64_t{x.n} + x.d, uint64_t{y.n} + y.d});
  constexpr uint64_t kPrimes[field::kWords] = {P0::prime, P1::prime, Q0::prime, Q1::prime};
  Node value = Zero();
  for (unsigned i = 0; i < (options_.exponents ? 4 : 2); ++i) {
    // A chain of its own for each word.
    const uint64_t first = field::Keyed(words_[i], x.words[0], x.words[1], tag * 4 + i);
    const uint64_t both = b == nullptr ? first : field::Keyed(first, y.words[0], y.words[1], tag * 4 + i);
    value.words[i] = both % kPrimes[i];
  }
  value.n = 1;
  return value;
}

FieldStore::Node FieldStore::Exponential(const Node& a) {
  RACER_CHECK(options_.exponents);
  const Node exponent = Collapsed(a);
  Node value = Zero();
  value.words[0] = field::PowerOfTwo<P0, Q0>(exponent.words[2]);
  value.words[1] = field::PowerOfTwo<P1, Q1>(exponent.words[3]);
  value.n = 1;
  // As an exponent it is a variable of its own.
  const Node own = Keyed(static_cast<uint64_t>(Opaque::kExponent), value);
  keyed_degree_ = std::max(keyed_degree_, uint64_t{exponent.n} + exponent.d);
  value.words[2] = own.words[2];
  value.words[3] = own.words[3];
  return value;
}

uint32_t FieldStore::RootNumber(const Node& radicand) {
  const field::ValueKey key{radicand.words[0], radicand.words[1]};
  if (const uint32_t known = root_numbers_.Find(key); known != 0) return known;
  roots_.push_back({radicand, Keyed(static_cast<uint64_t>(Opaque::kRoot), radicand)});
  root_numbers_.Insert(key, static_cast<uint32_t>(roots_.size() - 1));
  return static_cast<uint32_t>(roots_.size() - 1);
}

// v * sqrt(r) for the square-free integer r.
FieldStore::Node FieldStore::RootOf(const Rational& radicand) {
  // sqrt(n / d) = sqrt(n d) / d. Factors up to 2^16 are found; a larger square stays below the root, on both sides.
  Rational outside = Rational(1), inside = Rational(1);
  fmpz_t rest, factor;
  fmpz_init(rest);
  fmpz_init(factor);
  fmpz_mul(rest, fmpq_numref(radicand.raw()), fmpq_denref(radicand.raw()));
  Node scale = One();
  for (uint64_t prime = 2; prime < (uint64_t{1} << 16) && fmpz_cmp_ui(rest, prime * prime) >= 0; prime += prime == 2 ? 1 : 2) {
    while (fmpz_divisible_si(rest, static_cast<slong>(prime * prime)) != 0) {
      fmpz_divexact_ui(rest, rest, prime * prime);
      scale = Product(scale, Number(Rational(static_cast<int64_t>(prime))));
    }
  }
  if (fmpz_is_square(rest) != 0) {
    fmpz_sqrt(factor, rest);
    fmpq_set_fmpz(outside.raw(), factor);
  } else {
    fmpq_set_fmpz(inside.raw(), rest);
  }
  Rational denominator = Rational(1);
  fmpq_set_fmpz(denominator.raw(), fmpq_denref(radicand.raw()));
  fmpz_clear(rest);
  fmpz_clear(factor);
  Node inverse;
  RACER_CHECK(Inverse(Number(denominator), &inverse));
  Node value = Product(Product(scale, Number(outside)), inverse);
  if (!(inside == Rational(1))) value.root = RootNumber(Number(inside));
  return value;
}

bool FieldStore::SquareRoot(const Node& a, bool reciprocal, Node* to) {
  const Node radicand = Collapsed(a);
  if (IsZero(radicand)) {
    *to = radicand;
    if (reciprocal) Leave("the reciprocal root of zero");
    return !reciprocal;
  }
  Node root = One();
  root.root = RootNumber(radicand);
  if (reciprocal) return Inverse(root, to);
  *to = root;
  return true;
}

// |a| is the root of a^2.
FieldStore::Node FieldStore::Magnitude(const Node& a) {
  Node root;
  RACER_CHECK(SquareRoot(Product(a, a), /*reciprocal=*/false, &root));
  return root;
}

uint32_t FieldStore::SetOf(const Node& a) {
  const field::ValueKey key{a.words[0], a.words[1]};
  const uint32_t known = set_of_.Find(key);
  return known != 0 ? known : sets_.Single(key);
}

FieldStore::Node FieldStore::Maximum(const Node& a, const Node& b) {
  const Node x = Collapsed(a), y = Collapsed(b);
  if (x.words[0] == y.words[0] && x.words[1] == y.words[1]) return a;
  const Node minus = Negated(y);
  if (x.words[0] == minus.words[0] && x.words[1] == minus.words[1]) return Magnitude(x);
  const uint32_t set = sets_.Union(SetOf(x), SetOf(y));
  Node sum = Zero();
  sum.words[0] = sets_.sum(set)[0];
  sum.words[1] = sets_.sum(set)[1];
  sum.n = std::max(x.n, y.n);
  sum.d = std::max(x.d, y.d);
  const Node value = Keyed(static_cast<uint64_t>(Opaque::kMaximum), sum);
  set_of_.Insert({value.words[0], value.words[1]}, set);
  return value;
}

// y + c (x - y). What a comparison of x with y chooses is their maximum or minimum.
FieldStore::Node FieldStore::Select(const Node& condition, const Node& a, const Node& b) {
  const Node difference = Difference(a, b);
  if (IsZero(difference)) return a;
  if (condition.root != 0) {
    const Node compared = Collapsed(At(Child(condition.root))), plain = Collapsed(difference), minus = Negated(plain);
    const bool positive = condition.low == 0;
    if (plain.words[0] == compared.words[0] && plain.words[1] == compared.words[1]) return positive ? Maximum(a, b) : Minimum(a, b);
    if (minus.words[0] == compared.words[0] && minus.words[1] == compared.words[1]) return positive ? Minimum(a, b) : Maximum(a, b);
  }
  Node weight = condition;
  weight.root = 0;
  return Sum(b, Product(weight, difference));
}

TermId FieldStore::MakePredicate(Node value) {
  value = Collapsed(value);
  value.kind = Kind::kPredicate;
  value.format = 1;
  value.low = 0;
  value.root = 0;
  return Add(value);
}

TermId FieldStore::Holds(const Node& difference, bool negated) {
  const Node plain = Collapsed(difference);
  if (IsZero(plain)) return BvConst(1, negated ? 1 : 0);
  Node value = Keyed(static_cast<uint64_t>(Opaque::kPositive), plain);
  if (negated) value = Difference(One(), value);
  const TermId compared = Float(FpFormat::kF64, plain);
  const TermId predicate = MakePredicate(value);
  Node& made = nodes_.get()[static_cast<uint32_t>(predicate)];
  made.root = static_cast<uint32_t>(compared);
  made.low = negated ? 1 : 0;
  return predicate;
}

TermId FieldStore::IsEqual(const Node& difference, bool negated) {
  const Node plain = Collapsed(difference);
  if (IsZero(plain)) return BvConst(1, negated ? 0 : 1);
  // The same of x and of -x.
  Node both = plain;
  const Node square = Product(plain, plain);
  both.words[0] = square.words[0];
  both.words[1] = square.words[1];
  both.n = square.n;
  both.d = square.d;
  Node value = Keyed(static_cast<uint64_t>(Opaque::kZero), both);
  if (negated) value = Difference(One(), value);
  return MakePredicate(value);
}

bool FieldStore::Predicate(TermId id, Node* to) {
  if (!IsInput(id)) {
    const Node& node = At(id);
    if (node.kind == Kind::kPredicate) {
      *to = node;
      return true;
    }
    if (node.kind == Kind::kBits) {
      *to = Number(Rational(static_cast<int64_t>(node.words[0] & 1)));
      return true;
    }
    if (node.kind == Kind::kUndef) {
      Leave("an uninitialised predicate");
      return false;
    }
  }
  Leave("a bit of symbolic data is a predicate");
  return false;
}

// log2(e) and the root of pi are numbers of which nothing is known but that they are the same everywhere.
FieldStore::Node FieldStore::Irrational(Opaque which) { return Keyed(static_cast<uint64_t>(which), One()); }

FieldStore::Node FieldStore::Power(Node base, int exponent) {
  Node power = One();
  if (exponent < 0) RACER_CHECK(Inverse(base, &base));  // of an opaque value, zero with a probability of 2^-60
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) power = Product(power, base);
  return power;
}

const FieldStore::Node* FieldStore::Constant(FpFormat format, uint64_t bits) {
  std::unordered_map<uint64_t, Node>& known = constants_[static_cast<size_t>(format)];
  const auto place = known.find(bits);
  if (place != known.end()) return &place->second;
  const std::optional<Rational> value = FiniteValue(format, bits);
  if (!value) return nullptr;
  Node node;
  const std::optional<NamedReal> real = options_.constants == nullptr ? std::nullopt : options_.constants->Find(format, bits);
  if (real) {
    lifted_ = true;
    node = Product(Number(real->factor), RootOf(real->radicand));
    node = Product(node, Power(Irrational(Opaque::kLog2E), real->log2_e));
    node = Product(node, Power(Irrational(Opaque::kRootPi), real->root_pi));
  } else {
    node = Number(*value);
  }
  node.kind = Kind::kFloat;
  node.format = static_cast<uint8_t>(format);
  return &known.emplace(bits, node).first->second;
}

TermId FieldStore::Real(FpFormat format, const Rational& value) { return Float(format, Number(value)); }

bool FieldStore::Value(FpFormat format, TermId id, Node* to) {
  const Node node = IsInput(id) ? InputNode(id) : At(id);
  const auto alike = [](FpFormat a, FpFormat b) {
    const auto word = [](FpFormat f) { return f == FpFormat::kF32 || f == FpFormat::kTF32; };
    return a == b || (word(a) && word(b));
  };
  switch (node.kind) {
    case Kind::kFloat:
      if (!alike(static_cast<FpFormat>(node.format), format)) break;
      *to = node;
      return true;
    case Kind::kBits: {
      const Node* constant = Constant(format, node.words[0]);
      if (constant == nullptr) {
        Leave("an infinity or NaN among the operands of arithmetic");
        return false;
      }
      *to = *constant;
      return true;
    }
    case Kind::kSelect: {
      Node condition, a, b;
      if (!Predicate(Child(node.n), &condition) || !Value(format, Child(node.d), &a) || !Value(format, Child(node.root), &b)) return false;
      *to = Select(condition, a, b);
      return true;
    }
    case Kind::kPair: return ValueOfPair(format, node, to);
    case Kind::kUndef: Leave("uninitialised data"); return false;
    case Kind::kSlice:
    case Kind::kPredicate:
    case Kind::kInteger:
    case Kind::kMoved: break;
  }
  Leave("the pattern of a computed value or an integer is read as ." + std::string(Spelling(format)));
  return false;
}

// A .bf16 above zeros is the .f32 that it widens to; a value whose sign bit is cleared or set is its magnitude or minus that.
bool FieldStore::ValueOfPair(FpFormat format, const Node& pair, Node* to) {
  const TermId low = Child(pair.n), high = Child(pair.d);
  if (format == FpFormat::kF32 && pair.low == 16 && IsConst(low) && const_bits(low) == 0) {
    const Node top = IsInput(high) ? InputNode(high) : At(high);
    if (top.kind == Kind::kFloat && static_cast<FpFormat>(top.format) == FpFormat::kBF16) {
      *to = top;
      return true;
    }
  }
  if (pair.low + 1u == FormatWidth(format) && !IsInput(low) && IsConst(high)) {
    const Node part = At(low);
    if (part.kind == Kind::kSlice && part.low == 0 && width(Child(part.n)) == FormatWidth(format)) {
      Node value;
      if (!Value(format, Child(part.n), &value)) return false;
      *to = Magnitude(Collapsed(value));
      if (const_bits(high) != 0) *to = Negated(*to);
      return true;
    }
  }
  Leave("a pattern put together from several is read as ." + std::string(Spelling(format)));
  return false;
}

bool FieldStore::IntegerValue(TermId id, bool is_signed, Node* to) {
  const Node node = IsInput(id) ? InputNode(id) : At(id);
  if (node.kind == Kind::kBits) {
    const uint64_t bits = is_signed ? BitsDomain().SExt(node.format, 64, node.words[0]) : node.words[0];
    if (!is_signed && (bits >> 63) != 0) {
      Leave("an integer of 64 bits among symbolic ones");
      return false;
    }
    *to = Number(Rational(static_cast<int64_t>(bits)));
    return true;
  }
  if (node.kind == Kind::kInteger && (node.low != 0) == is_signed) {
    *to = node;
    return true;
  }
  Leave("a symbolic integer is read in another way than as the number that it holds");
  return false;
}

FieldStore::Node FieldStore::Clamped(const FpAttr& attr, Node value) {
  if (attr.sat) value = Minimum(Maximum(value, Zero()), One());
  if (attr.relu) value = Maximum(value, Zero());
  return value;
}

bool FieldStore::Apply(FpKind kind, const FpAttr& attr, const Node& a, const Node* b, const Node* c, Node* to) {
  Node inverse;
  switch (kind) {
    case FpKind::kAdd: *to = Sum(a, *b); return true;
    case FpKind::kSub: *to = Difference(a, *b); return true;
    case FpKind::kMul: *to = Product(a, *b); return true;
    case FpKind::kFma: *to = Sum(Product(a, *b), *c); return true;
    case FpKind::kDiv:
      if (!Inverse(*b, &inverse)) return false;
      *to = Product(a, inverse);
      return true;
    case FpKind::kRcp: return Inverse(a, to);
    case FpKind::kNeg: *to = Negated(a); return true;
    case FpKind::kAbs: *to = Magnitude(Collapsed(a)); return true;
    case FpKind::kMin:
    case FpKind::kMax:
      if (attr.xorsign) {
        Leave("`.xorsign.abs` of computed values");
        return false;
      }
      *to = kind == FpKind::kMax ? Maximum(a, *b) : Minimum(a, *b);
      return true;
    case FpKind::kSqrt: return SquareRoot(a, false, to);
    case FpKind::kRsqrt: return SquareRoot(a, true, to);
    case FpKind::kEx2: *to = Exponential(a); return true;
    case FpKind::kExp:
      if (!options_.exponents) {
        Leave("an exponential where no instruction computes one");
        return false;
      }
      *to = Exponential(Product(a, Irrational(Opaque::kLog2E)));
      return true;
    case FpKind::kLog:
      RACER_CHECK(Inverse(Irrational(Opaque::kLog2E), &inverse));
      *to = Product(Keyed(16 + static_cast<uint64_t>(FpKind::kLg2), a), inverse);
      return true;
    case FpKind::kPow:
    case FpKind::kCopySign: *to = Keyed(16 + static_cast<uint64_t>(kind), a, b); return true;
    case FpKind::kTanh:
      if (options_.exponents) {
        // 1 - 2 / (e^2x + 1)
        const Node twice = Product(Number(Rational(2)), a);
        if (!Inverse(Sum(Exponential(Product(twice, Irrational(Opaque::kLog2E))), One()), &inverse)) return false;
        *to = Difference(One(), Product(Number(Rational(2)), inverse));
        return true;
      }
      [[fallthrough]];
    case FpKind::kErf:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos: *to = Keyed(16 + static_cast<uint64_t>(kind), a); return true;
    case FpKind::kRoundInt: *to = Keyed(64 + static_cast<uint64_t>(attr.rounding), a); return true;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

std::optional<TermId> FieldStore::NonFinite(FpKind kind, const FpAttr& attr, TermId a, TermId b, TermId c) {
  enum class What : uint8_t { kNumber, kPlus, kMinus, kNan };
  const auto what = [&](TermId id) {
    if (id == kNoTerm || !IsConst(id)) return What::kNumber;
    const DecodedFp value = DecodeFp(attr.format, const_bits(id));
    if (value.kind == DecodedFp::Kind::kFinite) return What::kNumber;
    if (value.kind == DecodedFp::Kind::kInfinite) return value.negative ? What::kMinus : What::kPlus;
    return What::kNan;
  };
  const What of_a = what(a), of_b = what(b), of_c = what(c);
  if (of_a == What::kNumber && of_b == What::kNumber && of_c == What::kNumber) return std::nullopt;
  // Everything else is finite. Where the rest of the attributes would matter, arithmetic refuses.
  if (attr.sat || attr.relu || attr.xorsign || of_a == What::kNan || of_b == What::kNan || of_c == What::kNan) return std::nullopt;
  const bool one = (of_a == What::kNumber) != (of_b == What::kNumber);
  if (kind == FpKind::kAdd && one) return of_a == What::kNumber ? b : a;
  if (kind == FpKind::kSub && of_b == What::kNumber) return a;
  if (kind == FpKind::kFma && of_a == What::kNumber && of_b == What::kNumber) return c;
  if ((kind == FpKind::kMax || kind == FpKind::kMin) && one) {
    const What infinite = of_a == What::kNumber ? of_b : of_a;
    const bool wins = (infinite == What::kPlus) == (kind == FpKind::kMax);
    return (of_a == What::kNumber) != wins ? a : b;
  }
  return std::nullopt;
}

TermId FieldStore::Fp(FpKind kind, const FpAttr& attr, TermId a, TermId b, TermId c) {
  const bool constant = IsConst(a) && (b == kNoTerm || IsConst(b)) && (c == kNoTerm || IsConst(c));
  if (constant) {
    ExactBitsDomain d;
    const uint64_t x = const_bits(a), y = b == kNoTerm ? 0 : const_bits(b), z = c == kNoTerm ? 0 : const_bits(c);
    const uint64_t bits = b == kNoTerm ? d.Fp(kind, attr, x) : c == kNoTerm ? d.Fp(kind, attr, x, y) : d.Fp(kind, attr, x, y, z);
    if (!d.inexact) return BvConst(FormatWidth(attr.format), bits);
    if ((kind == FpKind::kSqrt || kind == FpKind::kRsqrt) && !attr.sat) {
      // The root of a number is taken out of it as far as it goes, as of a literal's.
      const std::optional<Rational> value = FiniteValue(attr.format, x);
      if (value && fmpq_sgn(value->raw()) > 0 && (options_.constants == nullptr || !options_.constants->Find(attr.format, x))) {
        Node root = RootOf(*value);
        if (kind == FpKind::kRsqrt && !Inverse(root, &root)) return a;
        return Float(attr.format, root);
      }
    }
  }
  if (const std::optional<TermId> result = NonFinite(kind, attr, a, b, c)) return *result;
  Node x, y, z, result;
  if (!Value(attr.format, a, &x) || (b != kNoTerm && !Value(attr.format, b, &y)) || (c != kNoTerm && !Value(attr.format, c, &z)) ||
      !Apply(kind, attr, x, &y, &z, &result)) {
    return BvConst(FormatWidth(attr.format), 0);
  }
  if (attr.sat || attr.relu) result = Clamped(attr, result);
  return Float(attr.format, result);
}

TermId FieldStore::FpCompare(CompareOp op, FpFormat format, bool ftz, TermId a, TermId b) {
  if (IsConst(a) && IsConst(b)) return BvConst(1, BitsDomain().FpCompare(op, format, ftz, const_bits(a), const_bits(b)));
  if (op == CompareOp::kNum) return BvConst(1, 1);
  if (op == CompareOp::kNan) return BvConst(1, 0);
  // Against an infinity: what is computed is finite.
  for (const TermId side : {a, b}) {
    if (!IsConst(side)) continue;
    const DecodedFp value = DecodeFp(format, const_bits(side));
    if (value.kind != DecodedFp::Kind::kInfinite) continue;
    const uint64_t one = 0;  // any number stands for all
    return BvConst(1, side == a ? BitsDomain().FpCompare(op, format, ftz, const_bits(a), one)
                                : BitsDomain().FpCompare(op, format, ftz, one, const_bits(b)));
  }
  Node x, y;
  if (!Value(format, a, &x) || !Value(format, b, &y)) return BvConst(1, 0);
  const Node difference = Difference(x, y);
  switch (op) {
    case CompareOp::kEq:
    case CompareOp::kEqu: return IsEqual(difference, false);
    case CompareOp::kNe:
    case CompareOp::kNeu: return IsEqual(difference, true);
    case CompareOp::kGt:
    case CompareOp::kGtu: return Holds(difference, false);
    case CompareOp::kLe:
    case CompareOp::kLeu: return Holds(difference, true);
    case CompareOp::kLt:
    case CompareOp::kLtu: return Holds(Negated(difference), false);
    case CompareOp::kGe:
    case CompareOp::kGeu: return Holds(Negated(difference), true);
    case CompareOp::kNone:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs:
    case CompareOp::kNum:
    case CompareOp::kNan: break;
  }
  RACER_UNREACHABLE(static_cast<int>(op));
}

TermId FieldStore::FpConvert(FpFormat from, const FpAttr& attr, TermId a) {
  if (IsConst(a)) {
    ExactBitsDomain d;
    const uint64_t bits = d.FpConvert(from, attr, const_bits(a));
    if (!d.inexact) return BvConst(FormatWidth(attr.format), bits);
  }
  Node value;
  if (!Value(from, a, &value)) return BvConst(FormatWidth(attr.format), 0);
  if (attr.rounding == Rounding::kRs) return Leave("a stochastic rounding of a computed value");
  if (attr.sat || attr.relu) value = Clamped(attr, value);
  if (RoundsToInteger(attr.rounding)) value = Keyed(64 + static_cast<uint64_t>(attr.rounding), value);
  if (IsNarrow(attr.format)) {
    const uint64_t how = static_cast<uint64_t>(attr.format) << 8 | static_cast<uint64_t>(attr.rounding) << 1 | (attr.satfinite ? 1 : 0);
    value = Keyed(static_cast<uint64_t>(Opaque::kQuantised) + how, value);
  }
  return Float(attr.format, value);
}

TermId FieldStore::FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, TermId a) {
  if (IsConst(a)) return BvConst(BitWidth(to), BitsDomain().FpToInt(from, to, rounding, ftz, false, const_bits(a)));
  return Leave("a conversion of a computed value to an integer");
}

TermId FieldStore::IntToFp(ScalarType from, const FpAttr& attr, TermId a) {
  const unsigned w = BitWidth(from);
  if (width(a) != w) a = Extract(w, a, 0);
  if (IsConst(a)) {
    ExactBitsDomain d;
    const uint64_t bits = d.IntToFp(from, attr, const_bits(a));
    if (!d.inexact) return BvConst(FormatWidth(attr.format), bits);
  }
  if (!IsInput(a) && At(a).kind == Kind::kSelect) {
    const Node select = At(a);
    const TermId first = IntToFp(from, attr, Child(select.d));
    return BvIte(FormatWidth(attr.format), Child(select.n), first, IntToFp(from, attr, Child(select.root)));
  }
  Node value;
  if (!IntegerValue(a, IsSigned(from), &value)) return BvConst(FormatWidth(attr.format), 0);
  if (attr.sat) value = Clamped(attr, value);
  return Float(attr.format, value);
}

TermId FieldStore::MultiplyAdd(FpFormat format, FpFormat a_format, TermId a, FpFormat b_format, TermId b, FpFormat c_format, TermId c) {
  Node x, y, z;
  if (!Value(a_format, a, &x) || !Value(b_format, b, &y) || !Value(c_format, c, &z)) return BvConst(FormatWidth(format), 0);
  return Float(format, Sum(Product(x, y), z));
}

TermId FieldStore::Scaled(FpFormat format, FpFormat a_format, TermId a, const Rational& scale) {
  Node x;
  if (!Value(a_format, a, &x)) return BvConst(FormatWidth(format), 0);
  return Float(format, Product(x, Number(scale)));
}

FieldStore::Residues FieldStore::ResiduesOf(TermId id, ScalarType dtype) {
  Node value;
  bool known = false;
  const Node node = IsInput(id) ? InputNode(id) : At(id);
  if (IsFloat(dtype)) {
    if (node.kind == Kind::kBits && Constant(FormatOf(dtype), node.words[0]) == nullptr)
      return {{node.words[0], ~uint64_t{0}}, 0, true};  // an infinity or NaN is its pattern, unlike any number
    known = Value(FormatOf(dtype), id, &value);
  } else if (node.kind == Kind::kSelect) {
    // Of integers: by what is selected.
    const Residues first = ResiduesOf(Child(node.d), dtype), second = ResiduesOf(Child(node.root), dtype);
    Node condition, a = Zero(), b = Zero();
    if (!first.known || !second.known || !Predicate(Child(node.n), &condition)) return {};
    std::copy(first.value.begin(), first.value.end(), a.words);
    std::copy(second.value.begin(), second.value.end(), b.words);
    a.n = Saturated(first.degree);
    b.n = Saturated(second.degree);
    condition.root = 0;
    value = Sum(b, Product(condition, Difference(a, b)));
    known = true;
  } else {
    known = IntegerValue(id, IsSigned(dtype), &value);
  }
  if (!known) return {};
  value = Collapsed(value);
  return {{value.words[0], value.words[1]}, uint64_t{value.n} + value.d, true};
}

}  // namespace racer
