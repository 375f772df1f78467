// Hash-consed exact terms: the expression graph that symbolic execution builds.
//
// Two sorts. B: a bit pattern of 1 to 64 bits. R: a floating-point value together with the
// format, rounding and flags of the operation that made it. The two meet only in explicit nodes:
// FpToBits (the pattern of a value) and BitsToFp (the value of a pattern). Equal nodes have
// equal ids. Constructors fold integer constants exactly and move packed slices without inventing
// terms; they never fold floating point (0 * x stays: x may be infinite or undefined).
#ifndef RACER_SYMEXEC_TERM_TERM_H_
#define RACER_SYMEXEC_TERM_TERM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "ptx_frontend/isa/fp.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/term/nodes.h"

namespace racer {

enum class TermId : uint32_t {};
constexpr TermId kNoTerm{0};  // never a term

enum class TermKind : uint8_t {
#define RACER_TERM_KIND(name, spelling, arity, sort) k##name,
#include "symexec/term/kinds.def"
};
std::string_view TermKindName(TermKind kind);

// The simplifications of the constructors, from rules.def.
enum class TermRule : uint8_t {
#define RACER_TERM_RULE(name, match, result) k##name,
#include "symexec/term/rules.def"
};
constexpr size_t kTermRuleCount = 0
#define RACER_TERM_RULE(name, match, result) +1
#include "symexec/term/rules.def"
    ;
std::string_view TermRuleName(TermRule rule);

// A family of input cells: one tensor or scalar of the contract, shared by both kernels.
enum class SymbolId : uint16_t {};
struct Symbol {
  std::string name;             // "x"
  ScalarType dtype;             // element type
  std::vector<uint64_t> shape;  // {} for a scalar; used to print x[1,3]
};

class TermStore {
 public:
  TermStore();
  TermStore(const TermStore&) = delete;
  TermStore& operator=(const TermStore&) = delete;

  SymbolId AddSymbol(Symbol symbol);
  const Symbol& symbol(SymbolId id) const { return symbols_[static_cast<size_t>(id)]; }
  size_t symbol_count() const { return symbols_.size(); }

  // --- leaves
  TermId BvConst(unsigned width, uint64_t bits);
  TermId BvInput(SymbolId symbol, uint32_t index);  // integer dtype; width of the dtype
  TermId FpInput(SymbolId symbol, uint32_t index);  // floating dtype
  // A fresh unspecified pattern. `cause` indexes the machine's table of uninitialised reads.
  TermId Undef(unsigned width, uint32_t cause);
  TermId FpConst(FpFormat format, uint64_t bits);
  // The real number `value` held in `format` (contract scalars such as 1/H); over the reals it is exact.
  TermId FpReal(FpFormat format, const Rational& value);

  // --- patterns (operands are B of width w unless stated)
  TermId Bv(TermKind kind, unsigned w, TermId a, TermId b);  // Add..AShr, Eq/Ult/Slt (w: width of operands)
  TermId BvNot(unsigned w, TermId a);
  TermId BvIte(unsigned w, TermId condition, TermId a, TermId b);
  TermId Extract(unsigned w, TermId a, unsigned lo);
  TermId Concat(TermId hi, TermId lo);  // total width <= 64
  TermId ZExt(unsigned to, TermId a);
  TermId SExt(unsigned to, TermId a);
  TermId FpToBits(TermId fp);                                    // FpToBits(BitsToFp(f, x)) = x
  TermId FpCompare(CompareOp op, bool ftz, TermId a, TermId b);  // a, b: R of one format; width 1
  TermId FpToInt(ScalarType to, Rounding rounding, bool ftz, bool sat, TermId a);

  // --- values
  TermId BitsToFp(FpFormat format, TermId bits);  // of a FpToBits of the same format: its operand; of a constant: FpConst
  TermId FpIte(TermId condition, TermId a, TermId b);
  TermId Fp(FpKind kind, const FpAttr& attr, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);
  // Long sums of products take little room: 64 fused multiply-adds of one kind, each the addend of the next, lie in one Chain. How many
  // steps of the sum that ends in `fma`, a fused multiply-add like those with `attr`, lie behind its last Chain; nullopt for other terms.
  std::optional<unsigned> StepsOfSum(TermId fma, const FpAttr& attr) const;
  // Whether the term is a step of a Chain.
  bool IsChain(TermId id) const { return nodes_.IsChain(static_cast<uint32_t>(id)); }
  // The sum that continues `addend` by a[k] * b[k] (factors a | b << 32, a <= b as Fp has them). Together with the steps of `addend`,
  // Chain::kLength; nothing undefined among them, and `addend` is not closed.
  TermId FpChain(const FpAttr& attr, TermId addend, std::span<const uint64_t> factors);
  TermId FpConvert(const FpAttr& attr, TermId a);  // from the format of a to attr.format
  TermId IntToFp(ScalarType from, const FpAttr& attr, TermId a);

  // --- reading
  TermNode node(TermId id) const { return nodes_.node(static_cast<uint32_t>(id)); }
  TermKind kind(TermId id) const { return node(id).kind; }
  bool IsBits(TermId id) const;                                                       // sort B
  unsigned width(TermId id) const { return node(id).width; }                          // B
  FpFormat format(TermId id) const { return static_cast<FpFormat>(node(id).width); }  // R
  unsigned arity(TermId id) const;
  TermId operand(TermId id, unsigned i) const { return TermId{i == 0 ? node(id).a : i == 1 ? node(id).b : node(id).c}; }
  uint64_t const_bits(TermId id) const;  // BvConst, FpConst
  bool IsConst(TermId id) const { return kind(id) == TermKind::kBvConst; }
  SymbolId input_symbol(TermId id) const;  // BvInput, FpInput
  uint32_t input_index(TermId id) const;
  uint32_t undef_cause(TermId id) const;
  unsigned extract_lo(TermId id) const;
  const Rational& real_value(TermId id) const;  // FpReal
  FpKind fp_kind(TermId id) const;              // FpUnary, FpBinary, FpTernary
  FpAttr fp_attr(TermId id) const;              // those, FpConvert, IntToFp
  CompareOp compare_op(TermId id) const;        // FpCompare
  ScalarType int_type(TermId id) const;         // FpToInt: to; IntToFp: from
  Rounding int_rounding(TermId id) const;       // FpToInt
  bool fp_to_int_sat(TermId id) const;
  bool ftz(TermId id) const;                                                               // FpCompare, FpToInt
  bool ContainsUndef(TermId id) const { return nodes_.undef(static_cast<uint32_t>(id)); }  // an Undef at or below id; constant time

  // Nothing but constants below id, and their bits decide its bits: no input, no FpReal, no Undef, no sum of a matrix
  // instruction. Constant time.
  bool IsClosed(TermId id) const { return nodes_.closed(static_cast<uint32_t>(id)); }

  // The instruction during which a term was first made (an id of the machine's choosing), for reports.
  void SetOrigin(uint32_t origin) { origin_ = origin; }
  uint32_t origin(TermId id) const { return nodes_.origin(static_cast<uint32_t>(id)); }

  size_t size() const { return nodes_.size(); }
  size_t bytes() const;  // memory held by nodes, origins and the table

  // One line, cut with "..." after about max_nodes operators; inputs print as x[1,3].
  std::string ToString(TermId id, size_t max_nodes = 40) const;
  std::string InputName(SymbolId symbol, uint32_t index) const;

  // How often the constructors used a simplification so far.
  uint64_t rule_count(TermRule rule) const { return rule_counts_[static_cast<size_t>(rule)]; }

 private:
  struct Slot {
    uint32_t hash, id;  // id 0: free
  };
  TermId Intern(const TermNode& node, unsigned depth = 0);
  TermId Fma(const TermNode& node);
  TermId Seal(const TermNode& like, TermId addend, std::span<const uint64_t> factors);
  TermId Make(TermKind kind, unsigned width, TermId a, TermId b = kNoTerm, TermId c = kNoTerm, unsigned attr = 0);
  void Grow();
  TermId Fire(TermRule rule, TermId result) {
    ++rule_counts_[static_cast<size_t>(rule)];
    return result;
  }
  bool Defined(TermId id) const { return !ContainsUndef(id); }
  // The pattern's pieces, low end first: a Concat is right-nested and its high operand is never a Concat.
  unsigned Pieces(TermId id, TermId pieces[64]) const;
  bool Disjoint(unsigned w, TermId a, TermId b) const;
  TermId Add(unsigned w, TermId a, TermId b);
  unsigned DefinedLow(TermId id) const;  // bits below the lowest undefined one
  unsigned TrailingZeros(TermId id) const;
  TermId DefinedPart(unsigned w, TermId a, unsigned defined);
  TermId MakeFromLow(TermKind kind, unsigned w, TermId a, TermId b);
  bool IsExtreme(TermKind less, unsigned w, TermId id, bool least) const;
  TermId Divide(TermKind kind, unsigned w, TermId a, TermId b);
  TermId Logic(TermKind kind, unsigned w, TermId a, TermId b);
  TermId LogicConstant(TermKind kind, unsigned w, TermId a, uint64_t mask);
  TermId LogicSlices(TermKind kind, unsigned w, TermId a, TermId b);  // kNoTerm: not resolved by slices
  TermId Shift(TermKind kind, unsigned w, TermId a, TermId b);
  TermId Compare(TermKind kind, unsigned w, TermId a, TermId b);
  TermId SignOp(FpKind kind, TermId fp);

  NodeTable nodes_;
  size_t interned_ = 0;
  std::vector<Slot> table_;  // open addressing, a power of two long, at most two thirds full
  std::vector<Symbol> symbols_;
  std::vector<Rational> reals_;
  std::vector<uint64_t> rule_counts_;
  uint32_t origin_ = 0;
  uint32_t undef_serial_ = 0;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_TERM_H_
