// `racer explain`: the term of one output cell on both sides, and where they part.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/check.h"
#include "checker/findings.h"
#include "idioms/constants.h"
#include "symexec/normal/normal.h"

namespace racer {
namespace {

constexpr size_t kShownNodes = 60;
constexpr size_t kShownMonomials = 12;

// "y[1,3]" or "y" for a scalar output.
struct CellQuery {
  std::string tensor;
  std::vector<uint64_t> index;
};

std::optional<CellQuery> ParseCell(const std::string& text) {
  CellQuery query;
  size_t bracket = text.find('[');
  query.tensor = text.substr(0, bracket);
  if (query.tensor.empty()) return std::nullopt;
  if (bracket == std::string::npos) return query;
  if (text.back() != ']') return std::nullopt;
  std::string inside = text.substr(bracket + 1, text.size() - bracket - 2);
  uint64_t value = 0;
  bool digits = false;
  for (char c : inside + ",") {
    if (c >= '0' && c <= '9') {
      if (value > (uint64_t{1} << 40)) return std::nullopt;
      value = value * 10 + static_cast<uint64_t>(c - '0');
      digits = true;
    } else if (c == ',') {
      if (!digits) return std::nullopt;
      query.index.push_back(value);
      value = 0;
      digits = false;
    } else if (c != ' ') {
      return std::nullopt;
    }
  }
  return query;
}

bool SameOperation(const TermStore& store, TermId a, TermId b) {
  TermNode x = store.node(a);
  TermNode y = store.node(b);
  return x.kind == y.kind && store.arity(a) > 0 && store.arity(a) == store.arity(b) &&
         (store.IsBits(a) || x.kind == TermKind::kFpIte || x.kind == TermKind::kFpConvert || x.kind == TermKind::kIntToFp ||
          x.kind == TermKind::kBitsToFp || store.fp_kind(a) == store.fp_kind(b));
}

// Follows equal operations down as long as exactly one pair of operands is not proved equal. What is left is where the
// sides part.
std::pair<TermId, TermId> FirstDifference(const TermStore& store, Normalizer& normalizer, TermId a, TermId b) {
  constexpr unsigned kMaxSteps = 100000;
  for (unsigned step = 0; step < kMaxSteps && SameOperation(store, a, b); ++step) {
    int different = -1;
    int count = 0;
    for (unsigned i = 0; i < store.arity(a); ++i) {
      TermId x = store.operand(a, i);
      TermId y = store.operand(b, i);
      if (x == y) continue;
      bool real = !store.IsBits(x) && !store.IsBits(y);
      if (real && normalizer.ProveEqual(x, y).status == ProofOutcome::Status::kProved) continue;
      different = static_cast<int>(i);
      ++count;
    }
    if (count != 1) break;
    TermId next_a = store.operand(a, static_cast<unsigned>(different));
    TermId next_b = store.operand(b, static_cast<unsigned>(different));
    if (store.IsBits(next_a) != store.IsBits(next_b)) break;
    a = next_a;
    b = next_b;
  }
  return {a, b};
}

std::string PlaceText(const std::optional<Where>& where) {
  if (!where.has_value()) return "";
  std::string text = where->file + ":" + std::to_string(where->line) + ": " + where->text;
  if (!where->source.empty()) text += "  (" + where->source + ")";
  return text;
}

void Replace(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

// A sentence where all that keeps a proof back is where the sides are defined; else empty.
std::string DefinednessText(const std::string& reason) {
  constexpr std::string_view kStart = "equal values, but definedness differs: ";
  if (!reason.starts_with(kStart)) return "";
  std::string needs = reason.substr(kStart.size());
  Replace(needs, "the left side", "the candidate");
  Replace(needs, "the right side", "the reference");
  return "The values are equal where both sides are defined; what differs is where they are: " + needs + ".\n";
}

std::string Indices(size_t count) { return std::to_string(count) + (count == 1 ? " index" : " indices"); }

// "y[0,0]".
std::string ExampleCell(const std::string& tensor, size_t rank) {
  std::string indices;
  for (size_t i = 0; i < rank; ++i) indices += i == 0 ? "0" : ",0";
  return rank == 0 ? tensor : tensor + "[" + indices + "]";
}

Explanation Failure(Report report, std::string text) { return {std::move(text), std::move(report)}; }

}  // namespace

Explanation Explain(const Options& options, const Inputs& inputs) {
  const Contract& contract = *inputs.contract;
  std::optional<CellQuery> query = ParseCell(options.cell);
  if (!query.has_value()) {
    return Failure(InputErrorReport(
                       {MakeError(DiagnosticKind::kCommandLine, {}, "cannot read --cell '" + options.cell + "'", "a cell such as y[1,3]")}),
                   "");
  }
  std::optional<uint32_t> tensor = contract.FindTensor(query->tensor);
  if (!tensor.has_value() || std::find(contract.outputs.begin(), contract.outputs.end(), *tensor) == contract.outputs.end()) {
    std::string outputs;
    for (uint32_t output : contract.outputs) outputs += (outputs.empty() ? "" : ", ") + contract.tensors[output].name;
    return Failure(InputErrorReport({MakeError(DiagnosticKind::kCommandLine, {}, "'" + query->tensor + "' is no output of the contract",
                                               "a cell of " + outputs)}),
                   "");
  }
  if (const size_t rank = contract.tensors[*tensor].shape.size(); query->index.size() != rank) {
    return Failure(InputErrorReport({MakeError(DiagnosticKind::kCommandLine, {},
                                               options.cell + " has " + Indices(query->index.size()) + ", and " + query->tensor + " has " +
                                                   std::to_string(rank) + (rank == 1 ? " dim" : " dims"),
                                               "a cell such as " + ExampleCell(query->tensor, rank))}),
                   "");
  }
  Subjects subjects = inputs.subjects();
  ShapePlan plan = PlanShapes(options, subjects);
  if (plan.error.has_value()) return Failure(InputErrorReport({*plan.error}), "");
  if (plan.shapes.empty()) {
    return Failure(UndecidedReport("no shape of the contract's domain is small enough to run", options, /*parsed=*/true), "");
  }

  RunLimits limits;
  limits.max_memory_bytes = options.memory_bytes;
  // The first planned shape that has the cell.
  for (const DimAssignment& dims : plan.shapes) {
    Session session(subjects, dims, {}, limits);
    if (!session.problem().has_value()) session.RunTerms();
    if (session.problem().has_value()) {
      if (session.problem()->input_error.has_value()) return Failure(InputErrorReport({*session.problem()->input_error}), "");
      return Failure(UndecidedReport(session.problem()->undecided, options, /*parsed=*/true), "");
    }
    const TensorInstance& instance = session.instance(Side::kCandidate).tensors[*tensor];
    bool inside = query->index.size() == instance.shape.size();
    uint64_t cell = 0;
    for (size_t i = 0; inside && i < query->index.size(); ++i) {
      inside = query->index[i] < instance.shape[i];
      cell = cell * instance.shape[i] + query->index[i];
    }
    if (!inside) continue;

    Session::Judgement judgement = session.Judge();
    std::vector<SidedFinding> findings = std::move(judgement.findings);
    findings.insert(findings.end(), judgement.doubts.begin(), judgement.doubts.end());
    for (Side side : {Side::kCandidate, Side::kReference}) {
      const SideOutcome& outcome = session.outcome(side);
      if (outcome.ran && (outcome.run.status == RunResult::Status::kUnsupported || outcome.run.status == RunResult::Status::kBudget)) {
        return Failure(UndecidedReport(std::string(SideName(side)) + ": " + outcome.run.reason, options, /*parsed=*/true), "");
      }
    }
    if (!findings.empty()) {
      return Failure(UndecidedReport("no terms to explain: " + std::string(SideName(findings[0].side)) + ": " + findings[0].finding.message,
                                     options, /*parsed=*/true),
                     "");
    }
    const TermStore& store = session.store();
    for (const CellPair& found : session.Cells()) {
      if (found.output != static_cast<int>(*tensor) || found.cell != cell) continue;
      std::vector<CellPair> spelled{found};
      session.SpellOut(&spelled);
      const CellPair& pair = spelled.front();
      NormalOptions normal;
      normal.seed = options.seed;
      const RoundedConstants constants(SizesOf(dims));
      if (!options.exact_constants) normal.constants = &constants;
      Normalizer normalizer(store, session.ranges(), normal);
      std::string text = session.CellName(pair.output, pair.cell) + " at " + contract.Describe(dims) + "\n";
      for (Side side : {Side::kCandidate, Side::kReference}) {
        TermId term = side == Side::kCandidate ? pair.candidate : pair.reference;
        text += "\n" + std::string(SideName(side)) + "\n";
        std::string place = PlaceText(session.WriterOf(side, pair.output, pair.cell));
        if (!place.empty()) text += "  stored by   " + place + "\n";
        text += "  term        " + store.ToString(term, kShownNodes) + "\n";
        if (pair.floating) text += "  normal form " + normalizer.Describe(term, kShownMonomials) + "\n";
      }
      Report report;
      report.verdict = Verdict::kEquivalent;
      std::string conclusion;
      if (!pair.refusal.empty()) {
        report.verdict = Verdict::kUndecided;
        conclusion = "Nothing follows from these terms: " + pair.refusal + ".\n";
      } else if (pair.candidate == pair.reference) {
        conclusion = "The terms are the same.\n";
      } else if (pair.floating && normalizer.ProveEqual(pair.candidate, pair.reference).status == ProofOutcome::Status::kProved &&
                 !normalizer.DependsOnReading(pair.candidate) && !normalizer.DependsOnReading(pair.reference)) {
        conclusion = "The terms are equal over the reals (step: " + normalizer.ProveEqual(pair.candidate, pair.reference).step + ").\n";
      } else {
        report.verdict = Verdict::kUndecided;
        // Where they part says nothing about why then: the values are the same.
        if (pair.floating) conclusion = DefinednessText(normalizer.ProveEqual(pair.candidate, pair.reference).reason);
        auto [a, b] = FirstDifference(store, normalizer, pair.candidate, pair.reference);
        conclusion += "They part here (whether they differ is for `racer check` to say):\n";
        for (auto [side, term] : {std::pair{Side::kCandidate, a}, std::pair{Side::kReference, b}}) {
          conclusion += "  " + std::string(SideName(side)) + "  " + store.ToString(term, kShownNodes) + "\n";
          std::optional<Place> place = PlaceOfTermOrigin(session, store.origin(term));
          if (place.has_value()) conclusion += "    first made at " + PlaceText(place->where) + "\n";
        }
      }
      report.summary = conclusion.substr(0, conclusion.find('\n'));
      return {text + "\n" + conclusion, std::move(report)};
    }
  }
  return Failure(InputErrorReport({MakeError(DiagnosticKind::kCommandLine, {},
                                             "cell " + options.cell + " does not exist at any planned shape", "--dims with larger sizes")}),
                 "");
}

}  // namespace racer
