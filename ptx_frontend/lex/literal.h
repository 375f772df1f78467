// Values of PTX literals (manual: "Constants").
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

// The text of a kInteger token; nullopt if the value does not fit 64 bits.
std::optional<IntegerLiteral> ParseIntegerLiteral(std::string_view text);
// The bits of a kFloat32 or kFloat64 token.
uint64_t ParseHexFloatLiteral(std::string_view text);
// The binary64 value nearest to a kDecimal token; nullopt if it is out of range.
std::optional<double> ParseDecimalLiteral(std::string_view text);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_LEX_LITERAL_H_
