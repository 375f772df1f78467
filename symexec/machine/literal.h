// Literals of PTX text as bit patterns of the operand's type.
#ifndef RACER_SYMEXEC_MACHINE_LITERAL_H_
#define RACER_SYMEXEC_MACHINE_LITERAL_H_

#include <cstdint>
#include <optional>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

// The low BitWidth(type) bits that a kImmediate or kFloat operand stands for where `type` is expected.
// Integers are cut to the width; decimal and 0d literals are rounded once, to nearest even; a 0f literal
// where bits are expected is its pattern. nullopt where the manual gives no meaning: an integer literal
// for a floating type, a 64-bit floating literal for 8 to 32 untyped bits, a float for an integer type,
// a format that has no literals (tf32, e4m3, packed types).
std::optional<uint64_t> LiteralPattern(const ir::Operand& operand, ScalarType type);

// Correctly rounded (nearest even) encodings of a binary64 pattern.
uint64_t RoundToF32(uint64_t f64_bits);
uint64_t RoundToF16(uint64_t f64_bits);
uint64_t RoundToBF16(uint64_t f64_bits);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_LITERAL_H_
