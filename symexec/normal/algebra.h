// Polynomials over interned atoms: the arithmetic of canonical forms.
//
// A form is a sum of rational * monomial; a monomial is a product of atoms with integer exponents. Atoms and the relations
// kept between them:
//   input, function, max, ite, opaque   any exponent, no relation
//   sqrt s of P      s >= 0, s^2 = P; exponent 0 or 1. P is primitive (integer coprime coefficients), or an integer
//   abs s of P       s >= 0, s^2 = P^2; exponent 0 or 1. P primitive, leading coefficient positive
//   sum a of P        a = P; any exponent, never expanded: what stands for P in a product with another large sum
//   inverse a of P   a = P; exponent negative only. P has at least two terms, primitive, leading coefficient positive
//   power a of P     a = 2^P; exponent 1, and one in a monomial: 2^P * 2^Q = 2^(P+Q). P has no integer in it, and no k * log2(Q).
//                    Beside the inverse of c * 2^A + d * 2^B, P is P0 + k * (B - A) with k = 0: more is divided out
//   log a of P       a = log2(P), P > 0; any exponent. P primitive, without factors of known sign and without powers
//   constant         log2(e), pi: positive; any exponent
// Equal ids mean equal real functions where the side conditions hold; the converse need not hold (a fraction may have several
// forms), which is what fingerprints and cross-multiplication are for.
#ifndef RACER_SYMEXEC_NORMAL_ALGEBRA_H_
#define RACER_SYMEXEC_NORMAL_ALGEBRA_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "symexec/term/inputs.h"

namespace racer::normal {

enum class AtomId : uint32_t {};
enum class MonoId : uint32_t {};
enum class PolyId : uint32_t {};
constexpr MonoId kOne{0};               // the empty product
constexpr PolyId kZero{0};              // the empty sum
constexpr PolyId kNoPoly{0xffffffffu};  // a failed operation; Algebra::failure() says why

enum class AtomKind : uint8_t { kInput, kSqrt, kAbs, kInverse, kSum, kMax, kFunction, kIte, kOpaque, kPower, kLog, kConstant };

enum class NamedConstant : uint8_t { kLog2E, kPi };

// The named steps, from rules.def.
enum class Rule : uint8_t {
#define RACER_NORMAL_RULE(name, match, result) k##name,
#include "symexec/normal/rules.def"
};
constexpr size_t kRuleCount = 0
#define RACER_NORMAL_RULE(name, match, result) +1
#include "symexec/normal/rules.def"
    ;

// Which signs a value can have, as a set. Of a product, a square, a sum of two.
using Signs = uint8_t;
constexpr Signs kNegative = 1, kZeroSign = 2, kPositive = 4, kAnySign = 7;
Signs SignsOfProduct(Signs a, Signs b);
constexpr Signs SignsOfSquare(Signs a) {
  return static_cast<Signs>((a & kZeroSign) | ((a & (kNegative | kPositive)) != 0 ? kPositive : 0));
}
constexpr Signs SignsOfSum(Signs a, Signs b) {
  Signs all = a | b;
  if ((all & kNegative) != 0 && (all & kPositive) != 0) return kAnySign;
  return (a & kZeroSign) != 0 && (b & kZeroSign) != 0 ? all : static_cast<Signs>(all & ~kZeroSign);
}
constexpr bool NeverNegative(Signs s) { return (s & kNegative) == 0; }
constexpr bool NeverPositive(Signs s) { return (s & kPositive) == 0; }
constexpr bool NeverZero(Signs s) { return (s & kZeroSign) == 0; }

struct AtomPower {
  AtomId atom;
  int32_t exponent;
  friend bool operator==(const AtomPower&, const AtomPower&) = default;
};

struct Atom {
  AtomKind kind;
  Signs signs = kAnySign;
  bool related = false;                // sqrt, abs, inverse, power: exponents are restricted
  bool deep_related = false;           // an inverse that has a sqrt, abs or power atom somewhere inside
  PolyId logistic = kNoPoly;           // of an inverse of c * 2^A + d * 2^B: B - A
  PolyId poly = kNoPoly;               // P of sqrt, abs, inverse, sum, power, log
  uint32_t function = 0;               // kFunction: a code of the caller's; kConstant: which
  TermId term = kNoTerm;               // kInput, kOpaque
  std::vector<uint32_t> args{};        // poly ids of kMax, kFunction, kIte (after the predicate)
  double degree = 1;                   // as a polynomial in free variables
  const SymbolRange* range = nullptr;  // if anything is known beside the signs; owned by the caller or by Algebra::Keep
  bool integer = false;                // its values are integers
};

struct Limits {
  uint64_t max_monomials = uint64_t{1} << 22;
  uint64_t max_product_terms = uint64_t{1} << 20;
};

// Sums coefficients by monomial in constant time each (a sparse set over monomial ids).
class Accumulator {
 public:
  void Add(MonoId mono, const Rational& coefficient);
  size_t size() const { return monos_.size(); }
  void Clear();

 private:
  friend class Algebra;
  std::vector<uint32_t> slot_;
  std::vector<MonoId> monos_;
  std::vector<Rational> coefficients_;
};

class Algebra {
 public:
  explicit Algebra(const Limits& limits);

  // --- reading
  std::span<const AtomPower> mono(MonoId id) const;
  std::span<const MonoId> monos(PolyId id) const;
  std::span<const Rational> coefficients(PolyId id) const;
  size_t size(PolyId id) const { return polys_[static_cast<size_t>(id)].size; }
  const Atom& atom(AtomId id) const { return atoms_[static_cast<size_t>(id)]; }
  size_t atom_count() const { return atoms_.size(); }
  bool IsConstant(PolyId id) const { return size(id) == 0 || (size(id) == 1 && monos(id)[0] == kOne); }
  Rational ConstantValue(PolyId id) const;  // IsConstant
  // The atom if the form is coefficient * atom^1, with the coefficient.
  bool IsScaledAtom(PolyId id, AtomId* atom, Rational* coefficient) const;

  // --- building
  AtomId AddAtom(Atom atom);  // a new atom
  const SymbolRange* Keep(SymbolRange range) { return &ranges_.emplace_back(std::move(range)); }
  AtomId InternAtom(std::vector<uint32_t> key, Atom atom);  // the atom of this key, made on first use
  PolyId Constant(const Rational& value);
  PolyId OfAtom(AtomId atom, int32_t exponent = 1);
  PolyId Add(PolyId a, PolyId b, const Rational& scale_b = Rational(1));
  PolyId Scale(PolyId a, const Rational& scale);
  PolyId Multiply(PolyId a, PolyId b);
  PolyId Power(PolyId a, unsigned exponent);
  PolyId Inverse(PolyId a);
  PolyId Sqrt(PolyId a);                         // of a form taken to be >= 0
  PolyId SqrtOfRational(const Rational& value);  // value >= 0
  PolyId Abs(PolyId a);
  PolyId Max(std::vector<PolyId> elements);
  PolyId Min(std::vector<PolyId> elements);
  // The form as the maximum (or minimum) of others, of a factor of known sign and a maximum.
  struct Extremum {
    bool maximum;
    std::vector<PolyId> elements;
  };
  std::optional<Extremum> AsExtremum(PolyId a);
  PolyId SumAtom(PolyId a);  // a as one atom, up to a rational factor
  PolyId Power2(PolyId a);   // 2^a
  PolyId Log2(PolyId a);     // of a form taken to be > 0
  PolyId Of(NamedConstant constant);
  bool IsPowerOf2(PolyId a) const;  // a rational times a power of 2 (of 0 for a constant)
  PolyId WithoutPower(PolyId a);    // a times the power of 2 that makes it the same for all a * 2^P
  // a * product(powers): exponents out of range are brought in by the relations.
  PolyId MultiplyMono(PolyId a, std::span<const AtomPower> powers);

  // Adds scale * a * b into an accumulator; false when a limit was hit.
  bool AddProduct(Accumulator& sum, const Rational& scale, PolyId a, PolyId b);
  bool AddForm(Accumulator& sum, const Rational& scale, PolyId a);
  PolyId Finish(Accumulator& sum);  // and clears it

  // gcd of the coefficients, positive: a / Content(a) is primitive. 0 for the zero form.
  Rational Content(PolyId a) const;
  // a up to a rational factor: primitive; `signed_scale` also makes the first coefficient positive.
  PolyId Primitive(PolyId a, bool positive_lead, Rational* scale);

  // --- signs
  Signs SignsOf(PolyId a);
  // Adds what is known from elsewhere about a form that is defined for all inputs.
  void LearnSigns(PolyId a, Signs signs);
  Signs SignsOfMono(MonoId m) const;
  // An interval that holds the form at all inputs, for short ones.
  SymbolRange Bounds(PolyId a) const;
  // Whether all values are integers, as far as factors and atoms show.
  bool IsIntegral(MonoId m) const;
  bool IsIntegral(PolyId a) const;

  double Degree(PolyId a) const;
  bool HasRelated(PolyId a) const;  // a sqrt, abs or power atom, also inside inverses

  const std::string& failure() const { return failure_; }
  PolyId Fail(std::string reason) {
    failure_ = std::move(reason);
    return kNoPoly;
  }
  uint64_t rule_count(Rule rule) const { return rule_counts_[static_cast<size_t>(rule)]; }
  PolyId Fire(Rule rule, PolyId result) {
    ++rule_counts_[static_cast<size_t>(rule)];
    return result;
  }
  size_t bytes() const;

 private:
  struct Record {
    uint64_t begin;
    uint32_t size;
    uint32_t hash;
  };
  class Scratch;  // an accumulator on loan; nested products need their own

  MonoId InternMono(std::span<const AtomPower> powers);
  PolyId InternPoly(std::span<const MonoId> monos, std::span<const Rational> coefficients);
  void GrowMonos();
  void GrowPolys();
  // sum += coefficient * product(powers), reduced by the relations. Powers sorted by atom.
  bool AddReduced(Accumulator& sum, const Rational& coefficient, std::span<const AtomPower> powers);
  bool CancelInverse(PolyId sum, PolyId single, PolyId* reduced, Rational* scale);
  bool AddMonoProduct(Accumulator& sum, const Rational& coefficient, MonoId a, MonoId b);
  std::vector<AtomPower> MonoContent(PolyId a) const;
  bool Flatten(PolyId e, std::vector<PolyId>* flat);
  bool HasNegativeExponent(PolyId a);
  bool SharesNothing(std::span<const PolyId> elements);
  std::vector<AtomPower> SharedFactors(std::span<const PolyId> elements) const;
  PolyId MaxWithoutFactors(std::span<const PolyId> elements, bool* failed);
  // min(max(x, low), high), low < high; a missing end does not clamp.
  struct Clamped {
    PolyId x = kNoPoly;
    std::optional<Rational> low{}, high{};
  };
  std::optional<Clamped> AsClamp(PolyId a, int depth);
  PolyId ClampForm(const Clamped& clamp);
  PolyId MaxOfClamp(std::span<const PolyId> elements);
  PolyId MaxOf(std::vector<PolyId> flat);
  PolyId SqrtOfMono(std::span<const AtomPower> powers, bool negative);
  PolyId AbsOfAtom(AtomId atom, int32_t exponent);
  PolyId SqrtAtom(PolyId primitive);
  PolyId Halved(std::span<const AtomPower> powers);
  Signs IntervalSigns(PolyId a) const;
  PolyId FusePowers(std::vector<AtomPower>& powers);
  PolyId Logistic(PolyId sum);
  int64_t TimesIn(AtomId power, PolyId step) const;
  PolyId SplitLogistic(std::vector<AtomPower>& powers);
  PolyId PowerContent(PolyId a);
  bool TakeLogsOut(PolyId a, PolyId* rest, PolyId* factor);
  PolyId Log2OfRational(const Rational& value);
  PolyId Log2OfMono(std::span<const AtomPower> powers);
  PolyId LogAtom(PolyId primitive);

  Limits limits_;
  std::vector<Atom> atoms_;
  enum Relation : uint8_t { kFree, kRoot, kInverted, kFused };
  std::vector<Relation> relations_;  // by atom; beside the atoms because every product looks at it
  std::deque<SymbolRange> ranges_;
  std::map<std::vector<uint32_t>, AtomId> atom_keys_;
  std::vector<AtomPower> mono_pool_;
  std::vector<Record> mono_records_;
  std::vector<uint32_t> mono_table_;
  std::vector<MonoId> poly_monos_;
  std::vector<Rational> poly_coefficients_;
  std::vector<Record> polys_;
  std::vector<uint32_t> poly_table_;
  std::unordered_map<uint32_t, PolyId> sqrt_memo_, inverse_memo_, power_memo_, log_memo_;
  std::unordered_map<uint64_t, PolyId> fused_memo_;  // by two power atoms
  std::unordered_map<uint32_t, Signs> sign_memo_;
  std::unordered_map<uint32_t, bool> negative_memo_;  // HasNegativeExponent
  // Of elements of maxima, which go into many: their content, and what they are times the number that was asked for last, on the way in
  // and on the way out.
  struct Scaled {
    Rational scale;
    PolyId result = kNoPoly;
  };
  using ScaledMemo = std::unordered_map<uint32_t, Scaled>;
  PolyId ScaleElement(ScaledMemo& memo, PolyId a, const Rational& scale);
  std::unordered_map<uint32_t, Rational> element_contents_;
  ScaledMemo into_maxima_, out_of_maxima_;
  std::vector<std::unique_ptr<Accumulator>> free_accumulators_;
  std::vector<AtomPower> merge_;
  int depth_ = 0;
  std::string failure_;
  std::vector<uint64_t> rule_counts_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_ALGEBRA_H_
