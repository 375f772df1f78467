#include "symexec/term/term.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/check.h"
#include "symexec/term/fold.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

uint32_t Raw(TermId id) { return static_cast<uint32_t>(id); }

uint32_t HashNode(const TermNode& n) {
  auto words = std::bit_cast<std::array<uint64_t, 2>>(n);
  uint64_t h = words[0] * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 32) ^ words[1]) * 0xd6e8feb86659fd93ULL;
  return static_cast<uint32_t>(h >> 32) ^ static_cast<uint32_t>(h >> 7);
}

constexpr unsigned kApproxFlag = 4;

// attr of floating-point nodes: kind (or integer type, or whether a conversion is .satfinite) in bits 0-4, rounding in 5-8, flags above.
unsigned PackAttr(unsigned low, const FpAttr& attr) {
  unsigned flags = (attr.ftz ? 1u : 0) | (attr.sat ? 2u : 0) | (attr.approx ? kApproxFlag : 0) | (attr.full ? 8u : 0) |
                   (attr.nan ? 16u : 0) | (attr.xorsign ? 32u : 0) | (attr.relu ? 64u : 0);
  return low | (static_cast<unsigned>(attr.rounding) << 5) | (flags << 9);
}
static_assert(static_cast<unsigned>(ScalarType::kS64) < 32 && static_cast<unsigned>(FpKind::kRoundInt) < 32);
static_assert(static_cast<unsigned>(Rounding::kRpi) < 16 && static_cast<unsigned>(CompareOp::kNan) < 32);

bool HasFlags(const FpAttr& attr) {
  return attr.ftz || attr.sat || attr.approx || attr.full || attr.nan || attr.xorsign || attr.relu || attr.satfinite;
}

// Kinds whose result never depends on a rounding: the field is cleared so that equal meanings are equal nodes.
bool RoundingMatters(FpKind kind) { return kind == FpKind::kRoundInt || !NeverRounds(kind); }

unsigned FpArity(FpKind kind) {
  switch (kind) {
    case FpKind::kFma: return 3;
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kDiv:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kPow:
    case FpKind::kCopySign: return 2;
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kRcp:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kRoundInt: return 1;
  }
  RACER_UNREACHABLE(kind);
}

constexpr uint8_t kArity[] = {
#define RACER_TERM_KIND(name, spelling, arity, sort) arity,
#include "symexec/term/kinds.def"
};
constexpr bool kIsBits[] = {
#define B true
#define R false
#define RACER_TERM_KIND(name, spelling, arity, sort) sort,
#include "symexec/term/kinds.def"
#undef B
#undef R
};

}  // namespace

// clang-format off
std::string_view TermKindName(TermKind kind) {
  switch (kind) {
#define RACER_TERM_KIND(name, spelling, arity, sort) \
  case TermKind::k##name: return spelling;
#include "symexec/term/kinds.def"
  }
  RACER_UNREACHABLE(kind);
}

std::string_view TermRuleName(TermRule rule) {
  switch (rule) {
#define RACER_TERM_RULE(name, match, result) \
  case TermRule::k##name: return #name;
#include "symexec/term/rules.def"
  }
  RACER_UNREACHABLE(rule);
}
// clang-format on

TermStore::TermStore() : table_(1 << 10), rule_counts_(kTermRuleCount, 0) {
  nodes_.Append({}, 0, false, false, 0);  // kNoTerm
}

SymbolId TermStore::AddSymbol(Symbol symbol) {
  RACER_CHECK(symbols_.size() < 0xffff);
  symbols_.push_back(std::move(symbol));
  return SymbolId{static_cast<uint16_t>(symbols_.size() - 1)};
}

void TermStore::Grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    size_t i = slot.hash & mask;
    while (table_[i].id != 0) i = (i + 1) & mask;
    table_[i] = slot;
  }
}

TermId TermStore::Intern(const TermNode& node, unsigned depth) {
  uint32_t hash = HashNode(node);
  size_t mask = table_.size() - 1;
  size_t i = hash & mask;
  for (; table_[i].id != 0; i = (i + 1) & mask) {
    if (table_[i].hash == hash && nodes_.node(table_[i].id) == node) return TermId{table_[i].id};
  }
  bool undef = node.kind == TermKind::kUndef;
  bool closed = node.kind == TermKind::kBvConst || node.kind == TermKind::kFpConst;
  unsigned n = kArity[static_cast<size_t>(node.kind)];
  if (n > 0) {
    undef = nodes_.undef(node.a) || (n > 1 && nodes_.undef(node.b)) || (n > 2 && nodes_.undef(node.c));
    closed = nodes_.closed(node.a) && (n < 2 || nodes_.closed(node.b)) && (n < 3 || nodes_.closed(node.c));
    // Constants do not determine how a matrix instruction rounds their sum.
    if (node.kind == TermKind::kFpTernary && (node.attr >> 9 & kApproxFlag) != 0) closed = false;
  }
  const uint32_t id = nodes_.Append(node, origin_, undef, closed, depth);
  table_[i] = {hash, id};
  if (++interned_ * 3 > table_.size() * 2) Grow();
  return TermId{id};
}

TermId TermStore::Make(TermKind kind, unsigned width, TermId a, TermId b, TermId c, unsigned attr) {
  return Intern({kind, static_cast<uint8_t>(width), static_cast<uint16_t>(attr), Raw(a), Raw(b), Raw(c)});
}

// --- leaves

TermId TermStore::BvConst(unsigned width, uint64_t bits) {
  RACER_CHECK(width >= 1 && width <= 64);
  bits &= fold::Mask(width);
  return Intern({TermKind::kBvConst, static_cast<uint8_t>(width), 0, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32), 0});
}

TermId TermStore::BvInput(SymbolId symbol, uint32_t index) {
  ScalarType dtype = this->symbol(symbol).dtype;
  RACER_CHECK(!IsFloat(dtype) && BitWidth(dtype) >= 1 && BitWidth(dtype) <= 64);
  return Intern({TermKind::kBvInput, static_cast<uint8_t>(BitWidth(dtype)), 0, static_cast<uint32_t>(symbol), index, 0});
}

TermId TermStore::FpInput(SymbolId symbol, uint32_t index) {
  ScalarType dtype = this->symbol(symbol).dtype;
  RACER_CHECK(IsFloat(dtype) && PackedElement(dtype) == ScalarType::kNone);
  return Intern({TermKind::kFpInput, static_cast<uint8_t>(FormatOf(dtype)), 0, static_cast<uint32_t>(symbol), index, 0});
}

TermId TermStore::Undef(unsigned width, uint32_t cause) {
  RACER_CHECK(width >= 1 && width <= 64);
  return Intern({TermKind::kUndef, static_cast<uint8_t>(width), 0, cause, undef_serial_++, 0});
}

TermId TermStore::FpConst(FpFormat format, uint64_t bits) {
  bits &= fold::Mask(FormatWidth(format));
  return Intern({TermKind::kFpConst, static_cast<uint8_t>(format), 0, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32), 0});
}

TermId TermStore::FpReal(FpFormat format, const Rational& value) {
  size_t i = 0;
  while (i < reals_.size() && !(reals_[i] == value)) ++i;
  if (i == reals_.size()) reals_.push_back(value);
  return Intern({TermKind::kFpReal, static_cast<uint8_t>(format), 0, static_cast<uint32_t>(i), 0, 0});
}

// --- values

TermId TermStore::FpToBits(TermId fp) {
  RACER_CHECK(!IsBits(fp));
  const TermNode n = node(fp);
  if (n.kind == TermKind::kBitsToFp) return Fire(TermRule::kBitsOfValue, TermId{n.a});
  unsigned width = FormatWidth(static_cast<FpFormat>(n.width));
  if (n.kind == TermKind::kFpConst) return BvConst(width, const_bits(fp));
  return Make(TermKind::kFpToBits, width, fp);
}

TermId TermStore::BitsToFp(FpFormat format, TermId bits) {
  RACER_CHECK(IsBits(bits) && width(bits) == FormatWidth(format));
  const TermNode n = node(bits);
  if (n.kind == TermKind::kBvConst) return FpConst(format, const_bits(bits));
  if (n.kind == TermKind::kFpToBits && this->format(TermId{n.a}) == format) return Fire(TermRule::kValueOfBits, TermId{n.a});
  if (format == FpFormat::kF32 && n.kind == TermKind::kBvConcat) {
    const TermNode hi = node(TermId{n.a}), lo = node(TermId{n.b});
    if (lo.kind == TermKind::kBvConst && lo.width == 16 && lo.a == 0 && hi.kind == TermKind::kFpToBits &&
        this->format(TermId{hi.a}) == FpFormat::kBF16) {
      return Fire(TermRule::kWidenBF16, FpConvert(FpAttr{.format = FpFormat::kF32}, TermId{hi.a}));
    }
  }
  if (format == FpFormat::kBF16 && n.kind == TermKind::kBvExtract && n.attr == 16) {
    const TermNode base = node(TermId{n.a});
    if (base.kind == TermKind::kFpToBits && this->format(TermId{base.a}) == FpFormat::kF32) {
      return Fire(TermRule::kTruncateBF16, FpConvert(FpAttr{.format = FpFormat::kBF16, .rounding = Rounding::kRz}, TermId{base.a}));
    }
  }
  return Make(TermKind::kBitsToFp, static_cast<unsigned>(format), bits);
}

TermId TermStore::FpIte(TermId condition, TermId a, TermId b) {
  RACER_CHECK(IsBits(condition) && width(condition) == 1 && !IsBits(a) && !IsBits(b) && format(a) == format(b));
  if (IsConst(condition)) return Fire(TermRule::kFpIteConstant, const_bits(condition) != 0 ? a : b);
  if (a == b) return Fire(TermRule::kFpIteSame, a);
  if (kind(condition) == TermKind::kBvNot) return Fire(TermRule::kFpIteNot, FpIte(operand(condition, 0), b, a));
  if (kind(a) == TermKind::kFpIte && operand(a, 0) == condition) return Fire(TermRule::kFpIteNested, FpIte(condition, operand(a, 1), b));
  if (kind(b) == TermKind::kFpIte && operand(b, 0) == condition) return Fire(TermRule::kFpIteNested, FpIte(condition, a, operand(b, 2)));
  return Make(TermKind::kFpIte, node(a).width, condition, a, b);
}

TermId TermStore::Fp(FpKind kind, const FpAttr& attr, TermId a, TermId b, TermId c) {
  unsigned n = FpArity(kind);
  RACER_CHECK(!attr.satfinite);
  RACER_CHECK((b != kNoTerm) == (n > 1) && (c != kNoTerm) == (n > 2));
  RACER_CHECK(!IsBits(a) && (n < 2 || !IsBits(b)) && (n < 3 || !IsBits(c)));
  FpAttr flags = attr;
  if (!RoundingMatters(kind)) flags.rounding = Rounding::kRn;
  const TermNode na = node(a);
  unsigned width = static_cast<unsigned>(attr.format);
  bool plain = !HasFlags(attr) && na.width == width;
  switch (kind) {
    case FpKind::kNeg:
      if (!plain) break;
      if (na.kind == TermKind::kFpConst) {
        return Fire(TermRule::kFpConstantSign, FpConst(attr.format, const_bits(a) ^ (uint64_t{1} << (FormatWidth(attr.format) - 1))));
      }
      if (na.kind == TermKind::kFpUnary && na.attr == PackAttr(static_cast<unsigned>(FpKind::kNeg), flags)) {
        return Fire(TermRule::kFpNegNeg, TermId{na.a});
      }
      break;
    case FpKind::kAbs:
      if (!plain) break;
      if (na.kind == TermKind::kFpConst) {
        return Fire(TermRule::kFpConstantSign, FpConst(attr.format, const_bits(a) & (fold::Mask(FormatWidth(attr.format)) >> 1)));
      }
      if (na.kind == TermKind::kFpUnary && na.attr == PackAttr(static_cast<unsigned>(FpKind::kAbs), flags)) {
        return Fire(TermRule::kFpAbsSign, a);
      }
      if (na.kind == TermKind::kFpUnary && na.attr == PackAttr(static_cast<unsigned>(FpKind::kNeg), flags)) {
        return Fire(TermRule::kFpAbsSign, Fp(FpKind::kAbs, attr, TermId{na.a}));
      }
      break;
    case FpKind::kAdd:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kMin:
    case FpKind::kMax:
      if (Raw(b) < Raw(a)) {
        std::swap(a, b);
        Fire(TermRule::kFpCommute, a);
      }
      break;
    case FpKind::kSub:
    case FpKind::kDiv:
    case FpKind::kCopySign:
    case FpKind::kRcp:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow:
    case FpKind::kRoundInt: break;
  }
  if (kind == FpKind::kFma) {
    return Fma({TermKind::kFpTernary, static_cast<uint8_t>(width), static_cast<uint16_t>(PackAttr(static_cast<unsigned>(kind), flags)),
                Raw(a), Raw(b), Raw(c)});
  }
  TermKind node_kind = n == 1 ? TermKind::kFpUnary : n == 2 ? TermKind::kFpBinary : TermKind::kFpTernary;
  return Make(node_kind, width, a, b, c, PackAttr(static_cast<unsigned>(kind), flags));
}

// --- long sums

std::optional<unsigned> TermStore::StepsOfSum(TermId fma, const FpAttr& attr) const {
  const TermNode n = node(fma);
  const bool same = n.kind == TermKind::kFpTernary && n.width == static_cast<uint8_t>(attr.format) &&
                    n.attr == PackAttr(static_cast<unsigned>(FpKind::kFma), attr);
  if (!same || attr.sat || attr.relu || attr.approx || ContainsUndef(fma) || IsClosed(fma)) return std::nullopt;
  return nodes_.depth(Raw(fma));
}

TermId TermStore::Fma(const TermNode& n) {
  const TermNode addend = node(TermId{n.c});
  const bool continues = addend.kind == n.kind && addend.width == n.width && addend.attr == n.attr;
  const bool undef = ContainsUndef(TermId{n.a}) || ContainsUndef(TermId{n.b}) || ContainsUndef(TermId{n.c});
  const bool closed = IsClosed(TermId{n.a}) && IsClosed(TermId{n.b}) && IsClosed(TermId{n.c});
  // Clamps end a sum, and how a matrix instruction rounds is another matter.
  constexpr unsigned kNoSum = 2u | 64u | kApproxFlag;  // sat, relu, approx
  if (undef || closed || (static_cast<unsigned>(n.attr) >> 9 & kNoSum) != 0) return Intern(n);
  const unsigned depth = (continues ? nodes_.depth(n.c) : 0) + 1;
  if (depth < Chain::kLength) return Intern(n, depth);
  const uint64_t last = n.a | uint64_t{n.b} << 32;
  return Seal(n, TermId{n.c}, {&last, 1});
}

// The chain whose last steps, like n, are `factors` on top of `addend`.
TermId TermStore::Seal(const TermNode& n, TermId addend, std::span<const uint64_t> factors) {
  Chain chain{.kind = n.kind, .width = n.width, .attr = n.attr};
  size_t at = Chain::kLength - factors.size();
  std::copy(factors.begin(), factors.end(), chain.factors.begin() + static_cast<ptrdiff_t>(at));
  uint32_t base = Raw(addend);
  while (at > 0) {
    const TermNode step = nodes_.node(base);
    chain.factors[--at] = step.a | uint64_t{step.b} << 32;
    base = step.c;
  }
  chain.base = base;
  return TermId{nodes_.AppendChain(chain, origin_)};
}

TermId TermStore::FpChain(const FpAttr& attr, TermId addend, std::span<const uint64_t> factors) {
  const TermNode like{TermKind::kFpTernary,
                      static_cast<uint8_t>(attr.format),
                      static_cast<uint16_t>(PackAttr(static_cast<unsigned>(FpKind::kFma), attr)),
                      0,
                      0,
                      0};
  return Seal(like, addend, factors);
}

TermId TermStore::FpConvert(const FpAttr& attr, TermId a) {
  RACER_CHECK(!IsBits(a));
  // cvt.rmi.f32.f32 is a floor, not the identity: it is kRoundInt, never a conversion.
  RACER_CHECK(!RoundsToInteger(attr.rounding));
  FpAttr flags = attr;
  FpFormat from = format(a);
  bool widening = from == attr.format || WidensExactly(from, attr.format);
  if (widening) flags.rounding = Rounding::kRn;  // nothing to round
  if (widening && !HasFlags(attr)) {
    if (from == attr.format) return Fire(TermRule::kFpConvertSame, a);
    if (kind(a) == TermKind::kFpConst) {
      if (auto bits = WidenConstant(from, attr.format, const_bits(a))) {
        return Fire(TermRule::kFpConstantWiden, FpConst(attr.format, *bits));
      }
    }
  }
  if (kind(a) == TermKind::kFpConst && !attr.sat && !attr.relu && !attr.satfinite) {
    if (auto bits = ConvertOutOfRange(from, attr, const_bits(a))) {
      return Fire(TermRule::kFpConstantOutOfRange, FpConst(attr.format, *bits));
    }
  }
  return Make(TermKind::kFpConvert, static_cast<unsigned>(attr.format), a, kNoTerm, kNoTerm, PackAttr(flags.satfinite ? 1 : 0, flags));
}

TermId TermStore::IntToFp(ScalarType from, const FpAttr& attr, TermId a) {
  RACER_CHECK(IsBits(a) && width(a) == BitWidth(from) && !attr.satfinite && from <= ScalarType::kS64);
  return Make(TermKind::kIntToFp, static_cast<unsigned>(attr.format), a, kNoTerm, kNoTerm, PackAttr(static_cast<unsigned>(from), attr));
}

TermId TermStore::FpCompare(CompareOp op, bool ftz, TermId a, TermId b) {
  RACER_CHECK(!IsBits(a) && !IsBits(b) && format(a) == format(b));
  bool flip = false, symmetric = false;
  switch (op) {
    case CompareOp::kGt:
      flip = true;
      op = CompareOp::kLt;
      break;
    case CompareOp::kGe:
      flip = true;
      op = CompareOp::kLe;
      break;
    case CompareOp::kGtu:
      flip = true;
      op = CompareOp::kLtu;
      break;
    case CompareOp::kGeu:
      flip = true;
      op = CompareOp::kLeu;
      break;
    case CompareOp::kEq:
    case CompareOp::kNe:
    case CompareOp::kEqu:
    case CompareOp::kNeu:
    case CompareOp::kNum:
    case CompareOp::kNan: symmetric = true; break;
    case CompareOp::kLt:
    case CompareOp::kLe:
    case CompareOp::kLtu:
    case CompareOp::kLeu: break;
    case CompareOp::kNone:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs: RACER_UNREACHABLE(op);
  }
  if (flip) Fire(TermRule::kFpCompareFlip, a);
  if (flip || (symmetric && Raw(b) < Raw(a))) std::swap(a, b);
  return Make(TermKind::kFpCompare, 1, a, b, kNoTerm, static_cast<unsigned>(op) | (ftz ? 32u : 0));
}

TermId TermStore::FpToInt(ScalarType to, Rounding rounding, bool ftz, bool sat, TermId a) {
  RACER_CHECK(!IsBits(a) && !IsFloat(to) && to <= ScalarType::kS64);
  unsigned attr = static_cast<unsigned>(to) | (static_cast<unsigned>(rounding) << 5) | (ftz ? 512u : 0) | (sat ? 1024u : 0);
  return Make(TermKind::kFpToInt, BitWidth(to), a, kNoTerm, kNoTerm, attr);
}

// --- reading

bool TermStore::IsBits(TermId id) const { return kIsBits[static_cast<size_t>(kind(id))]; }
unsigned TermStore::arity(TermId id) const { return kArity[static_cast<size_t>(kind(id))]; }

uint64_t TermStore::const_bits(TermId id) const {
  const TermNode& n = node(id);
  RACER_CHECK(n.kind == TermKind::kBvConst || n.kind == TermKind::kFpConst);
  return (static_cast<uint64_t>(n.b) << 32) | n.a;
}

SymbolId TermStore::input_symbol(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kBvInput || kind(id) == TermKind::kFpInput);
  return SymbolId{static_cast<uint16_t>(node(id).a)};
}

uint32_t TermStore::input_index(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kBvInput || kind(id) == TermKind::kFpInput);
  return node(id).b;
}

uint32_t TermStore::undef_cause(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kUndef);
  return node(id).a;
}

unsigned TermStore::extract_lo(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kBvExtract);
  return node(id).attr;
}

const Rational& TermStore::real_value(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpReal);
  return reals_[node(id).a];
}

FpKind TermStore::fp_kind(TermId id) const {
  TermKind k = kind(id);
  RACER_CHECK(k == TermKind::kFpUnary || k == TermKind::kFpBinary || k == TermKind::kFpTernary);
  return static_cast<FpKind>(node(id).attr & 31);
}

FpAttr TermStore::fp_attr(TermId id) const {
  const TermNode& n = node(id);
  RACER_CHECK(n.kind == TermKind::kFpUnary || n.kind == TermKind::kFpBinary || n.kind == TermKind::kFpTernary ||
              n.kind == TermKind::kFpConvert || n.kind == TermKind::kIntToFp);
  unsigned flags = n.attr >> 9u;
  return {.format = static_cast<FpFormat>(n.width),
          .rounding = static_cast<Rounding>((n.attr >> 5) & 15),
          .ftz = (flags & 1) != 0,
          .sat = (flags & 2) != 0,
          .approx = (flags & 4) != 0,
          .full = (flags & 8) != 0,
          .nan = (flags & 16) != 0,
          .xorsign = (flags & 32) != 0,
          .relu = (flags & 64) != 0,
          .satfinite = n.kind == TermKind::kFpConvert && (n.attr & 1) != 0};
}

CompareOp TermStore::compare_op(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpCompare);
  return static_cast<CompareOp>(node(id).attr & 31);
}

ScalarType TermStore::int_type(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpToInt || kind(id) == TermKind::kIntToFp);
  return static_cast<ScalarType>(node(id).attr & 31);
}

Rounding TermStore::int_rounding(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpToInt);
  return static_cast<Rounding>((node(id).attr >> 5) & 15);
}

bool TermStore::fp_to_int_sat(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpToInt);
  return (node(id).attr & 1024) != 0;
}

bool TermStore::ftz(TermId id) const {
  RACER_CHECK(kind(id) == TermKind::kFpCompare || kind(id) == TermKind::kFpToInt);
  return (node(id).attr & (kind(id) == TermKind::kFpCompare ? 32 : 512)) != 0;
}

size_t TermStore::bytes() const { return nodes_.bytes() + table_.capacity() * sizeof(Slot); }

}  // namespace racer
