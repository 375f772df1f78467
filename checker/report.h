// Everything that a check has to say, and its forms: JSON (schema 1 of docs/interface.md), one screen of text, exit status.
#ifndef RACER_CHECKER_REPORT_H_
#define RACER_CHECKER_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "symexec/machine/run.h"

namespace racer {

enum class Verdict : uint8_t { kEquivalent, kDifferent, kViolation, kUndecided, kInputError, kInternalError };
enum class Grade : uint8_t { kNone, kProbabilistic, kProved };
enum class GateStatus : uint8_t { kPass, kFail, kUndecided, kNotApplicable };

std::string_view VerdictName(Verdict verdict);  // as in JSON
std::string_view GradeName(Grade grade);
std::string_view GateName(Gate gate);  // "bounds", "special_values", ...
std::optional<Gate> GateFromName(std::string_view name);
std::string_view GateStatusName(GateStatus status);
// Every gate in the order of the report.
const std::vector<Gate>& AllGates();
int ExitStatus(Verdict verdict);  // 0 to 4

struct Place {
  Side side = Side::kCandidate;
  Where where;
};

constexpr const char* kNotAskedFor = "not asked for";           // message of a gate that --gates does not name
constexpr std::string_view kNotDecided = "not decided: gate ";  // starts the message of a gate that another one's failure left open
struct GateReport {
  Gate gate = Gate::kParse;
  GateStatus status = GateStatus::kNotApplicable;
  std::string message;
  std::vector<Place> where;
};

// Key of ShapeReport::decided_by: cells that were not proved equal and not decided either, since a witness for another cell
// ended the shape.
constexpr std::string_view kNotLookedAt = "not_looked_at";

struct ShapeReport {
  std::vector<std::pair<std::string, int64_t>> dims;
  std::string domain;  // "term"
  uint64_t cells = 0;
  std::vector<std::pair<std::string, uint64_t>> decided_by;  // step, cells; printed in this order
  std::string variant{};  // of several runs at these dims what sets this one apart ("index table 2"); empty for the first
};

// Shapes larger than those proved, tested at a random point of prime fields. That is no proof, and no verdict rests on it.
struct FieldReport {
  enum class Status : uint8_t {
    kTested,  // every cell is equal, but with a probability of 2^error_log2
    kUnlike,  // reason: a suspicion, at which shape and cell
    kNotRun,  // reason
  } status = Status::kNotRun;
  std::string reason;
  std::optional<int> error_log2;
  std::vector<ShapeReport> shapes;  // domain "field"
};
std::string_view FieldStatusName(FieldReport::Status status);

struct WitnessReport {
  std::string cell;                                   // "y[0,3]"
  std::vector<std::pair<std::string, int64_t>> dims;  // of the shape
  // Name ("x[0,3]", "eps") and value, all of them in JSON; the text shows the first few. `rest` says what all others are.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::string rest;  // "every other input is 1"; may be empty
  // Tensors of role index: name and integers, row-major. The kernels ran with exactly these.
  std::vector<std::pair<std::string, std::vector<int64_t>>> index_tensors;
  std::string candidate, reference;                       // values
  std::string candidate_real, reference_real;             // certified decimals over the reals; may be empty
  std::optional<Place> candidate_where, reference_where;  // of the stores
  bool replayed = false;
};

struct ConstantReport {
  std::string bits;    // "0x3b2aaaab"
  std::string format;  // "f32"
  std::string real;    // "1/384"
  double ulp_distance = 0;
  std::optional<Place> where;
};

// A piece of library code that counts as the real function that it computes.
struct IdiomReport {
  std::string idiom;           // "expf"
  std::string function;        // "exp(x)"
  std::string error;           // "2 ulp"
  std::string domain;          // "every x"
  std::string options;         // "nvcc 13.0 -ftz=true"
  std::optional<Place> where;  // of its result
};

// What one kernel uses: `inspect` only.
struct ResourcesReport {
  std::vector<std::pair<std::string, uint64_t>> registers;  // type, count
  uint64_t static_shared_bytes = 0;
  uint64_t loops = 0;
  std::vector<std::pair<std::string, uint64_t>> instructions;  // full name, uses; most used first
};

struct StatsReport {
  double seconds = 0;
  uint64_t thread_instructions = 0;
  uint64_t terms = 0;
  uint64_t peak_bytes = 0;
  double field_seconds = 0;  // of `seconds`, in the field
};

struct Report {
  Verdict verdict = Verdict::kInternalError;
  Grade grade = Grade::kNone;
  std::optional<int> error_log2;     // kProbabilistic: error <= 2^error_log2 (negative)
  std::string failed_gate;           // kViolation: name of the gate
  std::string reason;                // kUndecided, kInputError: one line after the verdict word
  std::string summary;               // one sentence
  std::string candidate, reference;  // "file.ptx:entry"
  std::string contract;              // the file that it was read from; empty if inferred
  std::vector<GateReport> gates;
  std::vector<ShapeReport> shapes;
  std::optional<FieldReport> field;    // nullopt: was not to be run
  std::vector<std::string> unreached;  // signatures or parts of the domain that were not reached
  std::optional<WitnessReport> witness;
  std::vector<std::string> assumptions;
  std::vector<ConstantReport> constants;
  std::vector<IdiomReport> idioms;
  std::optional<ResourcesReport> resources;
  std::string hint;                     // the next step, one line; may be empty
  std::string inferred_contract;        // TOML, if racer inferred it
  std::string contract_skeleton;        // TOML to be edited, where racer could not
  std::vector<Diagnostic> diagnostics;  // kInputError: printed to standard error by the command
  StatsReport stats;
};

// Pretty-printed, ends with a newline. Key order as in docs/interface.md.
std::string ToJson(const Report& report);
// The report of a text of ToJson, without its diagnostics; nullopt for any other text.
std::optional<Report> FromJson(const std::string& text);
// SARIF 2.1.0: one result for every failed or undecided gate and every diagnostic; none for gates that another failure left open.
std::string ToSarif(const Report& report);

struct TextStyle {
  bool color = false;
  bool verbose = false;   // nothing is cut
  bool quiet = false;     // the verdict line only
  std::string program{};  // how racer was called, as a word of a shell, where a next step is a command; empty: racer
};
// The verdict for people: verdict line first, then reason, shapes, gates, witness, constants, assumptions.
std::string ToText(const Report& report, const TextStyle& style);
// "EQUIVALENT (probabilistic, error <= 2^-40)", "VIOLATION bounds", ... "PASS" where every gate asked for holds and equivalence
// was not among them.
std::string VerdictLine(const Report& report);

}  // namespace racer

#endif  // RACER_CHECKER_REPORT_H_
