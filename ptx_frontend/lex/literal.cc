#include "ptx_frontend/lex/literal.h"

#include <charconv>
#include <limits>

#include "base/check.h"

namespace racer {

std::optional<IntegerLiteral> ParseIntegerLiteral(std::string_view text) {
  IntegerLiteral literal;
  if (!text.empty() && text.back() == 'U') {
    literal.is_unsigned = true;
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = text[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), literal.value, base);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  RACER_CHECK(error == std::errc() && end == text.data() + text.size());
  if (literal.value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) literal.is_unsigned = true;
  return literal;
}

uint64_t ParseHexFloatLiteral(std::string_view text) {
  uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  RACER_CHECK(error == std::errc() && end == text.data() + text.size());
  return bits;
}

std::optional<double> ParseDecimalLiteral(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::general);
  if (error == std::errc::result_out_of_range) return std::nullopt;
  RACER_CHECK(error == std::errc() && end == text.data() + text.size());
  return value;
}

}  // namespace racer
