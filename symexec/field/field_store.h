// Values of the Field domain: elements of prime fields at one random point, and what is made of their patterns.
//
// A value is named by a TermId, as in a TermStore, so that the machine moves both alike; but nothing is shared between equal values
// and no term is built: a float is its residues and a bound on its degree. Names are given anew where the machine asks for a collection.
// What is not modelled makes the store leave the domain: `left` says why, and nothing that it gives from then on means anything.
#ifndef RACER_SYMEXEC_FIELD_FIELD_STORE_H_
#define RACER_SYMEXEC_FIELD_FIELD_STORE_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/field/key_map.h"
#include "symexec/field/keyed.h"
#include "symexec/field/modular.h"
#include "symexec/field/value_sets.h"
#include "symexec/normal/constant_table.h"
#include "symexec/term/term.h"

namespace racer {

class FieldStore {
 public:
  struct Options {
    uint64_t seed = 0;
    bool exponents = true;                     // some instruction computes a power of two: residues of exponents are kept, too
    const ConstantTable* constants = nullptr;  // literals that stand for a named real; outlives the store
  };
  // What is compared of a value: residues modulo two primes, and the degree that bounds how often unlike functions have equal ones.
  struct Residues {
    field::ValueKey value{};
    uint64_t degree = 0;
    bool known = false;  // false: the store has left the domain over it
  };

  enum class Kind : uint8_t {
    kFloat,      // format; words, degrees; times the root of number `root`
    kBits,       // words[0]
    kPair,       // n: the low part, of `low` bits; d: the high part
    kSlice,      // `low`: the lowest bit taken of n
    kPredicate,  // as a number, 0 or 1; root: a value that is positive (low = 1: negative) where it holds, if it is such a comparison
    kSelect,     // n: a predicate; d where it holds, root where it does not; low: how deep selections are nested
    kInteger,    // low: signed; its value in words
    kUndef,      // n: cause
    kMoved,      // n: the name it has been given; during a collection
  };
  struct Node {
    uint64_t words[field::kWords];
    uint32_t n, d;  // of a value: bounds on the degrees of numerator and denominator
    uint32_t root;
    Kind kind;
    uint8_t format;  // FpFormat of a kFloat, else the width of the pattern
    uint16_t low;
  };
  static_assert(sizeof(Node) == 48);

  explicit FieldStore(const Options& options);
  FieldStore(const FieldStore&) = delete;
  FieldStore& operator=(const FieldStore&) = delete;

  // Symbols are numbered as in a TermStore. At most 2^31 cells together: false, and none is added.
  bool AddSymbol(ScalarType dtype, uint64_t cells);

  // Why the domain has been left; empty: it has not been.
  const std::string& left() const { return left_; }
  bool has_left() const { return !left_.empty(); }

  // --- patterns: as of a TermStore
  TermId BvConst(unsigned width, uint64_t bits);
  TermId Input(SymbolId symbol, uint32_t cell);
  TermId Real(FpFormat format, const Rational& value);
  TermId Undef(unsigned width, uint32_t cause);
  TermId Bv(TermKind kind, unsigned w, TermId a, TermId b);
  TermId BvNot(unsigned w, TermId a);
  TermId BvIte(unsigned w, TermId condition, TermId a, TermId b);
  TermId Extract(unsigned w, TermId a, unsigned lo);
  TermId Concat(TermId hi, TermId lo);
  TermId ZExt(unsigned to, TermId a);
  TermId SExt(unsigned to, TermId a);
  unsigned width(TermId id) const;
  bool IsConst(TermId id) const { return !IsInput(id) && At(id).kind == Kind::kBits; }
  uint64_t const_bits(TermId id) const { return At(id).words[0]; }
  bool ContainsUndef(TermId id) const;
  bool IsClosed(TermId) const { return false; }  // nothing is known of the rounding of any value

  // --- values of floating-point patterns
  TermId Fp(FpKind kind, const FpAttr& attr, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);
  TermId FpCompare(CompareOp op, FpFormat format, bool ftz, TermId a, TermId b);
  TermId FpConvert(FpFormat from, const FpAttr& attr, TermId a);
  TermId FpToInt(FpFormat from, ScalarType to, Rounding rounding, bool ftz, TermId a);
  TermId IntToFp(ScalarType from, const FpAttr& attr, TermId a);
  // a * b + c of values whose patterns have these formats, in `format`.
  TermId MultiplyAdd(FpFormat format, FpFormat a_format, TermId a, FpFormat b_format, TermId b, FpFormat c_format, TermId c);
  TermId Scaled(FpFormat format, FpFormat a_format, TermId a, const Rational& scale);

  // The residues of a cell: of a float by its value; of an integer by its number; of constant bits that are no number by the pattern.
  Residues ResiduesOf(TermId id, ScalarType dtype);
  // Equal for equal values of a width, and for others by chance alone; 0 for what is undefined.
  uint64_t ValueHash(TermId id) const {
    if (!IsInput(id) && At(id).kind == Kind::kFloat && At(id).root == 0) return QuickHash(At(id));
    return HashOfAny(id);
  }
  // How many values were keyed by their arguments, and the largest degree among those arguments.
  uint64_t keyed() const { return keyed_; }
  uint64_t keyed_degree() const { return keyed_degree_; }
  // Some literal was taken for the real that it rounds.
  bool has_lifted() const { return lifted_; }

  // --- the short way for lanes of a warp: null or kNoTerm where only the functions above know what to do
  // The number that a pattern holds in a format; `scratch` is where it may be put.
  const Node* Plain(FpFormat format, TermId id, Node* scratch) const {
    if (IsInput(id)) *scratch = InputNode(id);
    const Node* node = IsInput(id) ? scratch : &At(id);
    return node->kind == Kind::kFloat && node->format == static_cast<uint8_t>(format) ? node : nullptr;
  }
  const Node* Constant(FpFormat format, uint64_t bits);  // null: no number
  template <FpKind kKind>
  TermId Step(FpFormat format, const Node* a, const Node* b, const Node* c);
  TermId Renamed(FpFormat format, const Node& value) { return Float(format, value); }

  // --- memory
  size_t size() const { return count_; }
  size_t bytes() const;
  void SetOrigin(uint32_t) {}
  // More values have been made than a collection would be worth waiting for.
  bool WantsCollection() const { return count_ >= collect_at_; }
  // Keeps what Keep is called for between the two: Keep gives its new name.
  void BeginCollection();
  TermId Keep(TermId id);
  void EndCollection();

 private:
  struct Root {
    Node radicand{}, root{};
  };
  static constexpr uint32_t kInputBit = uint32_t{1} << 31;
  static constexpr uint32_t kMaxDegree = uint32_t{1} << 30;

  static bool IsInput(TermId id) { return (static_cast<uint32_t>(id) & kInputBit) != 0; }
  static uint32_t Saturated(uint64_t degree) { return static_cast<uint32_t>(std::min<uint64_t>(degree, kMaxDegree)); }
  static bool IsZero(const Node& a) { return (a.words[0] | a.words[1]) == 0; }
  const Node& At(TermId id) const { return nodes_.get()[static_cast<uint32_t>(id)]; }
  TermId Child(uint32_t id) const { return TermId{id}; }
  TermId Add(const Node& node) {
    if (count_ == capacity_) [[unlikely]]
      Grow();
    nodes_.get()[count_] = node;
    return TermId{count_++};
  }
  void Grow();
  TermId Leave(const std::string& reason);
  TermId Float(FpFormat format, Node value);
  TermId Integer(unsigned width, bool is_signed, Node value);

  static uint64_t QuickHash(const Node& plain) {
    return (plain.words[0] * 0x9e3779b97f4a7c15ULL ^ plain.words[1] * 0xd1342543de82ef95ULL ^ plain.format) | 1;
  }
  uint64_t HashOfAny(TermId id) const;
  // --- reading
  void ReadInput(uint32_t index, Node* to) const;
  Node InputNode(TermId id) const;
  // The value of a pattern in a format; false: the domain has been left.
  bool Value(FpFormat format, TermId id, Node* to);
  bool ValueOfPair(FpFormat format, const Node& pair, Node* to);
  bool Predicate(TermId id, Node* to);
  bool IntegerValue(TermId id, bool is_signed, Node* to);

  // Tags of opaque functions. Those of FpKind are 16 + kind, 64 + rounding for kinds that round to an integer.
  enum class Opaque : uint64_t { kExponent = 1, kMaximum, kPositive, kZero, kRoot, kLog2E, kRootPi, kQuantised = 1 << 16 };

  // --- arithmetic on values
  Node Number(const Rational& value) const;
  const Node& One() const { return one_; }
  Node Zero() const;
  Node Sum(const Node& a, const Node& b);
  Node Difference(const Node& a, const Node& b);
  Node Product(const Node& a, const Node& b);
  Node Negated(Node a) const;
  bool Inverse(const Node& a, Node* to);
  Node Collapsed(const Node& a) const;  // without a root
  Node Keyed(uint64_t tag, const Node& a, const Node* b = nullptr);
  Node Exponential(const Node& a);
  Node Irrational(Opaque which);
  Node Power(Node base, int exponent);
  bool SquareRoot(const Node& a, bool reciprocal, Node* to);
  Node RootOf(const Rational& radicand);
  uint32_t RootNumber(const Node& radicand);
  Node Maximum(const Node& a, const Node& b);
  Node Magnitude(const Node& a);
  Node Minimum(const Node& a, const Node& b) { return Negated(Maximum(Negated(a), Negated(b))); }
  uint32_t SetOf(const Node& a);
  Node Select(const Node& condition, const Node& a, const Node& b);
  bool Apply(FpKind kind, const FpAttr& attr, const Node& a, const Node* b, const Node* c, Node* to);
  Node Clamped(const FpAttr& attr, Node value);
  // What an infinity or NaN among the operands makes of an operation; nullopt: it is left to arithmetic on numbers.
  std::optional<TermId> NonFinite(FpKind kind, const FpAttr& attr, TermId a, TermId b, TermId c);
  TermId Holds(const Node& difference, bool negated);  // the predicate difference > 0, or its negation
  TermId IsEqual(const Node& difference, bool negated);
  TermId MakePredicate(Node value);
  unsigned SelectDepth(TermId id) const;
  TermId OfConstants(TermKind kind, unsigned w, uint64_t a, uint64_t b);
  TermId Logic(TermKind kind, unsigned w, TermId a, TermId b);
  TermId LogicPieces(TermKind kind, unsigned w, TermId a, TermId b);
  std::optional<TermId> FlippedSigns(unsigned w, TermId a, uint64_t mask);
  bool HasConstantArms(TermId id) const;

  struct Free {
    void operator()(Node* nodes) const { std::free(nodes); }
  };
  Options options_;
  uint64_t words_[4];  // keys of the words
  std::string left_;
  std::unique_ptr<Node, Free> nodes_, old_;
  uint32_t count_ = 0, capacity_ = 0, old_capacity_ = 0;  // old_ is kept for the next collection
  Node one_{};
  uint32_t collect_at_;
  struct InputSymbol {
    uint32_t first;
    Kind kind;
    uint8_t format, width;
    uint16_t low;
  };
  const InputSymbol& SymbolOf(uint32_t index) const {
    size_t symbol = symbols_.size() - 1;
    while (symbols_[symbol].first > index) --symbol;
    return symbols_[symbol];
  }
  std::vector<InputSymbol> symbols_;
  uint32_t cells_ = 0;
  std::unordered_map<uint64_t, Node> constants_[11];   // by format and bits
  std::vector<std::pair<uint64_t, TermId>> patterns_;  // recent constants: width and bits, name
  std::vector<Root> roots_;                            // [0] is none
  field::KeyMap root_numbers_;
  field::ValueSets sets_;
  field::KeyMap set_of_;  // of the maxima
  struct Inverted {
    uint64_t words[field::kWords], inverse[field::kWords];
  };
  std::vector<Inverted> inverses_;  // recent ones
  uint64_t keyed_ = 0, keyed_degree_ = 0;
  bool lifted_ = false;
};

template <FpKind kKind>
inline TermId FieldStore::Step(FpFormat format, const Node* a, const Node* b, const Node* c) {
  static_assert(kKind == FpKind::kAdd || kKind == FpKind::kSub || kKind == FpKind::kMul || kKind == FpKind::kFma || kKind == FpKind::kNeg);
  using namespace field;
  constexpr bool kMultiplies = kKind == FpKind::kMul || kKind == FpKind::kFma;
  uint64_t n = a->n, d = a->d;
  uint32_t root = a->root;
  if constexpr (kMultiplies) {
    if (a->root != 0 && b->root != 0) return kNoTerm;
    root |= b->root;
    n += b->n;
    d += b->d;
  }
  if constexpr (kKind == FpKind::kAdd || kKind == FpKind::kSub || kKind == FpKind::kFma) {
    const Node* addend = kKind == FpKind::kFma ? c : b;
    if (root != addend->root) return kNoTerm;
    n = std::max(n + addend->d, uint64_t{addend->n} + d);
    d += addend->d;
  }
  if (n >= kMaxDegree || d >= kMaxDegree) return kNoTerm;
  const auto word = [&]<class M>(M, unsigned i) {
    const uint64_t x = a->words[i];
    if constexpr (kKind == FpKind::kAdd) return M::Add(x, b->words[i]);
    if constexpr (kKind == FpKind::kSub) return M::Sub(x, b->words[i]);
    if constexpr (kKind == FpKind::kMul) return M::Mul(x, b->words[i]);
    if constexpr (kKind == FpKind::kFma) return M::Add(M::Mul(x, b->words[i]), c->words[i]);
    if constexpr (kKind == FpKind::kNeg) return M::Neg(x);
  };
  Node result;
  result.words[0] = word(P0(), 0);
  result.words[1] = word(P1(), 1);
  result.words[2] = result.words[3] = 0;
  if (options_.exponents) {
    result.words[2] = word(Q0(), 2);
    result.words[3] = word(Q1(), 3);
  }
  result.n = static_cast<uint32_t>(n);
  result.d = static_cast<uint32_t>(d);
  result.root = root;
  result.kind = Kind::kFloat;
  result.format = static_cast<uint8_t>(format);
  result.low = 0;
  return Add(result);
}

// Distinct cells scramble distinct numbers, so no two words of one kind are the same but by chance.
inline void FieldStore::ReadInput(uint32_t index, Node* to) const {
  constexpr uint64_t kBits61 = (uint64_t{1} << 61) - 1, kBits60 = kBits61 >> 1;
  const uint64_t cell = field::Scramble(words_[0] + index * 0x9e3779b97f4a7c15ULL);
  const auto below = [](uint64_t x, uint64_t prime) { return x >= prime ? x - prime : x; };
  to->words[0] = below(field::Scramble(cell ^ words_[1]) & kBits61, field::P0::prime);
  to->words[1] = below(field::Scramble(cell ^ words_[2]) & kBits61, field::P1::prime);
  to->words[2] = to->words[3] = 0;
  if (options_.exponents) {
    to->words[2] = below(field::Scramble(cell ^ words_[3]) & kBits60, field::Q0::prime);
    to->words[3] = below(field::Scramble(cell + words_[3]) & kBits60, field::Q1::prime);
  }
  to->n = 1;
  to->d = 0;
  to->root = 0;
}

inline FieldStore::Node FieldStore::InputNode(TermId id) const {
  const uint32_t index = static_cast<uint32_t>(id) & ~kInputBit;
  const InputSymbol& symbol = SymbolOf(index);
  Node node;
  ReadInput(index, &node);
  node.kind = symbol.kind;
  node.format = symbol.format;
  node.low = symbol.low;
  return node;
}

inline unsigned FieldStore::width(TermId id) const {
  if (IsInput(id)) return SymbolOf(static_cast<uint32_t>(id) & ~kInputBit).width;
  const Node& node = At(id);
  return node.kind == Kind::kFloat ? FormatWidth(static_cast<FpFormat>(node.format)) : node.kind == Kind::kPredicate ? 1 : node.format;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_FIELD_FIELD_STORE_H_
