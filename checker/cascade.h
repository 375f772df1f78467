// Deciding the output cells of one shape, cheapest step first (docs/design.md section 7).
#ifndef RACER_CHECKER_CASCADE_H_
#define RACER_CHECKER_CASCADE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "symexec/ball/ball.h"
#include "symexec/normal/normal.h"
#include "symexec/smt/smt.h"
#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

// One output cell on both sides. Floating cells hold R terms, integer cells B terms of equal width.
struct CellPair {
  int output = 0;     // index of the output tensor, of the caller's choosing
  uint64_t cell = 0;  // row-major index in it
  bool floating = true;
  FpFormat format = FpFormat::kF32;  // floating
  unsigned width = 32;               // bits of the cell
  bool is_signed = false;            // integer: how its number is printed
  TermId candidate = kNoTerm;
  TermId reference = kNoTerm;
  // Some inputs stand for what constants decide on a device (checker/unsettled.h): no value of theirs can be tried.
  bool proof_only = false;
  uint32_t decided_at = 0;  // proof_only: TermStore origin of such a decision
  // proof_only, where these inputs stand for numbers alone: what can be refuted instead; else kNoTerm.
  TermId candidate_as_written = kNoTerm, reference_as_written = kNoTerm;
  // Not empty: why equal terms prove nothing (checker/rounding_by_addition.h). Such a cell can be refuted.
  std::string refusal;
};

// What both kernels computed bit for bit at a point, for one cell; nullopt where a run did not complete.
struct ReplayedCell {
  std::optional<uint64_t> candidate, reference;
};
// Runs both kernels in the Bits domain at `point` and reads the cells asked for, in order.
using Replay = std::function<std::vector<ReplayedCell>(const InputPoint& point, const std::vector<const CellPair*>& cells)>;

struct CellWitness {
  CellPair cell;
  InputPoint point;
  uint64_t candidate_bits = 0, reference_bits = 0;
  std::string candidate_real, reference_real;  // certified decimals; "undefined" where the real function has no value
};

struct CascadeOptions {
  NormalOptions normal;
  SmtLimits smt;
  unsigned max_smt_queries = 64;
  // A literal that looks rounded is the rounding of what was meant: no witness rests on that alone. False (--constants=exact): it is exact.
  bool literals_rounded = true;
  uint64_t seed = 1;
  // True once the time of the whole check is used up; asked between steps.
  std::function<bool()> out_of_budget = [] { return false; };
};

struct CascadeResult {
  enum class Verdict : uint8_t { kEqual, kProbablyEqual, kDifferent, kUndecided } verdict = Verdict::kUndecided;
  std::map<std::string, uint64_t> decided_by;  // step -> cells
  int error_log2 = 0;                          // kProbablyEqual: of the whole shape (union bound over its cells)
  std::optional<CellWitness> witness;          // kDifferent
  std::string reason;                          // kUndecided: of the first undecided cell
  bool out_of_time = false;                    // kUndecided: by CascadeOptions::out_of_budget
  std::optional<CellPair> undecided_cell;
  uint64_t undecided_cells = 0;
  std::vector<LiftedConstant> constants;
  std::vector<std::string> uninterpreted;
  std::vector<std::string> assumptions;  // what proofs took for granted where roundings are discontinuous
};

// `cell_counts[s]` is the number of cells of symbol s.
CascadeResult DecideCells(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cell_counts,
                          const std::vector<CellPair>& cells, const Replay& replay, const CascadeOptions& options);

// The witness for one cell at one point: a certified difference, replayed bit for bit; nullopt where there is none.
std::optional<CellWitness> CertifyAt(const TermStore& store, const CellPair& cell, const InputPoint& point, const Replay& replay,
                                     const CascadeOptions& options);

}  // namespace racer

#endif  // RACER_CHECKER_CASCADE_H_
