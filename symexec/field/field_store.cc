// Names, patterns and memory. Values: field_values.cc.
#include "symexec/field/field_store.h"

#include <sys/mman.h>

#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/field/keyed.h"

namespace racer {

namespace {
constexpr uint64_t Mask(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
constexpr uint32_t kFirstCollection = uint32_t{1} << 17;
constexpr size_t kRecent = 64;
}  // namespace

FieldStore::FieldStore(const Options& options)
    : options_(options),
      collect_at_(kFirstCollection),
      patterns_(kRecent, {~uint64_t{0}, kNoTerm}),
      roots_(1),
      sets_(field::Keyed(options.seed, 1, 0, 100)),
      inverses_(kRecent) {
  for (unsigned i = 0; i < field::kWords; ++i) words_[i] = field::Keyed(options.seed, 2, i, 101);
  one_ = Number(Rational(1));
  Add({});  // no name
}

bool FieldStore::AddSymbol(ScalarType dtype, uint64_t cells) {
  if (cells >= kInputBit - cells_) return false;
  const bool floating = IsFloat(dtype);
  const unsigned width = BitWidth(dtype);
  symbols_.push_back({.first = cells_,
                      .kind = floating ? Kind::kFloat : Kind::kInteger,
                      .format = static_cast<uint8_t>(floating ? static_cast<unsigned>(FormatOf(dtype)) : width),
                      .width = static_cast<uint8_t>(width),
                      .low = static_cast<uint16_t>(!floating && IsSigned(dtype) ? 1 : 0)});
  cells_ += static_cast<uint32_t>(cells);
  return true;
}

TermId FieldStore::Leave(const std::string& reason) {
  if (left_.empty()) left_ = reason;
  return BvConst(64, 0);
}

void FieldStore::Grow() {
  const uint32_t wanted = capacity_ == 0 ? 1024 : capacity_ * 2;
  RACER_CHECK(wanted < kInputBit);
  // In large pages: every value is written once, and a page that is touched for the first time costs as much as many of them.
  constexpr size_t kLargePage = size_t{1} << 21;
  const size_t bytes = size_t{wanted} * sizeof(Node);
  Node* grown =
      static_cast<Node*>(bytes < kLargePage ? std::malloc(bytes) : std::aligned_alloc(kLargePage, (bytes / kLargePage + 1) * kLargePage));
  RACER_CHECK(grown != nullptr);
  if (bytes >= kLargePage) madvise(grown, bytes, MADV_HUGEPAGE);  // a wish
  if (count_ != 0) std::memcpy(grown, nodes_.get(), size_t{count_} * sizeof(Node));
  nodes_.reset(grown);
  capacity_ = wanted;
}

size_t FieldStore::bytes() const {
  // What realloc reserved and nobody touched is not counted.
  const size_t hashed = constants_->size() * 96 + root_numbers_.bytes() + set_of_.bytes();
  return (size_t{count_} + old_capacity_) * sizeof(Node) + roots_.capacity() * sizeof(Root) + sets_.bytes() + hashed;
}

void FieldStore::BeginCollection() {
  std::swap(old_, nodes_);
  std::swap(old_capacity_, capacity_);
  count_ = 0;
  std::fill(patterns_.begin(), patterns_.end(), std::pair{~uint64_t{0}, kNoTerm});
  Add({});
}

TermId FieldStore::Keep(TermId id) {
  if (id == kNoTerm || IsInput(id)) return id;
  Node& old = old_.get()[static_cast<uint32_t>(id)];
  if (old.kind == Kind::kMoved) return TermId{old.n};
  Node node = old;
  // As deep as patterns are nested.
  const auto keep = [this](uint32_t child) { return static_cast<uint32_t>(Keep(TermId{child})); };
  switch (node.kind) {
    case Kind::kPair:
      node.n = keep(node.n);
      node.d = keep(node.d);
      break;
    case Kind::kSlice: node.n = keep(node.n); break;
    case Kind::kPredicate: node.root = keep(node.root); break;
    case Kind::kSelect:
      node.n = keep(node.n);
      node.d = keep(node.d);
      node.root = keep(node.root);
      break;
    case Kind::kFloat:
    case Kind::kBits:
    case Kind::kInteger:
    case Kind::kUndef:
    case Kind::kMoved: break;
  }
  const TermId name = Add(node);
  old.kind = Kind::kMoved;
  old.n = static_cast<uint32_t>(name);
  return name;
}

void FieldStore::EndCollection() { collect_at_ = std::max(kFirstCollection, count_ * 2); }

TermId FieldStore::Input(SymbolId symbol, uint32_t cell) {
  return TermId{kInputBit | (symbols_[static_cast<size_t>(symbol)].first + cell)};
}

TermId FieldStore::BvConst(unsigned width, uint64_t bits) {
  bits &= Mask(width);
  auto& [known, name] = patterns_[(bits ^ bits >> 17 ^ bits >> 40 ^ width * 7) % kRecent];
  if (known == bits && name != kNoTerm && At(name).format == width) return name;
  Node node{};
  node.kind = Kind::kBits;
  node.format = static_cast<uint8_t>(width);
  node.words[0] = known = bits;
  return name = Add(node);
}

TermId FieldStore::Undef(unsigned width, uint32_t cause) {
  Node node{};
  node.kind = Kind::kUndef;
  node.format = static_cast<uint8_t>(width);
  node.n = cause;
  return Add(node);
}

TermId FieldStore::Float(FpFormat format, Node value) {
  value.kind = Kind::kFloat;
  value.format = static_cast<uint8_t>(format);
  value.low = 0;
  if (value.n >= kMaxDegree || value.d >= kMaxDegree) return Leave("values of a degree beyond 2^30");
  return Add(value);
}

TermId FieldStore::Integer(unsigned width, bool is_signed, Node value) {
  value.kind = Kind::kInteger;
  value.format = static_cast<uint8_t>(width);
  value.low = is_signed ? 1 : 0;
  return Add(value);
}

bool FieldStore::ContainsUndef(TermId id) const {
  if (IsInput(id)) return false;
  const Node& node = At(id);
  switch (node.kind) {
    case Kind::kUndef: return true;
    case Kind::kPair: return ContainsUndef(Child(node.n)) || ContainsUndef(Child(node.d));
    case Kind::kSlice: return ContainsUndef(Child(node.n));
    case Kind::kSelect: return ContainsUndef(Child(node.d)) || ContainsUndef(Child(node.root));
    case Kind::kFloat:
    case Kind::kBits:
    case Kind::kPredicate:
    case Kind::kInteger:
    case Kind::kMoved: return false;
  }
  RACER_UNREACHABLE(static_cast<int>(node.kind));
}

TermId FieldStore::Extract(unsigned w, TermId a, unsigned lo) {
  const unsigned whole = width(a);
  if (lo == 0 && w == whole) return a;
  const Node node = IsInput(a) ? InputNode(a) : At(a);
  switch (node.kind) {
    case Kind::kBits: return BvConst(w, node.words[0] >> lo);
    case Kind::kUndef: return Undef(w, node.n);
    case Kind::kPair: {
      if (lo + w <= node.low) return Extract(w, Child(node.n), lo);
      if (lo >= node.low) return Extract(w, Child(node.d), lo - node.low);
      const unsigned below = node.low - lo;
      const TermId low = Extract(below, Child(node.n), lo);
      return Concat(Extract(w - below, Child(node.d), 0), low);
    }
    case Kind::kSelect: {
      const TermId first = Extract(w, Child(node.d), lo);
      return BvIte(w, Child(node.n), first, Extract(w, Child(node.root), lo));
    }
    case Kind::kSlice: return Extract(w, Child(node.n), node.low + lo);
    case Kind::kFloat:
    case Kind::kPredicate:
    case Kind::kInteger: break;
    case Kind::kMoved: RACER_UNREACHABLE(0);
  }
  Node slice{};
  slice.kind = Kind::kSlice;
  slice.format = static_cast<uint8_t>(w);
  slice.low = static_cast<uint16_t>(lo);
  slice.n = static_cast<uint32_t>(a);
  return Add(slice);
}

TermId FieldStore::Concat(TermId hi, TermId lo) {
  const unsigned low = width(lo), high = width(hi);
  if (!IsInput(hi) && !IsInput(lo)) {
    const Node top = At(hi), bottom = At(lo);
    if (top.kind == Kind::kBits && bottom.kind == Kind::kBits) return BvConst(low + high, top.words[0] << low | bottom.words[0]);
    // Neighbouring slices of one pattern are one.
    if (top.kind == Kind::kSlice && bottom.kind == Kind::kSlice && top.n == bottom.n && top.low == bottom.low + low)
      return Extract(low + high, TermId{top.n}, bottom.low);
    // A pair keeps its high part whole.
    if (bottom.kind == Kind::kPair) {
      const TermId rest = Concat(hi, Child(bottom.d));
      return Concat(rest, Child(bottom.n));
    }
    if (top.kind == Kind::kPair && bottom.kind == Kind::kSlice) {
      const TermId joined = Concat(Child(top.n), lo);
      if (IsInput(joined) || At(joined).kind != Kind::kPair) return Concat(Child(top.d), joined);
    }
  }
  Node pair{};
  pair.kind = Kind::kPair;
  pair.format = static_cast<uint8_t>(low + high);
  pair.low = static_cast<uint16_t>(low);
  pair.n = static_cast<uint32_t>(lo);
  pair.d = static_cast<uint32_t>(hi);
  return Add(pair);
}

TermId FieldStore::ZExt(unsigned to, TermId a) {
  const unsigned from = width(a);
  if (from == to) return a;
  const Node node = IsInput(a) ? InputNode(a) : At(a);
  if (node.kind == Kind::kBits) return BvConst(to, node.words[0]);
  if (node.kind == Kind::kInteger && node.low == 0) return Integer(to, false, node);
  return Concat(BvConst(to - from, 0), a);
}

TermId FieldStore::SExt(unsigned to, TermId a) {
  const unsigned from = width(a);
  if (from == to) return a;
  const Node node = IsInput(a) ? InputNode(a) : At(a);
  if (node.kind == Kind::kBits) return BvConst(to, BitsDomain().SExt(from, to, node.words[0]));
  if (node.kind == Kind::kInteger) return Integer(to, node.low != 0, node);
  if (node.kind == Kind::kSelect) {
    const TermId first = SExt(to, Child(node.d));
    return BvIte(to, Child(node.n), first, SExt(to, Child(node.root)));
  }
  return Leave("the sign of a pattern of symbolic data is extended");
}

TermId FieldStore::BvIte(unsigned w, TermId condition, TermId a, TermId b) {
  if (IsConst(condition)) return (const_bits(condition) & 1) != 0 ? a : b;
  if (a == b) return a;
  const Node first = IsInput(a) ? InputNode(a) : At(a), second = IsInput(b) ? InputNode(b) : At(b);
  if (first.kind == Kind::kBits && second.kind == Kind::kBits && first.words[0] == second.words[0]) return a;
  if (w == 1) {
    Node c, x, y;
    if (!Predicate(condition, &c) || !Predicate(a, &x) || !Predicate(b, &y)) return BvConst(1, 0);
    if (IsConst(a) && IsConst(b)) return const_bits(a) != 0 ? condition : BvNot(1, condition);
    c.root = x.root = y.root = 0;
    return MakePredicate(Select(c, x, y));
  }
  const bool values = first.kind == Kind::kFloat && second.kind == Kind::kFloat && first.format == second.format;
  if (values) {
    Node c;
    if (!Predicate(condition, &c)) return a;
    return Float(static_cast<FpFormat>(first.format), Select(c, first, second));
  }
  if (first.kind == Kind::kPair && second.kind == Kind::kPair && first.low == second.low) {
    const TermId low = BvIte(first.low, condition, Child(first.n), Child(second.n));
    return Concat(BvIte(w - first.low, condition, Child(first.d), Child(second.d)), low);
  }
  // Reading one costs twice as much for each level.
  constexpr unsigned kMaxDepth = 16;
  const unsigned depth = 1 + std::max(SelectDepth(a), SelectDepth(b));
  if (depth > kMaxDepth) return Leave("selections of patterns that are nested too deep");
  Node select{};
  select.kind = Kind::kSelect;
  select.low = static_cast<uint16_t>(depth);
  select.format = static_cast<uint8_t>(w);
  select.n = static_cast<uint32_t>(condition);
  select.d = static_cast<uint32_t>(a);
  select.root = static_cast<uint32_t>(b);
  return Add(select);
}

unsigned FieldStore::SelectDepth(TermId id) const {
  if (IsInput(id)) return 0;
  const Node& node = At(id);
  if (node.kind == Kind::kSelect) return node.low;
  if (node.kind == Kind::kSlice) return SelectDepth(Child(node.n));
  return node.kind == Kind::kPair ? std::max(SelectDepth(Child(node.n)), SelectDepth(Child(node.d))) : 0;
}

bool FieldStore::HasConstantArms(TermId id) const {
  if (IsInput(id)) return false;
  const Node& node = At(id);
  return node.kind == Kind::kSelect && IsConst(Child(node.d)) && IsConst(Child(node.root));
}

TermId FieldStore::OfConstants(TermKind kind, unsigned w, uint64_t a, uint64_t b) {
  const BitsDomain d;
  switch (kind) {
    case TermKind::kBvAdd: return BvConst(w, d.Add(w, a, b));
    case TermKind::kBvSub: return BvConst(w, d.Sub(w, a, b));
    case TermKind::kBvMul: return BvConst(w, d.Mul(w, a, b));
    case TermKind::kBvUDiv: return BvConst(w, d.UDiv(w, a, b));
    case TermKind::kBvURem: return BvConst(w, d.URem(w, a, b));
    case TermKind::kBvSDiv: return BvConst(w, d.SDiv(w, a, b));
    case TermKind::kBvSRem: return BvConst(w, d.SRem(w, a, b));
    case TermKind::kBvAnd: return BvConst(w, a & b);
    case TermKind::kBvOr: return BvConst(w, a | b);
    case TermKind::kBvXor: return BvConst(w, a ^ b);
    case TermKind::kBvShl: return BvConst(w, d.Shl(w, a, b));
    case TermKind::kBvLShr: return BvConst(w, d.LShr(w, a, b));
    case TermKind::kBvAShr: return BvConst(w, d.AShr(w, a, b));
    case TermKind::kBvEq: return BvConst(1, d.Eq(w, a, b));
    case TermKind::kBvUlt: return BvConst(1, d.Ult(w, a, b));
    case TermKind::kBvSlt: return BvConst(1, d.Slt(w, a, b));
    default: break;  // no other takes two patterns
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

TermId FieldStore::Bv(TermKind kind, unsigned w, TermId a, TermId b) {
  if (IsConst(a) && IsConst(b)) return OfConstants(kind, w, const_bits(a), const_bits(b));
  const bool compares = kind == TermKind::kBvEq || kind == TermKind::kBvUlt || kind == TermKind::kBvSlt;
  // An operation on a selection of constants is a selection of its results.
  const bool left = HasConstantArms(a) && IsConst(b), right = IsConst(a) && HasConstantArms(b);
  if (left || right) {
    const Node select = At(left ? a : b);
    const auto arm = [&](uint32_t child) { return left ? Bv(kind, w, Child(child), b) : Bv(kind, w, a, Child(child)); };
    const TermId first = arm(select.d);
    return BvIte(compares ? 1 : w, Child(select.n), first, arm(select.root));
  }
  if (kind == TermKind::kBvAnd || kind == TermKind::kBvOr || kind == TermKind::kBvXor) return Logic(kind, w, a, b);
  if ((kind == TermKind::kBvShl || kind == TermKind::kBvLShr) && IsConst(b)) {
    const uint64_t amount = const_bits(b);
    if (amount == 0) return a;
    if (amount >= w) return BvConst(w, 0);
    const unsigned by = static_cast<unsigned>(amount), kept = w - by;
    if (kind == TermKind::kBvShl) {
      const TermId part = Extract(kept, a, 0);
      return Concat(part, BvConst(by, 0));
    }
    const TermId part = Extract(kept, a, by);
    return Concat(BvConst(by, 0), part);
  }
  if ((kind == TermKind::kBvAdd || kind == TermKind::kBvSub) && IsConst(b) && const_bits(b) == 0) return a;
  if (kind == TermKind::kBvAdd && IsConst(a) && const_bits(a) == 0) return b;
  if (compares) {
    // Of numbers that both patterns hold as they are compared.
    Node x, y;
    const bool is_signed = kind == TermKind::kBvSlt;
    const bool either = kind == TermKind::kBvEq;
    if (w == 1 && either) {
      if (!Predicate(a, &x) || !Predicate(b, &y)) return BvConst(1, 0);
      return BvNot(1, Bv(TermKind::kBvXor, 1, a, b));
    }
    const TermId symbolic = IsConst(a) ? b : a;
    const Node node = IsInput(symbolic) ? InputNode(symbolic) : At(symbolic);
    const bool as_signed = either ? node.kind == Kind::kInteger && node.low != 0 : is_signed;
    if (IntegerValue(a, as_signed, &x) && IntegerValue(b, as_signed, &y)) {
      return either ? IsEqual(Difference(x, y), false) : Holds(Difference(y, x), false);
    }
    return BvConst(1, 0);
  }
  return Leave("arithmetic on a symbolic integer or on the pattern of a computed value");
}

TermId FieldStore::BvNot(unsigned w, TermId a) {
  if (IsConst(a)) return BvConst(w, ~const_bits(a));
  if (HasConstantArms(a)) {
    const Node select = At(a);
    const TermId first = BvNot(w, Child(select.d));
    return BvIte(w, Child(select.n), first, BvNot(w, Child(select.root)));
  }
  if (w != 1) return Leave("bits of symbolic data are inverted");
  Node value;
  if (!Predicate(a, &value)) return a;
  value.root = 0;
  const Node old = IsInput(a) ? Node{} : At(a);
  Node negation = Difference(One(), value);
  // A comparison x > 0 and its negation x <= 0 choose alike but at 0, where what they choose between is the same (Select).
  const TermId result = MakePredicate(negation);
  if (old.kind == Kind::kPredicate && old.root != 0) {
    nodes_.get()[static_cast<uint32_t>(result)].root = old.root;
    nodes_.get()[static_cast<uint32_t>(result)].low = old.low ^ 1;
  }
  return result;
}

TermId FieldStore::Logic(TermKind kind, unsigned w, TermId a, TermId b) {
  if (IsConst(a)) std::swap(a, b);
  if (w == 1) {
    Node x, y;
    if (IsConst(b)) {
      const bool one = const_bits(b) != 0;
      if (kind == TermKind::kBvAnd) return one ? a : b;
      if (kind == TermKind::kBvOr) return one ? b : a;
      return one ? BvNot(1, a) : a;
    }
    if (!Predicate(a, &x) || !Predicate(b, &y)) return BvConst(1, 0);
    x.root = y.root = 0;
    const bool same = x.words[0] == y.words[0] && x.words[1] == y.words[1];
    if (same) return kind == TermKind::kBvXor ? BvConst(1, 0) : a;
    const Node both = Product(x, y);
    if (kind == TermKind::kBvAnd) return MakePredicate(both);
    const Node sum = Difference(Sum(x, y), both);
    return MakePredicate(kind == TermKind::kBvOr ? sum : Difference(sum, both));
  }
  if (kind == TermKind::kBvXor && IsConst(b)) {
    if (const std::optional<TermId> flipped = FlippedSigns(w, a, const_bits(b))) return *flipped;
  }
  return LogicPieces(kind, w, a, b);
}

// -x by its sign bit; of halves and quarters of a register, too.
std::optional<TermId> FieldStore::FlippedSigns(unsigned w, TermId a, uint64_t mask) {
  if (mask == 0) return a;
  const Node node = IsInput(a) ? InputNode(a) : At(a);
  if (node.kind == Kind::kFloat && mask == uint64_t{1} << (w - 1)) return Float(static_cast<FpFormat>(node.format), Negated(node));
  if (node.kind != Kind::kPair) return std::nullopt;
  const std::optional<TermId> low = FlippedSigns(node.low, Child(node.n), mask & Mask(node.low));
  const std::optional<TermId> high = FlippedSigns(w - node.low, Child(node.d), mask >> node.low);
  if (!low || !high) return std::nullopt;
  return Concat(*high, *low);
}

// Bits that a constant leaves, clears or sets are slices.
TermId FieldStore::LogicPieces(TermKind kind, unsigned w, TermId a, TermId b) {
  TermId whole = kNoTerm;
  for (unsigned at = 0; at < w;) {
    // As many bits as are of one kind in both operands.
    unsigned end = w;
    std::optional<uint64_t> fixed[2];
    unsigned i = 0;
    for (TermId side : {a, b}) {
      unsigned base = 0;
      uint32_t name = static_cast<uint32_t>(side);
      while (!IsInput(TermId{name}) && At(TermId{name}).kind == Kind::kPair) {
        const Node& pair = At(TermId{name});
        if (at - base < pair.low) {
          end = std::min(end, base + pair.low);
          name = pair.n;
        } else {
          base += pair.low;
          name = pair.d;
        }
      }
      if (IsConst(TermId{name})) {
        const uint64_t bits = const_bits(TermId{name}) >> (at - base);
        fixed[i] = bits & 1;
        unsigned run = at + 1;
        while (run < end && (bits >> (run - at) & 1) == *fixed[i]) ++run;
        end = run;
      }
      ++i;
    }
    const unsigned bits = end - at;
    TermId piece;
    if (fixed[0] && fixed[1]) {
      const uint64_t ones = ~uint64_t{0};
      piece = OfConstants(kind, bits, *fixed[0] != 0 ? ones & Mask(bits) : 0, *fixed[1] != 0 ? ones & Mask(bits) : 0);
    } else if (!fixed[0] && !fixed[1]) {
      return Leave("bits of symbolic data are combined");
    } else {
      const bool set = (fixed[0] ? *fixed[0] : *fixed[1]) != 0;
      const TermId other = fixed[0] ? b : a;
      if (kind == TermKind::kBvAnd) {
        piece = set ? Extract(bits, other, at) : BvConst(bits, 0);
      } else if (kind == TermKind::kBvOr) {
        piece = set ? BvConst(bits, ~uint64_t{0}) : Extract(bits, other, at);
      } else {
        if (set) return Leave("bits of symbolic data are inverted");
        piece = Extract(bits, other, at);
      }
    }
    whole = whole == kNoTerm ? piece : Concat(piece, whole);
    at = end;
  }
  return whole;
}

uint64_t FieldStore::HashOfAny(TermId id) const {
  const Node node = IsInput(id) ? InputNode(id) : At(id);
  const uint64_t kind = static_cast<uint64_t>(node.kind) << 8 | node.format;
  const auto of_children = [&](uint32_t a, uint32_t b, uint64_t more) -> uint64_t {
    const uint64_t first = a == 0 ? 1 : ValueHash(Child(a)), second = b == 0 ? 1 : ValueHash(Child(b));
    return first == 0 || second == 0 ? 0 : field::Keyed(words_[0], first, second, kind << 16 | more) | 1;
  };
  switch (node.kind) {
    case Kind::kFloat: return QuickHash(Collapsed(node));
    case Kind::kBits:
    case Kind::kPredicate:
    case Kind::kInteger: return field::Keyed(words_[0], node.words[0], node.words[1], kind << 16 | node.low) | 1;
    case Kind::kPair: return of_children(node.n, node.d, node.low);
    case Kind::kSlice: return of_children(node.n, 0, node.low);
    case Kind::kSelect: {
      const uint64_t condition = ValueHash(Child(node.n)), arms = of_children(node.d, node.root, 0);
      return arms == 0 ? 0 : field::Keyed(words_[0], condition, arms, kind << 16) | 1;
    }
    case Kind::kUndef: return 0;
    case Kind::kMoved: break;
  }
  RACER_UNREACHABLE(static_cast<int>(node.kind));
}

}  // namespace racer
