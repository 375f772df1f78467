#include "checker/edge_points.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "ptx_frontend/isa/types.h"
#include "symexec/ball/decode.h"
#include "symexec/ball/dtype.h"

namespace racer {
namespace {

constexpr size_t kMostValues = 40;
const Rational& Largest() {
  static const Rational value = Rational(2).Pow(24);
  return value;
}

// The largest number of a narrow format, and how far the next one would be.
struct NarrowEnd {
  Rational largest, step;
};
std::optional<NarrowEnd> EndOf(FpFormat format) {
  switch (format) {
    case FpFormat::kE4M3: return NarrowEnd{Rational(448), Rational(32)};
    case FpFormat::kE5M2: return NarrowEnd{Rational(57344), Rational(8192)};
    case FpFormat::kE2M3: return NarrowEnd{Rational(15, 2), Rational(1, 2)};
    case FpFormat::kE3M2: return NarrowEnd{Rational(28), Rational(4)};
    case FpFormat::kE2M1: return NarrowEnd{Rational(6), Rational(2)};
    default: return std::nullopt;
  }
}

class Edges {
 public:
  explicit Edges(const TermStore& store) : store_(store) {}

  void Visit(TermId id) {
    switch (store_.kind(id)) {
      case TermKind::kFpCompare: return Literals(id);
      case TermKind::kFpBinary: {
        const FpKind kind = store_.fp_kind(id);
        if (kind == FpKind::kMin || kind == FpKind::kMax) Literals(id);
        return;
      }
      case TermKind::kFpUnary: rounds_ |= store_.fp_kind(id) == FpKind::kRoundInt; return;
      case TermKind::kBvSlt:
      case TermKind::kBvUlt: return Literals(id);
      case TermKind::kFpToInt: {
        rounds_ = true;
        const Dtype dtype(store_.int_type(id));
        if (BitWidth(store_.int_type(id)) > 16) return;
        Add(dtype.Lowest());
        Add(dtype.Highest());
        return;
      }
      case TermKind::kFpConvert:
        if (const std::optional<NarrowEnd> end = EndOf(store_.format(id))) {
          Add(end->largest);
          for (const Rational& more : {end->step * Rational(1, 2), end->step, end->largest}) values_.insert(end->largest + more);
        }
        return;
      default: return;
    }
  }
  std::vector<Rational> Values() {
    if (rounds_) {
      for (int64_t halves : {1, 3, 5, -1, -3}) values_.insert(Rational(halves, 2));
    }
    // Of too many, some from everywhere.
    const std::vector<Rational> all(values_.begin(), values_.end());
    std::vector<Rational> kept;
    const size_t count = std::min(all.size(), kMostValues);
    for (size_t i = 0; i < count; ++i) kept.push_back(all[i * all.size() / count]);
    return kept;
  }

 private:
  void Literals(TermId id) {
    for (unsigned i = 0; i < 2; ++i) {
      const TermId operand = store_.operand(id, i);
      if (store_.kind(operand) == TermKind::kFpConst) {
        if (const auto value = FiniteValue(store_.format(operand), store_.const_bits(operand))) Add(*value);
      } else if (store_.IsConst(operand) && store_.width(operand) >= 8) {
        const unsigned above = 64 - store_.width(operand);
        Add(Rational(static_cast<int64_t>(store_.const_bits(operand) << above) >> above));
      }
    }
  }
  void Add(const Rational& value) {
    if (value.IsZero() || Largest() < value || value < -Largest()) return;
    for (const Rational& distance : {Rational(0), Rational(1, 2), Rational(-1, 2), Rational(1), Rational(-1)})
      values_.insert(value + distance);
    values_.insert(value * Rational(2));
    values_.insert(value * Rational(3, 2));
  }

  const TermStore& store_;
  std::set<Rational> values_;
  bool rounds_ = false;
};

}  // namespace

std::vector<Rational> EdgeValues(const TermStore& store, const std::vector<TermId>& roots) {
  Edges edges(store);
  std::vector<bool> seen(store.size(), false);
  std::vector<TermId> stack = roots;
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (id == kNoTerm || seen[static_cast<size_t>(id)]) continue;
    seen[static_cast<size_t>(id)] = true;
    edges.Visit(id);
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
  return edges.Values();
}

InputPoint EdgePoint(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells,
                     const std::vector<Rational>& values, unsigned index) {
  static constexpr int64_t kIntegers[] = {1, 3, 0, 2, 5};
  InputPoint point;
  point.bits.resize(store.symbol_count());
  for (size_t s = 0; s < store.symbol_count(); ++s) {
    const Symbol& symbol = store.symbol(static_cast<SymbolId>(s));
    const Dtype dtype(symbol.dtype);
    const SymbolRange range = s < ranges.size() ? ranges[s] : SymbolRange{};
    for (uint64_t cell = 0; cell < (s < cells.size() ? cells[s] : 0); ++cell) {
      Rational value(kIntegers[(index + cell) % std::size(kIntegers)]);
      if (dtype.is_float()) value = symbol.shape.empty() ? Rational(1) : values[(index + cell) % values.size()];
      std::optional<uint64_t> bits = dtype.NearestInRange(range, value);
      for (const std::optional<Rational>& end : {std::optional<Rational>(1), range.low, range.high}) {
        if (!bits.has_value() && end.has_value()) bits = dtype.NearestInRange(range, *end);
      }
      if (!bits.has_value()) return InputPoint{};
      point.bits[s].push_back(*bits);
    }
  }
  return point;
}

}  // namespace racer
