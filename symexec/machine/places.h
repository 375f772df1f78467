// Names of places, threads and addresses for messages.
#ifndef RACER_SYMEXEC_MACHINE_PLACES_H_
#define RACER_SYMEXEC_MACHINE_PLACES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "symexec/machine/layout.h"
#include "symexec/machine/run.h"
#include "symexec/term/term.h"

namespace racer {

// The coordinates of a linear index, x fastest: "(3,0,1)".
std::string CoordinateName(uint64_t index, const Dim3& extent);

// "1 byte", "4 bytes".
std::string ByteCount(uint64_t count);

// Names an access relative to a segment: "x+16" inside, else how far it is before the start or past the end.
// `segment` may be null: nothing is mapped in that space.
std::string DescribeAddress(Space space, uint64_t address, uint64_t size, const Segment* segment, bool inside);

// The cause of the first Undef met at or below a term, operands left to right.
// Without `arms` not below those of selections on symbolic data, which may never be chosen.
std::optional<uint32_t> FirstUndef(const TermStore& store, TermId term, bool arms);
// The name of a tensor of integers, if a term depends on the cells of such tensors alone; else empty.
std::string IntegerTensorOf(const TermStore& store, TermId term);
// Whether an input is at or below the term.
bool HasInput(const TermStore& store, TermId term);
// Of values that are no terms, every one may.
template <class Names>
bool HasInput(const Names&, TermId) {
  return true;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_PLACES_H_
