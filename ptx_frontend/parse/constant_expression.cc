#include "ptx_frontend/parse/constant_expression.h"

#include <bit>
#include <limits>

namespace racer {
namespace {

double AsDouble(const ConstantValue& v) {
  if (!v.is_float) return v.is_unsigned ? static_cast<double>(v.bits) : static_cast<double>(static_cast<int64_t>(v.bits));
  return v.float_width == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(v.bits))) : std::bit_cast<double>(v.bits);
}

ConstantValue Integer(uint64_t bits, bool is_unsigned) { return {.is_float = false, .is_unsigned = is_unsigned, .float_width = 64, .bits = bits}; }
ConstantValue Double(double value) {
  return {.is_float = true, .is_unsigned = false, .float_width = 64, .bits = std::bit_cast<uint64_t>(value)};
}

std::optional<ConstantValue> FloatBinary(std::string_view op, double a, double b, std::string* error) {
  if (op == "+") return Double(a + b);
  if (op == "-") return Double(a - b);
  if (op == "*") return Double(a * b);
  if (op == "/") return Double(a / b);
  if (op == "<") return Integer(a < b, false);
  if (op == ">") return Integer(a > b, false);
  if (op == "<=") return Integer(a <= b, false);
  if (op == ">=") return Integer(a >= b, false);
  if (op == "==") return Integer(a == b, false);
  if (op == "!=") return Integer(a != b, false);
  *error = "`" + std::string(op) + "` is applied to a floating-point constant";
  return std::nullopt;
}

}  // namespace

bool ConstantValue::IsTrue() const { return is_float ? AsDouble(*this) != 0 : bits != 0; }

std::optional<ConstantValue> ApplyUnary(char op, const ConstantValue& a, std::string* error) {
  switch (op) {
    case '+': return a;
    case '!': return Integer(!a.IsTrue(), false);
    case '-': {
      ConstantValue v = a;
      // Flipping the sign bit keeps the payload of a NaN written in hexadecimal.
      v.bits = a.is_float ? a.bits ^ (uint64_t{1} << (a.float_width - 1)) : uint64_t{0} - a.bits;
      return v;
    }
    case '~':
      if (a.is_float) break;
      return Integer(~a.bits, a.is_unsigned);
    default: break;
  }
  *error = std::string("`") + op + "` is applied to a floating-point constant";
  return std::nullopt;
}

std::optional<ConstantValue> ApplyBinary(std::string_view op, const ConstantValue& a, const ConstantValue& b, std::string* error) {
  if (op == "&&") return Integer(a.IsTrue() && b.IsTrue(), false);
  if (op == "||") return Integer(a.IsTrue() || b.IsTrue(), false);
  if (a.is_float || b.is_float) return FloatBinary(op, AsDouble(a), AsDouble(b), error);
  const uint64_t x = a.bits, y = b.bits;
  const auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
  const bool u = a.is_unsigned || b.is_unsigned;
  if (op == "+") return Integer(x + y, u);
  if (op == "-") return Integer(x - y, u);
  if (op == "*") return Integer(x * y, u);
  if (op == "&") return Integer(x & y, u);
  if (op == "|") return Integer(x | y, u);
  if (op == "^") return Integer(x ^ y, u);
  if (op == "/" || op == "%") {
    if (y == 0) {
      *error = "division by zero in a constant expression";
      return std::nullopt;
    }
    const bool divide = op == "/";
    if (u) return Integer(divide ? x / y : x % y, true);
    // The one quotient that does not fit wraps, as in the machine.
    if (sx == std::numeric_limits<int64_t>::min() && sy == -1) return Integer(divide ? x : 0, false);
    return Integer(static_cast<uint64_t>(divide ? sx / sy : sx % sy), false);
  }
  if (op == "<<" || op == ">>") {
    if (y >= 64) {
      *error = "a shift by " + std::to_string(y) + " in a constant expression";
      return std::nullopt;
    }
    if (op == "<<") return Integer(x << y, a.is_unsigned);
    return Integer(a.is_unsigned ? x >> y : static_cast<uint64_t>(sx >> y), a.is_unsigned);
  }
  if (op == "==") return Integer(x == y, false);
  if (op == "!=") return Integer(x != y, false);
  if (op == "<") return Integer(u ? x < y : sx < sy, false);
  if (op == ">") return Integer(u ? x > y : sx > sy, false);
  if (op == "<=") return Integer(u ? x <= y : sx <= sy, false);
  if (op == ">=") return Integer(u ? x >= y : sx >= sy, false);
  *error = "`" + std::string(op) + "` is no operator of constant expressions";
  return std::nullopt;
}

int BinaryPrecedence(std::string_view op) {
  if (op == "||") return 1;
  if (op == "&&") return 2;
  if (op == "|") return 3;
  if (op == "^") return 4;
  if (op == "&") return 5;
  if (op == "==" || op == "!=") return 6;
  if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
  if (op == "<<" || op == ">>") return 8;
  if (op == "+" || op == "-") return 9;
  if (op == "*" || op == "/" || op == "%") return 10;
  return 0;
}

}  // namespace racer
