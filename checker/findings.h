// Words for a report: witnesses, places, notes on rounding, the contract's own assumptions.
#ifndef RACER_CHECKER_FINDINGS_H_
#define RACER_CHECKER_FINDINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/cascade.h"
#include "checker/contract.h"
#include "checker/options.h"
#include "checker/report.h"
#include "checker/session.h"

namespace racer {

std::string FormatName(FpFormat format);                 // "f32"
std::string HexPattern(FpFormat format, uint64_t bits);  // "0x3f800000", as wide as the format
// "0.70710677 (0x3f3504f3)" for a float, "-3 (0xfffffffd)" for an integer of the dtype.
std::string ValueText(ScalarType dtype, uint64_t bits);

// Inputs that matter first: cells that the two terms of the witness read.
WitnessReport DescribeWitness(const Session& session, const CellWitness& witness);
// As one word of a POSIX shell.
std::string ShellWord(const std::string& text);
// The command that shows the cell's terms at that shape, quoted for a shell.
std::string ExplainCommand(const Options& options, const std::vector<std::pair<std::string, int64_t>>& dims, const std::string& cell);
std::optional<Place> PlaceOfTermOrigin(const Session& session, uint32_t origin);

// Named differences of rounding structure that equality over the reals does not see, e.g. an accumulator in f16.
std::vector<std::string> RoundingNotes(Session& session);

// Ranges, alignments, aliasing and indices that the verdict takes from the contract.
std::vector<std::string> ContractAssumptions(const Contract& contract);

// What a contract can say where an output is read before the kernel fills it; empty for any other finding. What the host puts there before
// the launch, zeros for a sum by atomics, only the contract can say.
std::string InitHint(const Contract& contract, const Finding& finding);

}  // namespace racer

#endif  // RACER_CHECKER_FINDINGS_H_
