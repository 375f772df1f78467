#include "idioms/real_function.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "base/rational.h"
#include "symexec/ball/decode.h"

namespace racer {
namespace {

constexpr int kMaxDepth = 32;

struct Name {
  std::string_view name;
  FpKind kind;
  unsigned arity;
};
constexpr Name kNames[] = {
    {"exp", FpKind::kExp, 1},   {"log", FpKind::kLog, 1},   {"erf", FpKind::kErf, 1},     {"pow", FpKind::kPow, 2},
    {"ex2", FpKind::kEx2, 1},   {"lg2", FpKind::kLg2, 1},   {"sin", FpKind::kSin, 1},     {"cos", FpKind::kCos, 1},
    {"tanh", FpKind::kTanh, 1}, {"sqrt", FpKind::kSqrt, 1}, {"rsqrt", FpKind::kRsqrt, 1}, {"rcp", FpKind::kRcp, 1},
};

unsigned Arity(FpKind kind) {
  for (const Name& name : kNames) {
    if (name.kind == kind) return name.arity;
  }
  return kind == FpKind::kNeg ? 1 : 2;
}

// Functions that code computes by steps of its own, which need not round correctly.
bool IsApproximated(FpKind kind) {
  return std::any_of(std::begin(kNames), std::end(kNames), [&](const Name& name) { return name.kind == kind; });
}

}  // namespace

struct RealFunction::Parser {
  std::string_view text;
  RealFunction& result;
  size_t at = 0;

  bool Skip(char c) {
    while (at < text.size() && text[at] == ' ') ++at;
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  }
  void Operation(FpKind kind, bool of_numbers) {
    result.steps_.push_back({.kind = Step::Kind::kOperation, .operation = kind, .of_numbers = of_numbers});
  }
  bool LastIsOfNumbers() const {
    const Step& last = result.steps_.back();
    return last.kind == Step::Kind::kNumber || last.of_numbers;
  }

  bool Sum(int depth) {
    if (depth > kMaxDepth || !Product(depth)) return false;
    while (true) {
      const bool plus = Skip('+');
      if (!plus && !Skip('-')) return true;
      const bool numbers = LastIsOfNumbers();
      if (!Product(depth)) return false;
      Operation(plus ? FpKind::kAdd : FpKind::kSub, numbers && LastIsOfNumbers());
    }
  }
  bool Product(int depth) {
    if (!Factor(depth)) return false;
    while (true) {
      const bool times = Skip('*');
      if (!times && !Skip('/')) return true;
      const bool numbers = LastIsOfNumbers();
      if (!Factor(depth)) return false;
      Operation(times ? FpKind::kMul : FpKind::kDiv, numbers && LastIsOfNumbers());
    }
  }
  bool Factor(int depth) {
    if (depth > kMaxDepth) return false;
    if (Skip('-')) {
      if (!Factor(depth + 1)) return false;
      Operation(FpKind::kNeg, LastIsOfNumbers());
      return true;
    }
    if (Skip('(')) return Sum(depth + 1) && Skip(')');
    while (at < text.size() && text[at] == ' ') ++at;
    const size_t start = at;
    while (at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0) ++at;
    const std::string_view word = text.substr(start, at - start);
    if (word.empty()) return false;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      int64_t number = 0;
      for (char c : word) {
        if (c < '0' || c > '9' || number > 1000000) return false;
        number = number * 10 + (c - '0');
      }
      result.steps_.push_back({.kind = Step::Kind::kNumber, .number = number});
      return true;
    }
    if (word.size() == 1 && word[0] >= 'x' && word[0] <= 'z') {
      const auto argument = static_cast<unsigned>(word[0] - 'x');
      result.steps_.push_back({.kind = Step::Kind::kArgument, .argument = argument});
      result.argument_count_ = std::max(result.argument_count_, argument + 1);
      return true;
    }
    for (const Name& name : kNames) {
      if (name.name != word) continue;
      if (!Skip('(') || !Sum(depth + 1)) return false;
      bool numbers = LastIsOfNumbers();
      if (name.arity == 2) {
        if (!Skip(',') || !Sum(depth + 1)) return false;
        numbers = numbers && LastIsOfNumbers();
      }
      if (!Skip(')')) return false;
      Operation(name.kind, numbers);
      return true;
    }
    return false;
  }
};

std::optional<RealFunction> RealFunction::Parse(std::string_view text) {
  RealFunction result;
  Parser parser{text, result};
  if (!parser.Sum(0)) return std::nullopt;
  while (parser.at < text.size() && text[parser.at] == ' ') ++parser.at;
  if (parser.at != text.size()) return std::nullopt;
  return result;
}

TermId RealFunction::Build(TermStore& store, FpFormat format, bool ftz, const std::vector<TermId>& values) const {
  std::vector<TermId> stack;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kNumber: {
        const std::optional<uint64_t> bits = EncodeExact(format, Rational(step.number));
        stack.push_back(bits ? store.FpConst(format, *bits) : store.FpReal(format, Rational(step.number)));
        break;
      }
      case Step::Kind::kArgument: {
        const TermId value = values.at(step.argument);
        // A shorter argument is widened and stays what it is.
        stack.push_back(store.format(value) == format ? value : store.FpConvert(FpAttr{.format = format}, value));
        break;
      }
      case Step::Kind::kOperation: {
        FpAttr attr{.format = format};
        if (!step.of_numbers && IsApproximated(step.operation)) {
          attr.ftz = ftz;
          attr.approx = attr.full = true;
        }
        const TermId b = Arity(step.operation) == 2 ? stack.back() : kNoTerm;
        if (b != kNoTerm) stack.pop_back();
        stack.back() = store.Fp(step.operation, attr, stack.back(), b);
        break;
      }
    }
  }
  RACER_CHECK(stack.size() == 1);
  return stack[0];
}

}  // namespace racer
