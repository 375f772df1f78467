// A report for people: one screen.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "checker/report.h"

namespace racer {
namespace {

constexpr size_t kShownShapes = 8;
constexpr size_t kShownInputs = 6;
constexpr size_t kShownConstants = 6;
constexpr size_t kShownIntegers = 24;  // of an index tensor
constexpr size_t kShownAssumptions = 6;
constexpr size_t kShownUnreached = 3;
constexpr size_t kShownInstructions = 24;

enum class Ink : uint8_t { kPlain, kGood, kBad, kDoubt, kFaint };

class Writer {
 public:
  explicit Writer(const TextStyle& style) : style_(style) {}

  std::string Paint(Ink ink, const std::string& text) const {
    if (!style_.color) return text;
    switch (ink) {
      case Ink::kPlain: return text;
      case Ink::kGood: return "\x1b[1;32m" + text + "\x1b[0m";
      case Ink::kBad: return "\x1b[1;31m" + text + "\x1b[0m";
      case Ink::kDoubt: return "\x1b[1;33m" + text + "\x1b[0m";
      case Ink::kFaint: return "\x1b[2m" + text + "\x1b[0m";
    }
    RACER_UNREACHABLE(ink);
  }
  void Line(const std::string& text) { out_ += text + "\n"; }
  void Heading(const std::string& text) { Line(Paint(Ink::kFaint, text)); }
  // How many of `count` things are shown.
  size_t Shown(size_t count, size_t limit) const { return style_.verbose ? count : std::min(count, limit); }
  void More(size_t count, size_t shown) {
    if (count > shown) Line("  ... and " + std::to_string(count - shown) + " more (--verbose)");
  }
  const TextStyle& style() const { return style_; }
  std::string Take() { return std::move(out_); }

 private:
  TextStyle style_;
  std::string out_;
};

std::string DimsText(const std::vector<std::pair<std::string, int64_t>>& dims) {
  std::string out;
  for (const auto& [name, value] : dims) out += (out.empty() ? "" : ",") + EscapeForTerminal(name) + "=" + std::to_string(value);
  return out.empty() ? "no dims" : out;
}

std::string Pad(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

// "file.ptx:12: st.global.f32 [%rd1], %f2;  (file.cu:7)"
std::string PlaceText(const Where& where) {
  std::string out = EscapeForTerminal(where.file) + ":" + std::to_string(where.line);
  if (!where.text.empty()) out += ": " + EscapeForTerminal(where.text);
  if (!where.source.empty()) out += "  (" + EscapeForTerminal(where.source) + ")";
  return out;
}

Ink InkOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent: return Ink::kGood;
    case Verdict::kDifferent:
    case Verdict::kViolation:
    case Verdict::kInputError:
    case Verdict::kInternalError: return Ink::kBad;
    case Verdict::kUndecided: return Ink::kDoubt;
  }
  RACER_UNREACHABLE(verdict);
}

void WriteField(const Report& report, Writer& writer) {
  if (!report.field) return;
  const FieldReport& field = *report.field;
  writer.Heading("tested at a random point of prime fields, which proves nothing");
  const size_t shown = writer.Shown(field.shapes.size(), kShownShapes);
  for (size_t i = 0; i < shown; ++i) {
    const ShapeReport& shape = field.shapes[i];
    uint64_t unlike = 0;
    for (const auto& [step, cells] : shape.decided_by) unlike += step == "field" ? 0 : cells;
    std::string line = "  " + DimsText(shape.dims) + "  ";
    if (shape.cells == 0) {
      line += "broken off";
    } else if (unlike > 0) {
      line += std::to_string(unlike) + " of " + std::to_string(shape.cells) + " cells have unlike values";
    } else {
      line += std::to_string(shape.cells) + (shape.cells == 1 ? " cell is" : " cells are") + " equal";
    }
    writer.Line(line);
  }
  writer.More(field.shapes.size(), shown);
  if (field.error_log2) writer.Line("  wrong with a probability of at most 2^" + std::to_string(*field.error_log2));
  if (field.status == FieldReport::Status::kNotRun) writer.Line("  not run: " + EscapeForTerminal(field.reason));
}

void WriteShapes(const Report& report, Writer& writer) {
  if (report.shapes.empty()) return;
  writer.Heading("shapes");
  size_t shown = writer.Shown(report.shapes.size(), kShownShapes);
  size_t width = 0;
  for (size_t i = 0; i < shown; ++i) width = std::max(width, DimsText(report.shapes[i].dims).size());
  for (size_t i = 0; i < shown; ++i) {
    const ShapeReport& shape = report.shapes[i];
    std::string line = "  " + Pad(DimsText(shape.dims), width) + "  " + EscapeForTerminal(shape.domain);
    if (!shape.variant.empty()) line += "  " + EscapeForTerminal(shape.variant);
    if (shape.cells > 0) line += "  " + std::to_string(shape.cells) + (shape.cells == 1 ? " cell" : " cells");
    for (size_t j = 0; j < shape.decided_by.size(); ++j) {
      const auto& [step, cells] = shape.decided_by[j];
      line += (j == 0 ? ": " : ", ") + (step == kNotLookedAt ? "not looked at" : EscapeForTerminal(step)) + " " + std::to_string(cells);
    }
    writer.Line(line);
  }
  writer.More(report.shapes.size(), shown);
  WriteField(report, writer);
  if (report.unreached.empty()) return;
  writer.Heading("not reached");
  shown = writer.Shown(report.unreached.size(), kShownUnreached);
  for (size_t i = 0; i < shown; ++i) writer.Line("  " + EscapeForTerminal(report.unreached[i]));
  writer.More(report.unreached.size(), shown);
}

bool SamePlaces(const std::vector<Place>& a, const std::vector<Place>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Place& x, const Place& y) {
    return x.side == y.side && x.where.file == y.where.file && x.where.line == y.where.line && x.where.text == y.where.text;
  });
}

// Gates with the same thing to say share a line: those that pass, those that were not asked for (but with a place to show), and those with
// one message.
void WriteGates(const Report& report, Writer& writer) {
  if (report.gates.empty()) return;
  writer.Heading("gates");
  std::string pass, not_applicable, not_asked;
  for (const GateReport& gate : report.gates) {
    if (gate.status == GateStatus::kPass) pass += " " + std::string(GateName(gate.gate));
    if (gate.status == GateStatus::kNotApplicable && gate.where.empty()) {
      (gate.message == kNotAskedFor ? not_asked : not_applicable) += " " + std::string(GateName(gate.gate));
    }
  }
  if (!pass.empty()) writer.Line("  " + writer.Paint(Ink::kGood, "pass") + "          " + pass);
  std::vector<bool> written(report.gates.size(), false);
  for (size_t i = 0; i < report.gates.size(); ++i) {
    const GateReport& gate = report.gates[i];
    const bool said_why = gate.status == GateStatus::kNotApplicable && !gate.where.empty();
    if (written[i] || gate.status == GateStatus::kPass || (gate.status == GateStatus::kNotApplicable && !said_why)) continue;
    std::string line = "  " + (said_why                           ? "not applicable"
                               : gate.status == GateStatus::kFail ? writer.Paint(Ink::kBad, "FAIL") + "          "
                                                                  : writer.Paint(Ink::kDoubt, "undecided") + "     ");
    for (size_t j = i; j < report.gates.size(); ++j) {
      const GateReport& other = report.gates[j];
      if (other.status != gate.status || other.message != gate.message || !SamePlaces(other.where, gate.where)) continue;
      line += " " + std::string(GateName(other.gate));
      written[j] = true;
    }
    // The verdict line has the reason already.
    bool said = report.verdict == Verdict::kUndecided && gate.message == report.reason;
    if (!gate.message.empty()) line += ": " + (said ? "as above" : EscapeForTerminal(gate.message));
    writer.Line(line);
    for (const Place& place : gate.where) writer.Line("    " + std::string(SideName(place.side)) + "  " + PlaceText(place.where));
  }
  if (!not_applicable.empty()) writer.Line("  not applicable" + not_applicable);
  if (!not_asked.empty()) writer.Line("  not asked for " + not_asked);
}

void WriteWitnessSide(const char* side, const std::string& value, const std::string& real, const std::optional<Place>& where,
                      Writer& writer) {
  std::string line = "  " + Pad(side, 11) + EscapeForTerminal(value);
  if (!real.empty()) line += "   over the reals " + EscapeForTerminal(real);
  writer.Line(line);
  if (where) writer.Line("             " + PlaceText(where->where));
}

// "3, 0, 4 times 7, 2": what stands more than twice in a row is counted.
std::string IntegersText(const std::vector<int64_t>& values, size_t shown) {
  std::string text;
  size_t i = 0;
  for (size_t pieces = 0; i < values.size() && pieces < shown; ++pieces) {
    size_t same = i;
    while (same < values.size() && values[same] == values[i]) ++same;
    const bool counted = same - i > 2;
    text += (text.empty() ? "" : ", ") + (counted ? std::to_string(same - i) + " times " : "") + std::to_string(values[i]);
    i = counted ? same : i + 1;
  }
  if (i < values.size()) text += ", ... (" + std::to_string(values.size()) + " in all; --verbose)";
  return text;
}

void WriteWitness(const Report& report, Writer& writer) {
  if (!report.witness) return;
  const WitnessReport& witness = *report.witness;
  writer.Heading("witness");
  writer.Line("  " + Pad("cell", 11) + EscapeForTerminal(witness.cell) + (witness.dims.empty() ? "" : " at " + DimsText(witness.dims)) +
              (witness.replayed ? ", replayed bit for bit on both kernels" : ", not replayed"));
  size_t shown = writer.Shown(witness.inputs.size(), kShownInputs);
  for (size_t i = 0; i < shown; ++i) {
    writer.Line("  " + Pad(i == 0 ? "inputs" : "", 11) + EscapeForTerminal(witness.inputs[i].first) + " = " +
                EscapeForTerminal(witness.inputs[i].second));
  }
  if (witness.inputs.size() > shown)
    writer.Line("             ... and " + std::to_string(witness.inputs.size() - shown) + " more (--verbose)");
  if (!witness.rest.empty()) writer.Line("  " + Pad(shown == 0 ? "inputs" : "", 11) + EscapeForTerminal(witness.rest));
  for (size_t i = 0; i < witness.index_tensors.size(); ++i) {
    const auto& [name, values] = witness.index_tensors[i];
    writer.Line("  " + Pad(i == 0 ? "index" : "", 11) + EscapeForTerminal(name) + " = " +
                IntegersText(values, writer.Shown(values.size(), kShownIntegers)));
  }
  WriteWitnessSide("candidate", witness.candidate, witness.candidate_real, witness.candidate_where, writer);
  WriteWitnessSide("reference", witness.reference, witness.reference_real, witness.reference_where, writer);
}

void WriteHint(const Report& report, Writer& writer) {
  if (report.hint.empty()) return;
  constexpr std::string_view kCommand = "racer ";
  writer.Heading("next step");
  const bool command = report.hint.starts_with(kCommand) && !writer.style().program.empty();
  writer.Line("  " + EscapeForTerminal(command ? writer.style().program + report.hint.substr(kCommand.size() - 1) : report.hint));
}

void WriteConstants(const Report& report, Writer& writer) {
  if (report.constants.empty()) return;
  writer.Heading("constants taken for the real that they round (--constants=exact takes none)");
  size_t shown = writer.Shown(report.constants.size(), kShownConstants);
  for (size_t i = 0; i < shown; ++i) {
    const ConstantReport& constant = report.constants[i];
    char distance[32];
    std::snprintf(distance, sizeof(distance), "%.3g", constant.ulp_distance);
    std::string line = "  " + EscapeForTerminal(constant.bits) + " (" + EscapeForTerminal(constant.format) +
                       ") = " + EscapeForTerminal(constant.real) + ", " + distance + " ulp away";
    if (constant.where) {
      line += ", " + std::string(SideName(constant.where->side)) + " " + EscapeForTerminal(constant.where->where.file) + ":" +
              std::to_string(constant.where->where.line);
    }
    writer.Line(line);
  }
  writer.More(report.constants.size(), shown);
}

void WriteIdioms(const Report& report, Writer& writer) {
  if (report.idioms.empty()) return;
  writer.Heading("library code taken for the function that it computes");
  size_t shown = writer.Shown(report.idioms.size(), kShownConstants);
  for (size_t i = 0; i < shown; ++i) {
    const IdiomReport& idiom = report.idioms[i];
    std::string line = "  " + EscapeForTerminal(idiom.idiom) + " = " + EscapeForTerminal(idiom.function) + " within " +
                       EscapeForTerminal(idiom.error) + " for " + EscapeForTerminal(idiom.domain) + " (" +
                       EscapeForTerminal(idiom.options) + ")";
    if (idiom.where) {
      line += ", " + std::string(SideName(idiom.where->side)) + " " + EscapeForTerminal(idiom.where->where.file) + ":" +
              std::to_string(idiom.where->where.line);
    }
    writer.Line(line);
  }
  writer.More(report.idioms.size(), shown);
}

void WriteList(const char* heading, const std::vector<std::string>& list, size_t limit, Writer& writer) {
  if (list.empty()) return;
  writer.Heading(heading);
  size_t shown = writer.Shown(list.size(), limit);
  for (size_t i = 0; i < shown; ++i) writer.Line("  " + EscapeForTerminal(list[i]));
  writer.More(list.size(), shown);
}

void WriteToml(const char* heading, const std::string& text, Writer& writer) {
  if (text.empty()) return;
  writer.Heading(heading);
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = std::min(text.find('\n', begin), text.size());
    writer.Line(end == begin ? "" : "  " + EscapeForTerminal(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

std::string CountsText(const std::vector<std::pair<std::string, uint64_t>>& counts, size_t shown) {
  std::string text;
  for (size_t i = 0; i < shown; ++i)
    text += (i > 0 ? ", " : "") + EscapeForTerminal(counts[i].first) + " " + std::to_string(counts[i].second);
  if (shown < counts.size()) text += ", ... (" + std::to_string(counts.size()) + " in all; --verbose)";
  return counts.empty() ? "none" : text;
}

void WriteResources(const Report& report, Writer& writer) {
  if (!report.resources) return;
  const ResourcesReport& resources = *report.resources;
  writer.Heading("resources");
  writer.Line("  " + Pad("registers", 22) + CountsText(resources.registers, resources.registers.size()));
  writer.Line("  " + Pad("static shared memory", 22) + std::to_string(resources.static_shared_bytes) + " bytes");
  writer.Line("  " + Pad("loops", 22) + std::to_string(resources.loops));
  size_t shown = writer.Shown(resources.instructions.size(), kShownInstructions);
  writer.Line("  " + Pad("instructions", 22) + CountsText(resources.instructions, shown));
}

void WriteStats(const Report& report, Writer& writer) {
  char line[160];
  std::snprintf(line, sizeof(line), "%.3f s, %llu thread instructions, %llu terms, %.1f MiB", report.stats.seconds,
                static_cast<unsigned long long>(report.stats.thread_instructions), static_cast<unsigned long long>(report.stats.terms),
                static_cast<double>(report.stats.peak_bytes) / (1 << 20));
  writer.Heading(line);
  if (!report.field) return;
  std::snprintf(line, sizeof(line), "%.3f s of it in the field", report.stats.field_seconds);
  writer.Heading(line);
}

}  // namespace

std::string VerdictLine(const Report& report) {
  switch (report.verdict) {
    case Verdict::kEquivalent:
      // Nothing was proved equal: `inspect`, or --gates without equivalence.
      if (report.grade == Grade::kNone) return "PASS";
      if (report.grade == Grade::kProbabilistic) {
        RACER_CHECK(report.error_log2.has_value());
        return "EQUIVALENT (probabilistic, error <= 2^" + std::to_string(*report.error_log2) + ")";
      }
      return "EQUIVALENT";
    case Verdict::kDifferent: return "DIFFERENT";
    case Verdict::kViolation: return "VIOLATION " + EscapeForTerminal(report.failed_gate);
    case Verdict::kUndecided: return "UNDECIDED " + EscapeForTerminal(report.reason);
    case Verdict::kInputError: return "INPUT ERROR " + EscapeForTerminal(report.reason);
    case Verdict::kInternalError: return "INTERNAL ERROR " + EscapeForTerminal(report.reason);
  }
  RACER_UNREACHABLE(report.verdict);
}

std::string ToText(const Report& report, const TextStyle& style) {
  Writer writer(style);
  std::string verdict = VerdictLine(report);
  // The word is coloured, what follows it is not.
  size_t word = verdict.find(' ');
  if (report.verdict == Verdict::kInputError || report.verdict == Verdict::kInternalError) word = verdict.find(' ', word + 1);
  if (word == std::string::npos) word = verdict.size();
  writer.Line(writer.Paint(InkOf(report.verdict), verdict.substr(0, word)) + verdict.substr(word));
  if (style.quiet) return writer.Take();
  bool said = report.verdict == Verdict::kUndecided || report.verdict == Verdict::kInputError;
  if (!report.summary.empty() && !said) writer.Line("  " + EscapeForTerminal(report.summary));
  if (!report.candidate.empty()) writer.Line("  candidate  " + EscapeForTerminal(report.candidate));
  if (!report.reference.empty()) writer.Line("  reference  " + EscapeForTerminal(report.reference));
  if (!report.contract.empty()) writer.Line("  contract   " + EscapeForTerminal(report.contract));
  WriteShapes(report, writer);
  WriteGates(report, writer);
  WriteWitness(report, writer);
  WriteHint(report, writer);
  WriteResources(report, writer);
  WriteConstants(report, writer);
  WriteIdioms(report, writer);
  WriteList("assumptions", report.assumptions, kShownAssumptions, writer);
  WriteToml("inferred contract (save it as STEM.toml beside the candidate to keep or change it)", report.inferred_contract, writer);
  WriteToml("a contract to start from (made from what the kernels show; every line needs a look)", report.contract_skeleton, writer);
  if (style.verbose) WriteStats(report, writer);
  return writer.Take();
}

}  // namespace racer
