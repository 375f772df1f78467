// Z3 on the residue: piecewise, polynomial and bit-vector equalities, in a killable subprocess.
#ifndef RACER_SYMEXEC_SMT_SMT_H_
#define RACER_SYMEXEC_SMT_SMT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "symexec/term/inputs.h"
#include "symexec/term/term.h"

namespace racer {

struct SmtLimits {
  unsigned rlimit = 20'000'000;  // Z3's deterministic resource count
  double seconds = 5;            // of the subprocess's processor time, after which it is killed
  uint64_t memory_bytes = uint64_t{1} << 30;
  uint64_t max_nodes = 20'000;  // larger queries are not sent
};

struct SmtOutcome {
  // kProved: equal, and defined at the same inputs.
  enum class Status : uint8_t { kProved, kCounterexample, kUnknown } status = Status::kUnknown;
  std::string reason;               // kUnknown: "solver limit", "query too large", "exponential in the query", ...
  std::optional<InputPoint> point;  // kCounterexample: a candidate only; it counts once replayed. Every cell of every symbol has a value
  std::string name;                 // of the query
  uint64_t nodes = 0;               // distinct terms in the query; 0 if they were not counted to the end
  double seconds = 0;               // wall-clock time, for logs only
};

// What comparisons and roundings to integers see of a computed value: its real value, as if nothing had been rounded, or a real number
// of its own for each term that rounds or flushes. A proof with the latter holds whatever the roundings are.
enum class SmtRounding : uint8_t { kIgnored, kUnknown };

// Are the terms equal for every input in the ranges? R terms over the reals (roundings ignored; sqrt by s >= 0, s*s = x;
// division by a fresh quotient where the divisor is nonzero; both must be defined at the same inputs), B terms as bit-vectors.
// Roundings to integers are uninterpreted functions of the real value, and the pattern of a value is an unknown of its own for
// each term (it shows the rounding, which the reals do not): both are sound for proving; Ex2, Lg2, Tanh,
// Sin and Cos are refused. `cells[s]` is the number of cells of symbol s. `name` appears in logs and timings. The query runs in
// a forked child, which is killed at the deadline; nothing of Z3 lives in this process. Safe to call from several threads.
SmtOutcome SmtProveEqual(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a, TermId b,
                         const std::string& name, const SmtLimits& limits = {}, SmtRounding rounding = SmtRounding::kIgnored);

// Is the term one value at every input in the ranges, whatever the undefined values below it are? Every use of one is taken to
// be a value of its own. Proved: the term has a value everywhere, and putting anything in the place of any of them leaves it as it is.
// Comparisons never see real values that hardware rounds (SmtRounding::kUnknown): x + 1 > x keeps nothing out of reach.
SmtOutcome SmtProveDefined(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a,
                           const std::string& name, const SmtLimits& limits = {});

}  // namespace racer

#endif  // RACER_SYMEXEC_SMT_SMT_H_
