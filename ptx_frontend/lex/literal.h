// Values of numeric literals (manual: "Constants").
#ifndef RACER_PTX_FRONTEND_LEX_LITERAL_H_
#define RACER_PTX_FRONTEND_LEX_LITERAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace racer {

struct IntegerLiteral {
  uint64_t value = 0;
  bool is_unsigned = false;  // U suffix, or too large for s64
};
// Decimal, 0x, 0 (octal) or 0b, with an optional U. nullopt: malformed or wider than 64 bits.
std::optional<IntegerLiteral> ParseIntegerLiteral(std::string_view text);

struct FloatLiteral {
  uint64_t bits = 0;
  uint8_t width = 64;  // 32 for 0f
};
// 0f and 8 hex digits, 0d and 16, or a decimal with a point or exponent, rounded to the nearest f64.
std::optional<FloatLiteral> ParseFloatLiteral(std::string_view text);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_LEX_LITERAL_H_
