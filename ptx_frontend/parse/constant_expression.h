// Constant expressions: operators of C over 64-bit integers and doubles (manual: "Constant Expressions").
#ifndef RACER_PTX_FRONTEND_PARSE_CONSTANT_EXPRESSION_H_
#define RACER_PTX_FRONTEND_PARSE_CONSTANT_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace racer {

struct ConstantValue {
  bool is_float = false;
  bool is_unsigned = false;  // .u64 rather than .s64
  uint8_t float_width = 64;  // 32: a lone 0f literal, bits are those of an f32
  uint64_t bits = 0;

  bool IsTrue() const;
};

// nullopt with `*error` set: division by zero, a shift of 64 or more, or a float where integers are needed.
std::optional<ConstantValue> ApplyUnary(char op, const ConstantValue& a, std::string* error);
std::optional<ConstantValue> ApplyBinary(std::string_view op, const ConstantValue& a, const ConstantValue& b, std::string* error);
// 1 (||) to 10 (* / %); 0: no binary operator.
int BinaryPrecedence(std::string_view op);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_PARSE_CONSTANT_EXPRESSION_H_
