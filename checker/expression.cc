#include "checker/expression.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

using Op = Expression::Op;

constexpr size_t kMaxNumberLength = 40;
constexpr int64_t kMaxDecimalExponent = 400;
constexpr uint64_t kMaxRealBits = 1 << 13;  // of numerator or denominator

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

struct Operator {
  std::string_view spelling;
  Op op;
  int precedence;  // larger binds tighter
};
// Longer spellings first.
constexpr std::array<Operator, 13> kBinary = {{{"||", Op::kOr, 1},
                                               {"&&", Op::kAnd, 2},
                                               {"==", Op::kEq, 3},
                                               {"!=", Op::kNe, 3},
                                               {"<=", Op::kLe, 4},
                                               {">=", Op::kGe, 4},
                                               {"<", Op::kLt, 4},
                                               {">", Op::kGt, 4},
                                               {"+", Op::kAdd, 5},
                                               {"-", Op::kSub, 5},
                                               {"*", Op::kMul, 6},
                                               {"/", Op::kDiv, 6},
                                               {"%", Op::kMod, 6}}};

bool IsCondition(Op op) { return op >= Op::kEq; }
bool TakesConditions(Op op) { return op == Op::kAnd || op == Op::kOr || op == Op::kNot; }
bool IsLeaf(Op op) { return op <= Op::kScalar; }

std::string ListNames(const ExpressionScope& scope) {
  std::string list;
  for (const std::vector<std::string>* names : {&scope.dims, &scope.scalars}) {
    for (const std::string& name : *names) {
      if (list.size() > 100) return list + ", ...";
      list += (list.empty() ? "" : ", ") + name;
    }
  }
  return list;
}

// __int128 covers every intermediate value of one operation on int64 operands.
using Wide = __int128;

Wide FloorDiv(Wide a, Wide b) {
  Wide quotient = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}

}  // namespace

SourceLocation LocatedText::At(size_t offset, size_t length) const {
  SourceLocation location = where;
  if (!exact || location.line == 0) return location;
  location.column += static_cast<int>(offset);
  location.length = static_cast<int>(std::max<size_t>(length, 1));
  return location;
}

// Precedence climbing. Nesting is limited, so is the recursion.
class ExpressionParser {
 public:
  ExpressionParser(const LocatedText& text, const ExpressionScope& scope) : text_(text), scope_(scope) {
    result_.text_ = text;
    result_.nodes_.clear();
  }

  Result<Expression> Parse(bool condition) {
    if (text_.text.size() > Expression::kMaxLength) {
      return MakeError(DiagnosticKind::kContractExpression, text_.where, "expression of " + std::to_string(text_.text.size()) + " bytes",
                       "at most " + std::to_string(Expression::kMaxLength));
    }
    std::optional<uint32_t> root = Binary(1, 0);
    if (!root) return std::move(*error_);
    SkipSpace();
    if (at_ < text_.text.size()) {
      Fail(at_, 1, "unexpected " + Quote(at_) + " after an expression", "an operator or the end of the expression");
      return std::move(*error_);
    }
    bool is_condition = IsCondition(result_.nodes_[*root].op);
    if (is_condition != condition) {
      Fail(0, text_.text.size(), is_condition ? "a condition where a number is needed" : "a number where a condition is needed",
           condition ? "a comparison such as H % 8 == 0" : "");
      return std::move(*error_);
    }
    return std::move(result_);
  }

 private:
  using Index = std::optional<uint32_t>;

  std::string_view Rest() const { return std::string_view(text_.text).substr(at_); }
  std::string Quote(size_t at) const { return at < text_.text.size() ? "'" + text_.text.substr(at, 1) + "'" : "end of the expression"; }
  void SkipSpace() {
    while (at_ < text_.text.size() && (text_.text[at_] == ' ' || text_.text[at_] == '\t')) ++at_;
  }
  Index Fail(size_t offset, size_t length, std::string message, std::string expected = "") {
    if (!error_) {
      error_ = MakeError(DiagnosticKind::kContractExpression, text_.At(offset, length), std::move(message), std::move(expected));
    }
    return std::nullopt;
  }
  Index Add(Expression::Node node, size_t offset, size_t length) {
    if (result_.nodes_.size() >= Expression::kMaxNodes) {
      return Fail(offset, length, "expression with more than " + std::to_string(Expression::kMaxNodes) + " parts");
    }
    node.offset = static_cast<uint32_t>(offset);
    node.length = static_cast<uint32_t>(length);
    result_.nodes_.push_back(std::move(node));
    return static_cast<uint32_t>(result_.nodes_.size() - 1);
  }
  Index AddOperation(Op op, Index a, Index b, size_t offset, size_t length) {
    if (!a || !b) return std::nullopt;
    bool want = TakesConditions(op);
    for (Index operand : {a, b}) {
      if (IsCondition(result_.nodes_[*operand].op) != want) {
        return Fail(offset, length, "operator '" + text_.text.substr(offset, length) + "' on a " + (want ? "number" : "condition"),
                    want ? "conditions on both sides" : "numbers");
      }
    }
    Expression::Node node;
    node.op = op;
    node.a = *a;
    node.b = *b;
    return Add(std::move(node), offset, length);
  }

  Index Binary(int min_precedence, int depth) {
    Index left = Prefix(depth);
    while (left) {
      SkipSpace();
      const Operator* found = nullptr;
      for (const Operator& candidate : kBinary) {
        if (Rest().substr(0, candidate.spelling.size()) == candidate.spelling) {
          found = &candidate;
          break;
        }
      }
      if (found == nullptr || found->precedence < min_precedence) return left;
      size_t offset = at_;
      at_ += found->spelling.size();
      Index right = Binary(found->precedence + 1, depth + 1);
      left = AddOperation(found->op, left, right, offset, found->spelling.size());
    }
    return left;
  }

  Index Prefix(int depth) {
    SkipSpace();
    if (depth > Expression::kMaxNesting)
      return Fail(at_, 1, "expression nested too deeply", "at most " + std::to_string(Expression::kMaxNesting) + " levels");
    if (at_ < text_.text.size() && (text_.text[at_] == '-' || text_.text[at_] == '!')) {
      size_t offset = at_++;
      Index operand = Prefix(depth + 1);
      return AddOperation(text_.text[offset] == '-' ? Op::kNeg : Op::kNot, operand, operand, offset, 1);
    }
    return Primary(depth);
  }

  Index Primary(int depth) {
    if (at_ >= text_.text.size()) return Fail(at_, 1, "expression ends where a value is needed", "a number, a name or '('");
    char c = text_.text[at_];
    if (c == '(') {
      ++at_;
      Index inner = Binary(1, depth + 1);
      if (!inner) return inner;
      SkipSpace();
      if (at_ >= text_.text.size() || text_.text[at_] != ')') return Fail(at_, 1, "found " + Quote(at_), "')'");
      ++at_;
      return inner;
    }
    if (IsDigit(c) || c == '.') return Number();
    if (IsNameStart(c)) return Name(depth);
    return Fail(at_, 1, "unexpected " + Quote(at_), "a number, a name or '('");
  }

  Index Number() {
    const std::string& text = text_.text;
    size_t begin = at_;
    bool integer = true;
    while (at_ < text.size() && IsDigit(text[at_])) ++at_;
    if (at_ < text.size() && text[at_] == '.') {
      integer = false;
      ++at_;
      while (at_ < text.size() && IsDigit(text[at_])) ++at_;
    }
    if (at_ < text.size() && (text[at_] == 'e' || text[at_] == 'E')) {
      integer = false;
      ++at_;
      if (at_ < text.size() && (text[at_] == '+' || text[at_] == '-')) ++at_;
      size_t digits = at_;
      while (at_ < text.size() && IsDigit(text[at_])) ++at_;
      bool fits = at_ - digits <= 4 && at_ > digits && std::stoi(text.substr(digits, at_ - digits)) <= kMaxDecimalExponent;
      if (!fits) return Fail(begin, at_ - begin, "malformed exponent", "an exponent of at most " + std::to_string(kMaxDecimalExponent));
    }
    std::string literal = text.substr(begin, at_ - begin);
    if (at_ < text.size() && IsNamePart(text[at_])) return Fail(begin, at_ - begin + 1, "malformed number " + literal + text[at_]);
    std::optional<Rational> value;
    if (literal.size() <= kMaxNumberLength && literal != ".") value = Rational::Parse(literal);
    if (!value) return Fail(begin, literal.size(), "malformed number " + literal.substr(0, kMaxNumberLength));
    Expression::Node node;
    if (integer) {
      std::optional<int64_t> small = value->ToInt64();
      if (!small) return Fail(begin, literal.size(), "integer " + literal + " is too large", "at most 9223372036854775807");
      node.integer = *small;
    } else {
      node.op = Op::kReal;
      node.real = std::move(*value);
    }
    return Add(std::move(node), begin, literal.size());
  }

  Index Name(int depth) {
    const std::string& text = text_.text;
    size_t begin = at_;
    while (at_ < text.size() && IsNamePart(text[at_])) ++at_;
    std::string name = text.substr(begin, at_ - begin);
    SkipSpace();
    if (at_ < text.size() && text[at_] == '(') return Call(name, begin, depth);
    Expression::Node node;
    auto dim = std::find(scope_.dims.begin(), scope_.dims.end(), name);
    auto scalar = std::find(scope_.scalars.begin(), scope_.scalars.end(), name);
    if (dim != scope_.dims.end()) {
      node.op = Op::kDim;
      node.a = static_cast<uint32_t>(dim - scope_.dims.begin());
    } else if (scalar != scope_.scalars.end()) {
      node.op = Op::kScalar;
      node.a = static_cast<uint32_t>(scalar - scope_.scalars.begin());
    } else {
      std::string known = ListNames(scope_);
      return Fail(begin, name.size(), "unknown name '" + name + "'", known.empty() ? "" : "one of: " + known);
    }
    return Add(std::move(node), begin, name.size());
  }

  Index Call(const std::string& name, size_t begin, int depth) {
    Op op = Op::kMin;
    if (name == "max") {
      op = Op::kMax;
    } else if (name == "ceildiv") {
      op = Op::kCeilDiv;
    } else if (name != "min") {
      return Fail(begin, name.size(), "unknown function '" + name + "'", "ceildiv, min or max");
    }
    ++at_;
    Index value;
    for (int count = 1;; ++count) {
      Index argument = Binary(1, depth + 1);
      if (!argument) return argument;
      value = count == 1 ? argument : AddOperation(op, value, argument, begin, name.size());
      if (!value) return value;
      SkipSpace();
      char next = at_ < text_.text.size() ? text_.text[at_] : '\0';
      bool more = next == ',' && !(op == Op::kCeilDiv && count == 2);
      bool done = next == ')' && count >= 2;
      if (!more && !done) {
        return Fail(at_, 1, "found " + Quote(at_) + " after argument " + std::to_string(count) + " of " + name,
                    count == 1           ? "',' and another argument"
                    : op == Op::kCeilDiv ? "')': ceildiv takes two arguments"
                                         : "',' or ')'");
      }
      ++at_;
      if (done) return value;
    }
  }

  const LocatedText& text_;
  const ExpressionScope& scope_;
  Expression result_;
  size_t at_ = 0;
  std::optional<Diagnostic> error_;
};

Expression Expression::Integer(int64_t value, SourceLocation where) {
  Expression expression;
  expression.text_ = {std::to_string(value), std::move(where), false};
  expression.nodes_.front().integer = value;
  return expression;
}

Result<Expression> Expression::ParseNumber(const LocatedText& text, const ExpressionScope& scope) {
  return ExpressionParser(text, scope).Parse(/*condition=*/false);
}

Result<Expression> Expression::ParseCondition(const LocatedText& text, const ExpressionScope& scope) {
  return ExpressionParser(text, scope).Parse(/*condition=*/true);
}

Diagnostic Expression::Error(const Node& node, std::string message) const {
  return MakeError(DiagnosticKind::kContractExpression, text_.At(node.offset, node.length), std::move(message));
}

// One pass over the nodes, operands first; conditions are 0 and 1. Both sides of && and || are evaluated, so an error in either is one.
Result<int64_t> Expression::EvaluateInteger(std::span<const int64_t> dims) const {
  std::vector<int64_t> values(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    Wide a = IsLeaf(node.op) ? 0 : values[node.a];
    Wide b = IsLeaf(node.op) ? 0 : values[node.b];
    Wide value = 0;
    if ((node.op == Op::kDiv || node.op == Op::kMod || node.op == Op::kCeilDiv) && b == 0) {
      return Error(node, "division by zero in '" + text_.text + "'");
    }
    switch (node.op) {
      case Op::kInteger: value = node.integer; break;
      case Op::kReal: return Error(node, "a fraction in an integer expression");
      case Op::kDim:
        RACER_CHECK(node.a < dims.size());
        value = dims[node.a];
        break;
      case Op::kScalar: return Error(node, "a scalar in an integer expression");
      case Op::kAdd: value = a + b; break;
      case Op::kSub: value = a - b; break;
      case Op::kMul: value = a * b; break;
      case Op::kDiv: value = FloorDiv(a, b); break;
      case Op::kMod: value = a - FloorDiv(a, b) * b; break;
      case Op::kCeilDiv: value = -FloorDiv(-a, b); break;
      case Op::kMin: value = std::min(a, b); break;
      case Op::kMax: value = std::max(a, b); break;
      case Op::kNeg: value = -a; break;
      case Op::kEq: value = a == b; break;
      case Op::kNe: value = a != b; break;
      case Op::kLt: value = a < b; break;
      case Op::kLe: value = a <= b; break;
      case Op::kGt: value = a > b; break;
      case Op::kGe: value = a >= b; break;
      case Op::kAnd: value = a != 0 && b != 0; break;
      case Op::kOr: value = a != 0 || b != 0; break;
      case Op::kNot: value = a == 0; break;
    }
    if (value > std::numeric_limits<int64_t>::max() || value < std::numeric_limits<int64_t>::min()) {
      return Error(node, "overflow of 64 bits in '" + text_.text + "'");
    }
    values[i] = static_cast<int64_t>(value);
  }
  return values.back();
}

Result<bool> Expression::EvaluateCondition(std::span<const int64_t> dims) const {
  Result<int64_t> value = EvaluateInteger(dims);
  if (!value.ok()) return value.error();
  return *value != 0;
}

Result<std::optional<Rational>> Expression::EvaluateReal(std::span<const int64_t> dims,
                                                         std::span<const std::optional<Rational>> scalars) const {
  std::vector<Rational> values(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    RACER_CHECK(!IsCondition(node.op));
    Rational a = IsLeaf(node.op) ? Rational() : values[node.a];
    Rational b = IsLeaf(node.op) ? Rational() : values[node.b];
    if ((node.op == Op::kDiv || node.op == Op::kMod || node.op == Op::kCeilDiv) && b.IsZero()) {
      return Error(node, "division by zero in '" + text_.text + "'");
    }
    // The quotient rounded down, for % and ceildiv: of integers that fit.
    auto floor_of_quotient = [&](const Rational& numerator) -> std::optional<Rational> {
      std::optional<int64_t> n = numerator.ToInt64(), d = b.ToInt64();
      if (!n || !d) return std::nullopt;
      Wide quotient = FloorDiv(*n, *d);
      if (quotient > std::numeric_limits<int64_t>::max()) return std::nullopt;
      return Rational(static_cast<int64_t>(quotient));
    };
    switch (node.op) {
      case Op::kInteger: values[i] = Rational(node.integer); break;
      case Op::kReal: values[i] = node.real; break;
      case Op::kDim:
        RACER_CHECK(node.a < dims.size());
        values[i] = Rational(dims[node.a]);
        break;
      case Op::kScalar:
        RACER_CHECK(node.a < scalars.size());
        if (!scalars[node.a]) return std::optional<Rational>();
        values[i] = *scalars[node.a];
        break;
      case Op::kAdd: values[i] = a + b; break;
      case Op::kSub: values[i] = a - b; break;
      case Op::kMul: values[i] = a * b; break;
      case Op::kDiv: values[i] = a / b; break;
      case Op::kMod:
      case Op::kCeilDiv: {
        std::optional<Rational> quotient = floor_of_quotient(node.op == Op::kMod ? a : -a);
        if (!quotient) return Error(node, "operands that are no 64-bit integers in '" + text_.text + "'");
        values[i] = node.op == Op::kMod ? a - *quotient * b : -*quotient;
        break;
      }
      case Op::kMin: values[i] = a < b ? a : b; break;
      case Op::kMax: values[i] = a < b ? b : a; break;
      case Op::kNeg: values[i] = -a; break;
      case Op::kEq:
      case Op::kNe:
      case Op::kLt:
      case Op::kLe:
      case Op::kGt:
      case Op::kGe:
      case Op::kAnd:
      case Op::kOr:
      case Op::kNot: RACER_UNREACHABLE(node.op);
    }
    // Scalars may use scalars, so squaring can repeat.
    if (fmpq_height_bits(values[i].raw()) > kMaxRealBits) return Error(node, "number too large in '" + text_.text + "'");
  }
  return std::optional<Rational>(values.back());
}

std::optional<int64_t> Expression::AsLiteral() const {
  if (nodes_.size() != 1 || nodes_.front().op != Op::kInteger) return std::nullopt;
  return nodes_.front().integer;
}

bool Expression::UsesDim(uint32_t index) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.op == Op::kDim && node.a == index; });
}

bool Expression::UsesScalar(uint32_t index) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.op == Op::kScalar && node.a == index; });
}

std::vector<int64_t> Expression::Literals() const {
  std::vector<std::pair<uint32_t, int64_t>> found;
  for (const Node& node : nodes_) {
    if (node.op == Op::kInteger) found.emplace_back(node.offset, node.integer);
  }
  std::sort(found.begin(), found.end());
  std::vector<int64_t> literals;
  for (const auto& [offset, value] : found) literals.push_back(value);
  return literals;
}

}  // namespace racer
