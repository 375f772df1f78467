#include "checker/cascade.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string_view>
#include <unordered_set>

#include "base/check.h"
#include "base/rational.h"
#include "checker/edge_points.h"
#include "checker/literals.h"
#include "checker/renaming.h"
#include "checker/roundings.h"
#include "symexec/ball/dtype.h"

namespace racer {
namespace {

constexpr int kBallPrecision = 192;
constexpr char kWithinLiterals[] =
    "at the inputs tried, the sides differ by no more than the rounding of their literals (--constants=exact takes literals as exact)";
constexpr char kWithinApproximations[] =
    "the sides differ over the reals, but by no more than the manual allows their approximate instructions to be off";
constexpr char kReadings[] =
    "a comparison, a rounding to an integer or a sign comes out by whether a literal is taken for its exact value or for the real number "
    "that it rounds (--constants=exact takes literals as exact)";
constexpr char kUnsettled[] =
    "a comparison, a rounding to an integer, a root, a quotient or a difference of constants depends on how they are rounded or "
    "approximated, and the sides are not the same whatever comes out";
constexpr char kOutOfTime[] = "the time limit was near before this cell was decided (--timeout)";
constexpr char kNotReplayed[] =
    "the solver names an input at which the sides differ over the reals, which no replay of both kernels shows (a value out of its "
    "format's range, or a difference below rounding): a `range` in the contract keeps such inputs out";
// Certified differences tried in replay per point; the largest relative ones come first.
constexpr size_t kReplaysPerPoint = 8;

struct Candidate {
  const CellPair* cell;
  double relative;  // lower bound of |a-b| / max(|a|,|b|)
};

bool IsFinite(FpFormat format, uint64_t bits) {
  switch (format) {
    case FpFormat::kF16: return (bits & 0x7c00) != 0x7c00;
    case FpFormat::kBF16: return (bits & 0x7f80) != 0x7f80;
    case FpFormat::kTF32:
    case FpFormat::kF32: return (bits & 0x7f800000) != 0x7f800000;
    case FpFormat::kF64: return (bits & 0x7ff0000000000000) != 0x7ff0000000000000;
    case FpFormat::kE4M3: return (bits & 0x7f) != 0x7f;
    case FpFormat::kE5M2: return (bits & 0x7c) != 0x7c;
    case FpFormat::kUE8M0: return (bits & 0xff) != 0xff;
    case FpFormat::kE2M3:
    case FpFormat::kE3M2:
    case FpFormat::kE2M1: return true;
  }
  RACER_UNREACHABLE(format);
}

using ValueKind = BallEvaluator::Value::Kind;

// Whether exact evaluation says that the cell differs here; the score ranks cells for replay.
std::optional<double> CertainDifference(BallEvaluator& ball, const CellPair& cell) {
  BallEvaluator::Value a = ball.Evaluate(cell.candidate, /*with_decimal=*/false);
  BallEvaluator::Value b = ball.Evaluate(cell.reference, /*with_decimal=*/false);
  if (!cell.floating) {
    if (a.kind != ValueKind::kBits || b.kind != ValueKind::kBits || a.bits == b.bits) return std::nullopt;
    return 1.0;
  }
  if (a.kind == ValueKind::kReal && b.kind == ValueKind::kReal) {
    if (!ball.CertainlyDifferent(cell.candidate, cell.reference)) return std::nullopt;
    double magnitude = ball.MagnitudeUpperBound(cell.candidate, cell.reference);
    return magnitude > 0 ? ball.DifferenceLowerBound(cell.candidate, cell.reference) / magnitude : 0.0;
  }
  bool one_undefined =
      (a.kind == ValueKind::kUndefined && b.kind == ValueKind::kReal) || (a.kind == ValueKind::kReal && b.kind == ValueKind::kUndefined);
  return one_undefined ? std::optional<double>(1.0) : std::nullopt;
}

// Whether a replayed pattern is this side's value and could not be the other's: it lies within half the certified
// difference of its own exact value. Rounding noise alone can therefore never pass for a difference.
bool BelongsToSide(BallEvaluator& ball, const CellPair& cell, TermId side, TermId other, uint64_t bits) {
  BallEvaluator::Value own = ball.Evaluate(side, /*with_decimal=*/false);
  if (!cell.floating) return own.kind == ValueKind::kBits && own.bits == bits;
  if (own.kind == ValueKind::kUndefined) return !IsFinite(cell.format, bits);
  if (!IsFinite(cell.format, bits)) return false;
  double distance = ball.DistanceUpperBound(side, cell.format, bits);
  if (ball.Evaluate(other, /*with_decimal=*/false).kind == ValueKind::kUndefined) {
    return distance <= 0.125 * std::max(1.0, std::fabs(own.middle));
  }
  return distance < 0.5 * ball.DifferenceLowerBound(cell.candidate, cell.reference);
}

// The approximate instructions at and below a term.
std::unordered_set<TermId> ApproximateTerms(const TermStore& store, TermId term) {
  std::unordered_set<TermId> seen{term}, found;
  std::vector<TermId> stack{term};
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    const TermKind kind = store.kind(id);
    const bool operation = kind == TermKind::kFpUnary || kind == TermKind::kFpBinary;
    if (operation && (store.fp_attr(id).approx || store.fp_attr(id).full)) found.insert(id);
    for (unsigned i = 0; i < store.arity(id); ++i) {
      if (seen.insert(store.operand(id, i)).second) stack.push_back(store.operand(id, i));
    }
  }
  return found;
}

// Whether the sides still certainly differ where approximate instructions are as far off as the manual lets them be. One that both sides
// have, at the same operands, gives both the same.
bool DiffersBeyondApproximations(const TermStore& store, const CellPair& cell, const InputPoint& point) {
  std::unordered_set<TermId> shared = ApproximateTerms(store, cell.candidate);
  const std::unordered_set<TermId> others = ApproximateTerms(store, cell.reference);
  if (shared.empty() && others.empty()) return true;
  std::erase_if(shared, [&](TermId id) { return !others.contains(id); });
  BallEvaluator ball(store, point, kBallPrecision, BallEvaluator::View::kApproximate);
  ball.TakeAsExact(std::move(shared));
  return CertainDifference(ball, cell).has_value();
}

std::string RealText(const CellPair& cell, const BallEvaluator::Value& value) {
  switch (value.kind) {
    case ValueKind::kReal: return value.decimal;
    case ValueKind::kBits: {
      if (!cell.is_signed || cell.width == 0 || cell.width > 64) return std::to_string(value.bits);
      const unsigned above = 64 - cell.width;
      return std::to_string(static_cast<int64_t>(value.bits << above) >> above);
    }
    case ValueKind::kUndefined: return "undefined";
    case ValueKind::kUnknown: return "unknown";
  }
  RACER_UNREACHABLE(value.kind);
}

// What the solver's answer means, and what may help.
std::string SolverText(const std::string& reason) {
  constexpr std::string_view kInTheQuery = " in the query";  // a function that is never sent
  if (!reason.ends_with(kInTheQuery)) return "Z3: " + reason;
  const std::string function = reason.substr(0, reason.size() - kInTheQuery.size());
  return "Z3 takes no " + (function == "exponential" ? "exponentials and logarithms" : function + "s") +
         ", so canonical forms alone decide: a reference that applies them to the same arguments as the candidate may be proved equal";
}

// Step 6: exact evaluation at concrete points, then a bit-exact replay of both kernels.
class Refuter {
 public:
  Refuter(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cell_counts, const Replay& replay,
          const CascadeOptions& options)
      : store_(store), ranges_(ranges), cell_counts_(cell_counts), replay_(replay), options_(options) {}

  std::optional<CellWitness> Refute(const std::vector<const CellPair*>& cells) {
    for (unsigned index = 0; index < kPointCount && !options_.out_of_budget(); ++index) {
      std::optional<CellWitness> witness = TryPoint(MakePoint(store_, ranges_, cell_counts_, index, options_.seed), cells);
      if (witness.has_value()) return witness;
    }
    std::vector<TermId> roots;
    for (const CellPair* cell : cells) roots.insert(roots.end(), {cell->candidate, cell->reference});
    const std::vector<Rational> edges = EdgeValues(store_, roots);
    for (unsigned index = 0; index < edges.size() && !options_.out_of_budget(); ++index) {
      std::optional<CellWitness> witness = TryPoint(EdgePoint(store_, ranges_, cell_counts_, edges, index), cells);
      if (witness.has_value()) return witness;
    }
    return std::nullopt;
  }

  std::optional<CellWitness> TryPoint(const InputPoint& point, const std::vector<const CellPair*>& cells) {
    // Empty where the contract's ranges hold no value of the dtype.
    if (point.bits.size() < cell_counts_.size()) return std::nullopt;
    BallEvaluator ball(store_, point, kBallPrecision);
    std::vector<Candidate> candidates;
    for (const CellPair* cell : cells) {
      std::optional<double> score = CertainDifference(ball, *cell);
      if (score.has_value()) candidates.push_back({cell, *score});
    }
    if (candidates.empty()) return std::nullopt;
    certain_difference_seen_ = true;
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) { return x.relative > y.relative; });
    if (candidates.size() > kReplaysPerPoint) candidates.resize(kReplaysPerPoint);
    std::vector<const CellPair*> asked;
    asked.reserve(candidates.size());
    for (const Candidate& candidate : candidates) asked.push_back(candidate.cell);
    std::vector<ReplayedCell> replayed = replay_(point, asked);
    RACER_CHECK(replayed.size() == asked.size());
    for (size_t i = 0; i < asked.size(); ++i) {
      const CellPair& cell = *asked[i];
      if (!replayed[i].candidate.has_value() || !replayed[i].reference.has_value()) continue;
      if (*replayed[i].candidate == *replayed[i].reference) continue;
      if (!BelongsToSide(ball, cell, cell.candidate, cell.reference, *replayed[i].candidate)) continue;
      if (!BelongsToSide(ball, cell, cell.reference, cell.candidate, *replayed[i].reference)) continue;
      if (options_.literals_rounded) {
        const std::optional<bool> rests =
            RestsOnLiterals(store_, cell.candidate, cell.reference, point, kBallPrecision, options_.out_of_budget);
        if (rests.value_or(false)) ++within_literals_;
        if (rests.value_or(true)) continue;
      }
      if (!DiffersBeyondApproximations(store_, cell, point)) {
        ++within_approximations_;
        continue;
      }
      CellWitness witness;
      witness.cell = cell;
      witness.point = point;
      witness.candidate_bits = *replayed[i].candidate;
      witness.reference_bits = *replayed[i].reference;
      witness.candidate_real = RealText(cell, ball.Evaluate(cell.candidate));
      witness.reference_real = RealText(cell, ball.Evaluate(cell.reference));
      return witness;
    }
    return std::nullopt;
  }

  // Around a point at which a difference rests on the rounding of literals: a solver likes the very end of the inputs at which a comparison
  // with a literal comes out, and further in the difference is one.
  std::optional<CellWitness> TryAround(const InputPoint& point, const CellPair& cell) {
    for (const Rational& factor : {Rational(1, 2), Rational(2), Rational(3, 4), Rational(5, 4)}) {
      if (options_.out_of_budget()) return std::nullopt;
      InputPoint scaled = point;
      for (size_t symbol = 0; symbol < scaled.bits.size(); ++symbol) {
        const Dtype dtype(store_.symbol(SymbolId{static_cast<uint16_t>(symbol)}).dtype);
        const SymbolRange range = symbol < ranges_.size() ? ranges_[symbol] : SymbolRange{};
        for (uint64_t& bits : scaled.bits[symbol]) {
          const std::optional<Rational> value = dtype.is_float() ? dtype.ValueOf(bits) : std::nullopt;
          if (value.has_value()) bits = dtype.NearestInRange(range, *value * factor).value_or(bits);
        }
      }
      if (std::optional<CellWitness> witness = TryPoint(scaled, {&cell})) return witness;
    }
    return std::nullopt;
  }

  // The sides differ over the reals at some point, though no replay showed it in the bits.
  bool certain_difference_seen() const { return certain_difference_seen_; }
  // How often a difference showed in the bits that approximate instructions account for.
  unsigned within_approximations() const { return within_approximations_; }
  // How often a difference showed in the bits, though it rests on the rounding of literals alone.
  unsigned within_literals() const { return within_literals_; }
  // Whether where the cell first certainly differs, that rests on the rounding of literals alone.
  bool IsWithinLiterals(const CellPair& cell) const {
    if (within_literals_ == 0) return false;
    for (unsigned index = 0; index < kPointCount && !options_.out_of_budget(); ++index) {
      const InputPoint point = MakePoint(store_, ranges_, cell_counts_, index, options_.seed);
      if (point.bits.size() < cell_counts_.size()) continue;
      BallEvaluator ball(store_, point, kBallPrecision);
      if (!CertainDifference(ball, cell).has_value()) continue;
      return RestsOnLiterals(store_, cell.candidate, cell.reference, point, kBallPrecision, options_.out_of_budget).value_or(false);
    }
    return false;
  }

 private:
  const TermStore& store_;
  const SymbolRanges& ranges_;
  const std::vector<uint64_t>& cell_counts_;
  const Replay& replay_;
  const CascadeOptions& options_;
  bool certain_difference_seen_ = false;
  unsigned within_literals_ = 0, within_approximations_ = 0;
};

// What the solver said about one cell. It holds for every cell with the same spelling: the query is the same but for the names,
// and so is what both kernels compute bit for bit at the renamed point, so a counterexample that did not replay does not there.
struct SolverAnswer {
  bool proved = false;
  std::string reason;  // not proved
};

struct OpenCell {
  const CellPair* cell;
  std::string reason;
  bool sums_kept;  // multiplying out may still prove it
};

}  // namespace

CascadeResult DecideCells(const TermStore& store, const SymbolRanges& ranges, const std::vector<uint64_t>& cell_counts,
                          const std::vector<CellPair>& cells, const Replay& replay, const CascadeOptions& options) {
  CascadeResult result;
  Normalizer normalizer(store, ranges, options.normal);
  Roundings roundings(store);
  bool rounds_to_integer = false, compares_rounded = false, drops_residual = false;
  uint32_t quantised = 0;  // by what the solver took for functions; canonical forms name theirs
  const auto note_roundings = [&](const CellPair& cell, bool by_solver) {
    const Roundings::Traits traits = roundings.Of(cell.candidate) | roundings.Of(cell.reference);
    rounds_to_integer |= by_solver && traits.to_integer;
    if (by_solver) quantised |= traits.quantised;
    compares_rounded |= traits.compares_rounded;
    drops_residual |= traits.residual;
  };
  std::vector<OpenCell> open;
  uint64_t probable = 0;
  int weakest_error = -100000;
  const auto depends_on_reading = [&](const CellPair& cell) {
    return normalizer.DependsOnReading(cell.candidate) || normalizer.DependsOnReading(cell.reference);
  };
  // Counts a proof; what is left where there is none.
  const auto prove = [&](const CellPair& cell, Effort effort) -> std::optional<OpenCell> {
    ProofOutcome outcome = cell.floating ? normalizer.ProveEqual(cell.candidate, cell.reference, effort)
                                         : normalizer.ProveIntegersEqual(cell.candidate, cell.reference);
    if (!cell.floating) {
      constexpr char kIntegers[] = "integer terms differ";
      if (outcome.status != ProofOutcome::Status::kProved) return OpenCell{&cell, kIntegers, false};
      // Of integers computed from integers alone no rounding is a matter of last bits: the solver looks at those.
      const Roundings::Traits traits = roundings.Of(cell.candidate) | roundings.Of(cell.reference);
      if (traits.decides_rounded && !traits.floating_input) return OpenCell{&cell, kIntegers, false};
    }
    const bool proved = outcome.status == ProofOutcome::Status::kProved || outcome.status == ProofOutcome::Status::kProbablyEqual;
    if (proved && depends_on_reading(cell)) return OpenCell{&cell, kReadings, false};
    if (outcome.sums_kept) return OpenCell{&cell, "canonical forms with sums as atoms differ", true};
    switch (outcome.status) {
      case ProofOutcome::Status::kProved:
        ++result.decided_by[outcome.step];
        note_roundings(cell, !cell.floating);
        return std::nullopt;
      case ProofOutcome::Status::kProbablyEqual:
        note_roundings(cell, false);
        ++result.decided_by["field"];
        ++probable;
        weakest_error = std::max(weakest_error, outcome.error_log2);
        return std::nullopt;
      case ProofOutcome::Status::kNotEqual: return OpenCell{&cell, "canonical forms differ", false};
      case ProofOutcome::Status::kUnknown: return OpenCell{&cell, outcome.reason, false};
    }
    RACER_UNREACHABLE(outcome.status);
  };
  for (const CellPair& cell : cells) {
    if (!cell.refusal.empty()) {
      open.push_back({&cell, cell.refusal, false});
      continue;
    }
    if (cell.candidate == cell.reference) {
      ++result.decided_by["same_term"];
      continue;
    }
    if (options.out_of_budget()) {
      open.push_back({&cell, kOutOfTime, false});
      continue;
    }
    if (std::optional<OpenCell> left = prove(cell, Effort::kQuick)) open.push_back(*left);
  }
  const auto note_assumptions = [&] {
    result.constants = normalizer.ledger();
    result.uninterpreted = normalizer.UninterpretedFunctions();
  };
  note_assumptions();

  Refuter refuter(store, ranges, cell_counts, replay, options);
  std::vector<const CellPair*> doubtful;
  doubtful.reserve(open.size());
  std::deque<CellPair> as_written;
  for (const OpenCell& entry : open) {
    if (!entry.cell->proof_only) {
      doubtful.push_back(entry.cell);
    } else if (entry.cell->candidate_as_written != kNoTerm) {
      CellPair& cell = as_written.emplace_back(*entry.cell);
      cell.candidate = cell.candidate_as_written;
      cell.reference = cell.reference_as_written;
      cell.proof_only = false;
      doubtful.push_back(&cell);
    }
  }
  if (!doubtful.empty()) {
    result.witness = refuter.Refute(doubtful);
    if (result.witness.has_value()) {
      result.verdict = CascadeResult::Verdict::kDifferent;
      ++result.decided_by["refuted"];
      return result;
    }
  }

  // No input tells the sides apart: now the expensive forms are worth their time.
  std::vector<OpenCell> still_open;
  for (OpenCell& entry : open) {
    std::optional<OpenCell> left = entry.sums_kept && !options.out_of_budget() ? prove(*entry.cell, Effort::kFull) : std::move(entry);
    if (left.has_value()) still_open.push_back(std::move(*left));
  }
  open = std::move(still_open);
  note_assumptions();

  unsigned queries = 0;
  Renaming renaming(store, ranges);
  std::map<Renaming::Spelling, SolverAnswer> answers;
  for (const OpenCell& entry : open) {
    std::string reason = entry.reason;
    const SolverAnswer* answer = nullptr;
    SolverAnswer fresh;
    std::optional<Renaming::Spelling> spelling;
    if (!entry.cell->refusal.empty()) {
      // No answer of the solver's would prove it.
    } else if (options.out_of_budget()) {
      if (reason != kOutOfTime) reason += std::string("; ") + kOutOfTime;
    } else {
      spelling = renaming.Spell({entry.cell->candidate, entry.cell->reference}, options.smt.max_nodes);
      const auto known = spelling.has_value() ? answers.find(*spelling) : answers.end();
      if (known != answers.end()) {
        answer = &known->second;
      } else if (queries >= options.max_smt_queries) {
        reason += "; solver not asked: limit of " + std::to_string(options.max_smt_queries) + " queries a shape";
      } else {
        ++queries;
        SmtOutcome smt = SmtProveEqual(store, ranges, cell_counts, entry.cell->candidate, entry.cell->reference,
                                       "cell_" + std::to_string(entry.cell->output) + "_" + std::to_string(entry.cell->cell), options.smt);
        if (smt.status == SmtOutcome::Status::kCounterexample && smt.point.has_value() && !entry.cell->proof_only) {
          const unsigned before = refuter.within_literals();
          result.witness = refuter.TryPoint(*smt.point, {entry.cell});
          if (!result.witness.has_value() && refuter.within_literals() > before) {
            result.witness = refuter.TryAround(*smt.point, *entry.cell);
          }
          if (result.witness.has_value()) {
            result.verdict = CascadeResult::Verdict::kDifferent;
            ++result.decided_by["refuted"];
            return result;
          }
          fresh.reason = refuter.within_literals() > before ? kWithinLiterals : kNotReplayed;
        } else {
          fresh.proved = smt.status == SmtOutcome::Status::kProved;
          fresh.reason = SolverText(smt.reason);
        }
        if (fresh.proved && depends_on_reading(*entry.cell)) {
          fresh.proved = false;
          fresh.reason = kReadings;
        }
        if (fresh.proved) {
          const Roundings::Traits traits = roundings.Of(entry.cell->candidate) | roundings.Of(entry.cell->reference);
          // Integers show a comparison or a conversion that came out otherwise in full. Do they agree whatever the roundings are?
          const bool matters = !entry.cell->floating && traits.decides_rounded &&
                               SmtProveEqual(store, ranges, cell_counts, entry.cell->candidate, entry.cell->reference,
                                             smt.name + "_rounded", options.smt, SmtRounding::kUnknown)
                                       .status != SmtOutcome::Status::kProved;
          if (matters && !traits.floating_input) {
            fresh.proved = false;
            fresh.reason =
                "equal over the reals only, and integers computed from integers alone are not taken for reals: rounding decides a "
                "comparison or a conversion to an integer";
          } else if (matters || entry.cell->floating || !traits.decides_rounded) {
            note_roundings(*entry.cell, true);
          }
        }
        answer = spelling.has_value() ? &answers.emplace(std::move(*spelling), std::move(fresh)).first->second : &fresh;
      }
    }
    if (answer != nullptr && answer->proved) {
      ++result.decided_by["z3"];
      continue;
    }
    if (result.undecided_cells++ > 0) continue;
    if (!entry.cell->refusal.empty()) {
      reason = entry.cell->refusal;
    } else if (entry.cell->proof_only) {
      reason = kUnsettled;
    } else if (entry.reason == kReadings || (answer != nullptr && answer->reason == kReadings)) {
      reason = kReadings;
    } else if ((answer != nullptr && answer->reason == kWithinLiterals) || refuter.IsWithinLiterals(*entry.cell)) {
      reason = kWithinLiterals;
    } else {
      if (answer != nullptr) reason += "; " + answer->reason;
      if (refuter.within_approximations() > 0) {
        reason += std::string("; ") + kWithinApproximations;
      } else if (refuter.certain_difference_seen()) {
        reason += "; the sides differ over the reals, but no replayed input shows it beyond rounding";
      }
    }
    result.out_of_time = reason.find(kOutOfTime) != std::string::npos;
    result.undecided_cell = *entry.cell;
    result.reason = reason;
  }
  for (std::string& name : Roundings::QuantiserNames(quantised)) {
    const auto known = std::find(result.uninterpreted.begin(), result.uninterpreted.end(), name);
    if (known == result.uninterpreted.end()) result.uninterpreted.push_back(std::move(name));
  }
  if (rounds_to_integer) result.uninterpreted.emplace_back("rounding to an integer (cvt.rni, rzi, rmi, rpi)");
  if (compares_rounded) {
    result.assumptions.emplace_back(
        "a comparison of computed values is decided on the real values: where rounding changes its outcome, the results may differ");
  }
  if (drops_residual) result.assumptions.emplace_back("the residual of a narrowing conversion, such as x - bf16(x), is taken as 0");
  if (result.undecided_cells > 0) {
    result.verdict = CascadeResult::Verdict::kUndecided;
  } else if (probable > 0) {
    result.verdict = CascadeResult::Verdict::kProbablyEqual;
    result.error_log2 = weakest_error + static_cast<int>(std::ceil(std::log2(static_cast<double>(probable))));
  } else {
    result.verdict = CascadeResult::Verdict::kEqual;
  }
  return result;
}

std::optional<CellWitness> CertifyAt(const TermStore& store, const CellPair& cell, const InputPoint& point, const Replay& replay,
                                     const CascadeOptions& options) {
  const SymbolRanges ranges;
  const std::vector<uint64_t> cell_counts(point.bits.size());
  return Refuter(store, ranges, cell_counts, replay, options).TryPoint(point, {&cell});
}

}  // namespace racer
