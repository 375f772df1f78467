#include "ptx_frontend/lex/literal.h"

#include <bit>
#include <charconv>
#include <limits>

namespace racer {
namespace {

std::optional<uint64_t> Digits(std::string_view text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool HasPrefix(std::string_view text, char letter) { return text.size() > 1 && text[0] == '0' && (text[1] | 0x20) == letter; }

}  // namespace

std::optional<IntegerLiteral> ParseIntegerLiteral(std::string_view text) {
  IntegerLiteral literal;
  if (text.ends_with('U')) {
    literal.is_unsigned = true;
    text.remove_suffix(1);
  }
  std::optional<uint64_t> value;
  if (HasPrefix(text, 'x')) {
    value = Digits(text.substr(2), 16);
  } else if (HasPrefix(text, 'b')) {
    value = Digits(text.substr(2), 2);
  } else if (text.size() > 1 && text[0] == '0') {
    value = Digits(text.substr(1), 8);
  } else {
    value = Digits(text, 10);
  }
  if (!value) return std::nullopt;
  literal.value = *value;
  literal.is_unsigned |= *value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return literal;
}

std::optional<FloatLiteral> ParseFloatLiteral(std::string_view text) {
  if (HasPrefix(text, 'f') || HasPrefix(text, 'd')) {
    const uint8_t width = HasPrefix(text, 'f') ? 32 : 64;
    if (text.size() != 2u + width / 4) return std::nullopt;
    const std::optional<uint64_t> bits = Digits(text.substr(2), 16);
    if (!bits) return std::nullopt;
    return FloatLiteral{*bits, width};
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range: from_chars says so for both ends; refused, not rounded to infinity or zero.
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return FloatLiteral{std::bit_cast<uint64_t>(value), 64};
}

}  // namespace racer
