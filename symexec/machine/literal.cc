#include "symexec/machine/literal.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.h"

namespace racer {
namespace {

// A binary format with `exponent_bits` and `fraction_bits`, IEEE style with infinities.
uint64_t RoundToFormat(uint64_t f64_bits, int exponent_bits, int fraction_bits) {
  const double value = std::bit_cast<double>(f64_bits);
  const uint64_t sign = (f64_bits >> 63) << (exponent_bits + fraction_bits);
  const uint64_t exponent_mask = (uint64_t{1} << exponent_bits) - 1;
  if (std::isnan(value)) return sign | (exponent_mask << fraction_bits) | (uint64_t{1} << (fraction_bits - 1));
  if (std::isinf(value)) return sign | (exponent_mask << fraction_bits);
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = m * 2^exponent with m in [1/2, 1)
  exponent -= 1;
  const int quantum = std::max(exponent, 1 - bias) - fraction_bits;
  // Scaling by a power of two is exact here, so the only rounding is nearbyint's.
  const uint64_t units = static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, -quantum)));
  const int biased = quantum + fraction_bits + bias;
  // With a leading one at fraction_bits the field is biased; a carry out of the fraction moves into the exponent by itself.
  const uint64_t encoded = ((static_cast<uint64_t>(biased) - 1) << fraction_bits) + units;
  return sign | std::min(encoded, exponent_mask << fraction_bits);
}

}  // namespace

uint64_t RoundToF32(uint64_t f64_bits) { return RoundToFormat(f64_bits, 8, 23); }
uint64_t RoundToF16(uint64_t f64_bits) { return RoundToFormat(f64_bits, 5, 10); }
uint64_t RoundToBF16(uint64_t f64_bits) { return RoundToFormat(f64_bits, 8, 7); }

std::optional<uint64_t> LiteralPattern(const ir::Operand& operand, ScalarType type) {
  if (type == ScalarType::kNone) return std::nullopt;
  const unsigned width = BitWidth(type);
  if (width == 0 || width > 64) return std::nullopt;
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const TypeClass type_class = ClassOf(type);
  if (operand.kind == ir::Operand::Kind::kImmediate) {
    if (type_class == TypeClass::kPredicate) return operand.bits != 0 ? 1 : 0;
    if (type_class == TypeClass::kFloat || type_class == TypeClass::kOpaque) return std::nullopt;
    return operand.bits & mask;
  }
  if (operand.kind != ir::Operand::Kind::kFloat) return std::nullopt;
  if (type_class == TypeClass::kBits) {
    if (operand.float_width != width) return std::nullopt;
    return operand.bits & mask;
  }
  if (type_class != TypeClass::kFloat) return std::nullopt;
  if (operand.float_width == 32) {
    if (type == ScalarType::kF32) return operand.bits & mask;
    if (type != ScalarType::kF64) return std::nullopt;
    return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(operand.bits))));
  }
  if (type == ScalarType::kF64) return operand.bits;
  if (type == ScalarType::kF32) return RoundToF32(operand.bits);
  if (type == ScalarType::kF16) return RoundToF16(operand.bits);
  if (type == ScalarType::kBF16) return RoundToBF16(operand.bits);
  return std::nullopt;
}

}  // namespace racer
