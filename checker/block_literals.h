// The integers that a kernel shifts, masks or divides an index of its CTA by, or compares it with.
#ifndef RACER_CHECKER_BLOCK_LITERALS_H_
#define RACER_CHECKER_BLOCK_LITERALS_H_

#include <cstdint>
#include <vector>

#include "ptx_frontend/ir/module.h"

namespace racer {

// For numbers that come from %ctaid and are the same for all threads of a CTA (the order of tiles, groups of rows): such a number tells
// its bits from itself only in a CTA past the integer. Shifts and fields as powers of two, masks as their period, of a division by
// multiplication with a reciprocal a multiple of the divisor; and the largest product of two of them. At most kMostBlocks, what it is
// compared with kMostComparedBlocks, ascending.
constexpr int64_t kMostBlocks = 256;
constexpr int64_t kMostComparedBlocks = int64_t{1} << 31;
std::vector<int64_t> BlockLiterals(const ir::Function& entry);

// The value of a floating-point literal; 0 of anything else.
double FloatLiteral(const ir::Operand& operand);

// A mask, or the complement of one with the sign bit, tells a number from itself, or from 0, only past these: its smallest bit, and twice
// its largest. Only what is at least 2; 0x7c: 4 and 128; 0xffffff80: 128.
std::vector<int64_t> StepsOfMask(uint64_t mask, unsigned width);

}  // namespace racer

#endif  // RACER_CHECKER_BLOCK_LITERALS_H_
