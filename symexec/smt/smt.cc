#include "symexec/smt/smt.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/dtype.h"
#include "symexec/smt/query.h"
#include "symexec/smt/subprocess.h"

namespace racer {
namespace {

using Status = SmtOutcome::Status;

// Everything reachable from the roots, operands first (an operand is made before the term that uses it). Stops early at
// more than `limit` terms.
std::vector<TermId> Reachable(const TermStore& store, std::vector<TermId> roots, uint64_t limit) {
  std::unordered_set<TermId> seen(roots.begin(), roots.end());
  std::vector<TermId> stack(seen.begin(), seen.end());
  while (!stack.empty() && seen.size() <= limit) {
    const TermId id = stack.back();
    stack.pop_back();
    for (unsigned i = 0; i < store.arity(id); ++i) {
      if (seen.insert(store.operand(id, i)).second) stack.push_back(store.operand(id, i));
    }
  }
  std::vector<TermId> order(seen.begin(), seen.end());
  std::sort(order.begin(), order.end());
  return order;
}

// Why the operation is never sent; empty if it may be.
std::string RefusedOperation(FpKind kind) {
  switch (kind) {
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow:
    case FpKind::kTanh: return "exponential in the query";
    case FpKind::kSin:
    case FpKind::kCos: return "trigonometric function in the query";
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kDiv:
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRcp:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kRoundInt: return "";
  }
  RACER_UNREACHABLE(kind);
}

bool IsFpOperation(TermKind kind) { return kind == TermKind::kFpUnary || kind == TermKind::kFpBinary || kind == TermKind::kFpTernary; }

// The reason why the query cannot be asked; empty if it can.
std::string RefusalReason(const TermStore& store, const SymbolRanges& ranges, const std::vector<TermId>& terms) {
  for (TermId id : terms) {
    if (IsFpOperation(store.kind(id))) {
      std::string reason = RefusedOperation(store.fp_kind(id));
      if (!reason.empty()) return reason;
    }
    if (store.kind(id) == TermKind::kFpInput || store.kind(id) == TermKind::kBvInput) {
      const size_t symbol = static_cast<size_t>(store.input_symbol(id));
      const Dtype dtype(store.symbol(store.input_symbol(id)).dtype);
      const bool empty = symbol < ranges.size() && (dtype.is_float() ? IsEmpty(ranges[symbol]) : !dtype.IntegerEnds(ranges[symbol]));
      // A contradiction would prove everything.
      if (empty) return "empty input range";
    }
  }
  return "";
}

// The point of a "counterexample" answer; nullopt if a value has no pattern in its range.
std::optional<InputPoint> ReadPoint(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells,
                                    std::istream& answer) {
  // Cells outside the query do not matter to it: ones, or what the ranges allow.
  InputPoint point = MakePoint(store, ranges, cells, 0, 0);
  if (point.bits.size() != store.symbol_count()) return std::nullopt;
  size_t symbol = 0, cell = 0;
  std::string text;
  while (answer >> symbol >> cell >> text) {
    const std::optional<Rational> value = Rational::Parse(text);
    RACER_CHECK(symbol < point.bits.size());
    if (!value) return std::nullopt;  // hundreds of digits
    if (cell >= point.bits[symbol].size()) return std::nullopt;
    const Dtype dtype(store.symbol(static_cast<SymbolId>(symbol)).dtype);
    const SymbolRange range = symbol < ranges.size() ? ranges[symbol] : SymbolRange{};
    if (dtype.is_float()) {
      const std::optional<uint64_t> bits = dtype.NearestInRange(range, *value);
      if (!bits) return std::nullopt;
      point.bits[symbol][cell] = *bits;
    } else {
      // A pattern, read as an unsigned number.
      RACER_CHECK(value->IsInteger() && value->Sign() >= 0);
      point.bits[symbol][cell] = fmpz_get_ui(fmpq_numref(value->raw()));
    }
  }
  return point;
}

SmtOutcome Unknown(SmtOutcome outcome, std::string reason) {
  outcome.status = Status::kUnknown;
  outcome.reason = std::move(reason);
  return outcome;
}

std::string InSeconds(double seconds) {
  std::ostringstream text;
  text << seconds << " s";
  return text.str();
}

// Whether nothing in a query needs more than gates: no value, no product, no quotient.
bool IsGatesOnly(const TermStore& store, const std::vector<TermId>& terms) {
  for (TermId id : terms) {
    if (!store.IsBits(id)) return false;
    switch (store.kind(id)) {
      case TermKind::kBvMul:
      case TermKind::kBvUDiv:
      case TermKind::kBvURem:
      case TermKind::kBvSDiv:
      case TermKind::kBvSRem: return false;
      default: break;
    }
  }
  return true;
}

SmtOutcome Decide(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a, TermId b,
                  bool about_undefined, SmtRounding rounding, const SmtLimits& limits, SmtOutcome outcome) {
  RACER_CHECK(store.IsBits(a) == store.IsBits(b));
  RACER_CHECK(!store.IsBits(a) || store.width(a) == store.width(b));
  std::vector<TermId> terms = Reachable(store, {a, b}, limits.max_nodes);
  if (terms.size() > limits.max_nodes) return Unknown(outcome, "query too large: more than " + std::to_string(limits.max_nodes) + " terms");
  outcome.nodes = terms.size();
  const bool undefined = store.ContainsUndef(a) || store.ContainsUndef(b);
  if (undefined && (!about_undefined || store.kind(a) == TermKind::kUndef)) return Unknown(outcome, "undefined value");
  if (a == b && !undefined) {
    outcome.status = Status::kProved;
    return outcome;
  }
  if (std::string reason = RefusalReason(store, ranges, terms); !reason.empty()) return Unknown(outcome, reason);
  const bool gates_only = IsGatesOnly(store, terms);
  const SmtQuery query{.store = store,
                       .ranges = ranges,
                       .terms = std::move(terms),
                       .a = a,
                       .b = b,
                       .about_undefined = about_undefined,
                       .rounded_unknown = rounding == SmtRounding::kUnknown,
                       .gates_only = gates_only,
                       .rlimit = limits.rlimit,
                       .timeout_ms = static_cast<unsigned>(std::clamp(limits.seconds * 4000, 1.0, 4e9)),
                       .memory_megabytes = static_cast<unsigned>(std::clamp<uint64_t>(limits.memory_bytes >> 20, 1, 1u << 30))};
  // Z3 keeps to memory_megabytes by itself; the hard limit also counts address space that a thread's heap only reserves.
  constexpr uint64_t kReserved = uint64_t{256} << 20;
  const SubprocessResult run =
      RunInSubprocess([&query] { return SolveHere(query); }, outcome.name, limits.seconds, limits.memory_bytes + kReserved);
  switch (run.kind) {
    case SubprocessResult::Kind::kTimedOut: return Unknown(outcome, "solver limit: killed after " + InSeconds(limits.seconds));
    case SubprocessResult::Kind::kDied:
      return Unknown(outcome, "solver limit: the solver process ended without an answer (" + run.detail + ")");
    case SubprocessResult::Kind::kNotStarted: return Unknown(outcome, "solver process not started: " + run.detail);
    case SubprocessResult::Kind::kFinished: break;
  }
  std::istringstream answer(run.output);
  std::string word;
  answer >> word;
  if (word == "proved") {
    outcome.status = Status::kProved;
    return outcome;
  }
  if (word == "unknown") {
    std::string reason;
    std::getline(answer >> std::ws, reason);
    return Unknown(outcome, reason);
  }
  RACER_CHECK(word == "counterexample");
  outcome.point = ReadPoint(store, ranges, cells, answer);
  if (!outcome.point) return Unknown(outcome, "counterexample not representable");
  outcome.status = Status::kCounterexample;
  return outcome;
}

SmtOutcome Timed(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a, TermId b,
                 bool about_undefined, SmtRounding rounding, const std::string& name, const SmtLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  SmtOutcome outcome;
  outcome.name = name;
  outcome = Decide(store, ranges, cells, a, b, about_undefined, rounding, limits, std::move(outcome));
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace

SmtOutcome SmtProveEqual(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a, TermId b,
                         const std::string& name, const SmtLimits& limits, SmtRounding rounding) {
  return Timed(store, ranges, cells, a, b, false, rounding, name, limits);
}

SmtOutcome SmtProveDefined(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cells, TermId a,
                           const std::string& name, const SmtLimits& limits) {
  return Timed(store, ranges, cells, a, a, true, SmtRounding::kUnknown, name, limits);
}

}  // namespace racer
