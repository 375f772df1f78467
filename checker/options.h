// The command line.
#ifndef RACER_CHECKER_OPTIONS_H_
#define RACER_CHECKER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/version.h"
#include "symexec/machine/run.h"

namespace racer {

enum class Command : uint8_t { kCheck, kInspect, kExplain, kPrint };  // kPrint: never in Options
enum class ColorMode : uint8_t { kAuto, kAlways, kNever };

// One --dims: a partial assignment, in the order written.
using DimPins = std::vector<std::pair<std::string, int64_t>>;

struct Options {
  Command command = Command::kCheck;
  std::string candidate;  // path
  std::string reference;  // --ref: a path or "model:NAME"; empty for inspect
  std::string contract;   // --contract; empty: look for one
  std::string entry, reference_entry;
  std::vector<DimPins> dims;
  std::vector<DimPins> field;  // --field: shapes to test in the field; empty: one that racer picks
  bool no_field = false;       // --field none
  std::vector<Gate> gates;     // asked for; never empty
  // Without --gates, `determinism` is reported but not demanded: a sum by atomics is a right kernel to most users.
  bool demand_determinism = false;
  bool require_proof = false;
  bool exact_constants = false;
  double timeout_seconds = 300;  // of the whole command; 0: none
  uint64_t memory_bytes = uint64_t{4} << 30;
  unsigned jobs = 1;
  uint64_t seed = 1;
  std::string json;   // path or "-"; empty: none
  std::string sarif;  // path; empty: none
  bool quiet = false, verbose = false;
  ColorMode color = ColorMode::kAuto;
  std::string cell;               // explain: "y[1,3]"
  std::string program = "racer";  // as it was called
};

// What to do: run the command of `options`, or print `output` (to standard error if exit_status is not 0) and end.
struct ParsedCommandLine {
  std::optional<Options> options;
  std::string output;
  int exit_status = 0;
  // --json as far as it could be read, so that an input error reaches it too.
  std::string json;
};

// What is asked for without --gates: every gate that this version decides.
const std::vector<Gate>& DefaultGates();

// Never throws. Usage errors: one line, exit status 3.
ParsedCommandLine ParseCommandLine(int argc, const char* const* argv);

}  // namespace racer

#endif  // RACER_CHECKER_OPTIONS_H_
