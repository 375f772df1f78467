// From terms to canonical forms: one pass over the distinct terms, iterative. A term that is infinite for all inputs (the start of
// a running maximum, a masked score) has no form, but 2^(-inf) and max(x, -inf) do.
#ifndef RACER_SYMEXEC_NORMAL_CANONICAL_H_
#define RACER_SYMEXEC_NORMAL_CANONICAL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symexec/normal/algebra.h"
#include "symexec/normal/conditions.h"
#include "symexec/normal/constant_table.h"
#include "symexec/normal/sets.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer::normal {

// What the strict and the lifting pass share: atoms of inputs, predicates, conditions.
struct Shared {
  Shared(const TermStore& store, const SymbolRanges& ranges, Algebra& algebra)
      : store(store), ranges(ranges), algebra(algebra), conditions(algebra) {}
  const TermStore& store;
  const SymbolRanges& ranges;
  Algebra& algebra;
  Conditions conditions;
  SetTable lifts;                                        // sets of FpConst term ids
  std::vector<uint32_t> input_atoms;                     // by term id: atom + 1, or 0
  std::map<std::vector<uint32_t>, uint32_t> predicates;  // key -> number
  std::vector<std::string> function_names;               // by function code in order of first use
  std::map<std::vector<uint32_t>, uint32_t> function_codes;
  std::set<std::string> uninterpreted;
  std::vector<bool> partial;   // by term id: holds an operation that may be undefined
  std::vector<bool> integral;  // by term id: is an integer on every device
};

struct Form {
  PolyId poly = kNoPoly;
  SetId conditions = kEmptySet;
  SetId lifts = kEmptySet;  // literals replaced by the reals they stand for
};

// What a pattern of some width is as a number.
struct Integer {
  PolyId value = kNoPoly;  // an integer that is the pattern modulo 2^width; kNoPoly: not known, Canonicalizer says why
  Rational low{}, high{};  // it lies between them
  SetId conditions = kEmptySet, lifts = kEmptySet;
};

// The integer nearest to a constant in the direction of the rounding; nullopt for a rounding that RoundInt does not have.
std::optional<Rational> RoundToInteger(const Rational& value, Rounding rounding);

class Canonicalizer {
 public:
  // Without a table of constants they are their exact values. `sums_as_atoms`: a sum of many terms stays one factor of a product
  // instead of being multiplied out, so that (x - mean)^2 costs no square of the number of terms; fewer forms are equal then.
  Canonicalizer(Shared& shared, const ConstantTable* constant_table, bool sums_as_atoms);

  // `failure` says why poly is kNoPoly.
  Form Normalize(TermId term, std::string* failure);
  // The same of a B term, as an unsigned number.
  Form NormalizeInteger(TermId bits, std::string* failure);
  // The numbers that the form, rounded to an integer, may come to by a clamp.
  std::vector<Rational> ConstantArms(PolyId a) const;
  // Whether a literal that could be lifted was met so far.
  bool saw_liftable() const { return saw_liftable_; }
  // Whether a sum was kept as an atom so far.
  bool saw_sum_atom() const { return saw_sum_atom_; }

 private:
  struct Item {
    Rational scale;
    TermId a, b;  // scale * a * b; b = kNoTerm: scale * a
  };
  struct Frame {
    TermId term;
    size_t items;
    bool gathered;
    SetId lifts;
  };
  struct ConstantInfo {
    bool known = false;
    Rational value;
    SetId lifts = kEmptySet;
  };
  static constexpr PolyId kUnset{0xfffffffeu};

  void Reserve();
  bool Done(TermId t) const { return forms_[static_cast<size_t>(t)].poly != kUnset; }
  void Set(TermId t, PolyId poly, SetId conditions, SetId lifts);
  void SetFailed(TermId t, std::string reason);
  // A term that is infinite for all inputs: +1 or -1; 0: not one. It has no form.
  int InfinityOf(TermId t) const;
  void SetInfinite(TermId t, int sign, SetId conditions, SetId lifts);
  // Of infinite operands, what an operation makes of them.
  bool FinishInfinite(TermId t, std::vector<PolyId> args, SetId conditions, SetId lifts);
  bool QuickLeaf(TermId t);
  bool IsAdditive(TermId t) const;
  // The rational value of a literal, an exact input constant or a converted integer; the lifts that it rests on.
  const ConstantInfo* ConstantOf(TermId t);
  bool Absorb(TermId child, TermId parent);
  bool Claim(TermId child, TermId parent);
  void GatherSum(Frame& frame);
  void GatherOperands(Frame& frame);
  bool AbsorbExtremum(TermId child, TermId parent);
  void GatherPredicate(TermId predicate);
  void GatherIntegers(TermId root);
  void FinishSum(const Frame& frame);
  void LearnFromItems(const Frame& frame, PolyId result);
  void FinishOperation(const Frame& frame);
  void FinishConversion(const Frame& frame);
  PolyId Operation(TermId t, const std::vector<PolyId>& args, SetId* conditions);
  PolyId Factor(PolyId a, PolyId other);
  PolyId Product(PolyId a, PolyId b);
  PolyId Root(TermId t, PolyId radicand);
  PolyId Extremum(TermId t, std::vector<PolyId> args);
  PolyId Exponential(PolyId exponent);  // e^exponent
  PolyId Pow(PolyId base, PolyId exponent, SetId* conditions);
  PolyId OddOrEven(FpKind kind, PolyId arg);
  PolyId Clamp(PolyId value, bool sat, bool relu);
  PolyId Quantised(const FpAttr& attr, PolyId value);
  struct FunctionTraits {
    bool integer = false;  // its values are
    bool reported = true;  // as one that was not looked into
    const SymbolRange* range = nullptr;
  };
  PolyId Function(std::vector<uint32_t> code, const std::string& name, std::vector<PolyId> args, Signs signs, FunctionTraits traits);
  PolyId Function(std::vector<uint32_t> code, const std::string& name, std::vector<PolyId> args, Signs signs) {
    return Function(std::move(code), name, std::move(args), signs, FunctionTraits{});
  }
  PolyId Opaque(TermId t, uint32_t format, SetId* conditions);
  // The direction is one to an integer. `term`: what has this form.
  PolyId Rounded(Rounding rounding, PolyId a, TermId term);
  PolyId RoundedForm(Rounding rounding, PolyId a, bool reported);
  bool IsIntegral(TermId t);

  // B terms that the number of a B term is computed from; the rest of it is an atom.
  struct IntegerOperands {
    TermId terms[2] = {kNoTerm, kNoTerm};
    enum class Extremum : uint8_t { kNone, kSignedMin, kSignedMax, kUnsignedMin, kUnsignedMax } extremum = Extremum::kNone;
  };
  IntegerOperands OperandsOf(TermId t) const;
  // What the number is computed from has been normalised.
  const Integer& IntegerOf(TermId root);
  Integer ComputeInteger(TermId t);
  struct Slice {
    TermId of = kNoTerm;
    unsigned low = 0;
    uint64_t flipped = 0;  // of its own bits
  };
  Slice SliceOf(TermId extract) const;
  Integer Shifted(const Integer& of, unsigned low);
  Integer Flipped(const Integer& of, unsigned width, uint64_t mask);
  Integer IntegerAtom(TermId t);
  Integer RoundedInteger(TermId t);
  // The number itself, as a signed or unsigned one of this width.
  Integer Exact(const Integer& of, unsigned width, bool is_signed);
  PolyId Floor(PolyId a, const Rational* low, const Rational* high, int depth);
  PolyId FloorOtherwise(PolyId a, int depth);
  // A pattern whose sign and exponent are known.
  std::optional<Form> ValueOfPattern(FpFormat format, TermId bits);
  PolyId Select(TermId t, PolyId a, PolyId b, SetId* conditions);
  std::optional<PolyId> LiteralForm(TermId t, SetId* lifts);
  // A predicate literal: number * 2 + negated; 0 false, 1 true.
  uint32_t Predicate(TermId t, SetId* conditions, PolyId* difference);
  uint32_t PredicateNumber(std::vector<uint32_t> key);
  bool HoldsPartial(TermId t);
  AtomId InputAtom(TermId t);

  Shared& shared_;
  const TermStore& store_;
  Algebra& algebra_;
  const ConstantTable* constant_table_;
  const bool sums_as_atoms_;
  bool saw_liftable_ = false;
  bool saw_sum_atom_ = false;
  std::vector<Form> forms_;
  std::vector<uint32_t> owner_, visited_in_;  // who took a shared sum in, and during which gathering
  uint32_t gathering_ = 0;
  std::vector<Frame> frames_;
  std::vector<Item> items_;
  std::vector<std::pair<TermId, Rational>> sum_stack_;
  std::unordered_map<uint32_t, ConstantInfo> constants_;
  std::unordered_map<uint32_t, std::string> failures_;
  std::unordered_map<uint32_t, Integer> integers_;
  struct Infinite {
    int sign;
    SetId conditions, lifts;
  };
  std::unordered_map<uint32_t, Infinite> infinite_;
  int chosen_infinity_ = 0;  // of a selection that chose an infinite arm
  Accumulator sum_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_CANONICAL_H_
