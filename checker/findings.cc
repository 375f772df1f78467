#include "checker/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/check.h"
#include "checker/shrink.h"
#include "ptx_frontend/isa/fp.h"
#include "symexec/ball/decode.h"

namespace racer {
namespace {

constexpr size_t kMaxListedInputs = 4096;

// Digits of precision, the measure by which an accumulator is narrow.
struct AdditionCount {
  std::map<FpFormat, uint64_t> by_format;
  std::set<FpFormat> truncations;  // formats that values are converted to with rounding towards zero
};

AdditionCount CountAdditions(const TermStore& store, const std::vector<TermId>& roots) {
  AdditionCount count;
  std::vector<bool> seen(store.size(), false);
  std::vector<TermId> stack(roots);
  while (!stack.empty()) {
    TermId id = stack.back();
    stack.pop_back();
    if (id == kNoTerm || seen[static_cast<size_t>(id)]) continue;
    seen[static_cast<size_t>(id)] = true;
    TermKind kind = store.kind(id);
    if (kind == TermKind::kFpConvert && store.fp_attr(id).rounding == Rounding::kRz) count.truncations.insert(store.format(id));
    if (kind == TermKind::kFpBinary || kind == TermKind::kFpTernary) {
      FpKind op = store.fp_kind(id);
      if (op == FpKind::kAdd || op == FpKind::kSub || op == FpKind::kFma) ++count.by_format[store.format(id)];
    }
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
  return count;
}

std::optional<FpFormat> Narrowest(const AdditionCount& count) {
  std::optional<FpFormat> narrowest;
  for (const auto& [format, additions] : count.by_format) {
    if (!narrowest.has_value() || PrecisionBits(format) < PrecisionBits(*narrowest)) narrowest = format;
  }
  return narrowest;
}

std::string Plural(uint64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

std::string ShellWord(const std::string& text) {
  static constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+%@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string FormatName(FpFormat format) { return std::string(Spelling(format)); }

std::string HexPattern(FpFormat format, uint64_t bits) { return fmt::format("0x{:0{}x}", bits, FormatWidth(format) / 4); }

std::string ValueText(ScalarType dtype, uint64_t bits) {
  if (IsFloat(dtype) && PackedElement(dtype) == ScalarType::kNone) {
    FpFormat format = FormatOf(dtype);
    DecodedFp decoded = DecodeFp(format, bits);
    std::string text;
    switch (decoded.kind) {
      case DecodedFp::Kind::kFinite: {
        double value = std::ldexp(static_cast<double>(decoded.mantissa), decoded.exponent) * (decoded.negative ? -1 : 1);
        text = format == FpFormat::kF64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
        break;
      }
      case DecodedFp::Kind::kInfinite: text = decoded.negative ? "-inf" : "inf"; break;
      case DecodedFp::Kind::kNan: text = "nan"; break;
      case DecodedFp::Kind::kUnspecified: text = "unspecified"; break;
    }
    return text + " (" + HexPattern(format, bits) + ")";
  }
  unsigned width = BitWidth(dtype);
  int64_t value = static_cast<int64_t>(width >= 64 ? bits : bits << (64 - width)) >> (width >= 64 ? 0 : 64 - width);
  std::string number = IsSigned(dtype) ? std::to_string(value) : std::to_string(bits);
  return number + fmt::format(" (0x{:0{}x})", bits, std::max(1U, width / 4));
}

std::optional<Place> PlaceOfTermOrigin(const Session& session, uint32_t origin) {
  auto place = session.PlaceOfOrigin(origin);
  if (!place.has_value()) return std::nullopt;
  return Place{place->first, place->second};
}

WitnessReport DescribeWitness(const Session& session, const CellWitness& witness) {
  WitnessReport report;
  const Contract& contract = session.contract();
  report.cell = session.CellName(witness.cell.output, witness.cell.cell);
  for (size_t i = 0; i < contract.dims.size(); ++i) report.dims.emplace_back(contract.dims[i].name, session.dims()[i]);
  const TermStore& store = session.store();
  std::set<std::pair<uint32_t, uint32_t>> read = InputsBelow(store, {witness.cell.candidate, witness.cell.reference});
  // The value that most inputs share is said once; the others are listed.
  std::map<std::string, uint64_t> frequency;
  auto text_of = [&](uint32_t symbol, uint32_t cell) {
    return ValueText(store.symbol(SymbolId{static_cast<uint16_t>(symbol)}).dtype, witness.point.bits[symbol][cell]);
  };
  for (const auto& [symbol, cell] : read) ++frequency[text_of(symbol, cell)];
  std::string common;
  uint64_t most = 4;  // a value shared by fewer cells is not worth a sentence
  for (const auto& [value, count] : frequency) {
    if (count > most) {
      common = value;
      most = count;
    }
  }
  // The cell's own inputs (same index) are the readable ones; keep index order, cut at a generous limit.
  for (const auto& [symbol, cell] : read) {
    std::string value = text_of(symbol, cell);
    if (!common.empty() && value == common) continue;
    if (report.inputs.size() >= kMaxListedInputs) break;
    report.inputs.emplace_back(store.InputName(SymbolId{static_cast<uint16_t>(symbol)}, cell), value);
  }
  if (!common.empty())
    report.rest = std::string(report.inputs.empty() ? "every input" : "every other input") + " that the cell reads is " + common;
  for (size_t i = 0; i < contract.tensors.size(); ++i) {
    if (contract.tensors[i].role != Role::kIndex) continue;
    report.index_tensors.emplace_back(contract.tensors[i].name, session.instance(Side::kCandidate).tensors[i].values);
  }
  ScalarType dtype = contract.tensors[static_cast<size_t>(witness.cell.output)].dtype;
  report.candidate = ValueText(dtype, witness.candidate_bits);
  report.reference = ValueText(dtype, witness.reference_bits);
  report.candidate_real = witness.candidate_real;
  report.reference_real = witness.reference_real;
  if (auto where = session.WriterOf(Side::kCandidate, witness.cell.output, witness.cell.cell))
    report.candidate_where = Place{Side::kCandidate, *where};
  if (auto where = session.WriterOf(Side::kReference, witness.cell.output, witness.cell.cell))
    report.reference_where = Place{Side::kReference, *where};
  report.replayed = true;
  return report;
}

std::string ExplainCommand(const Options& options, const std::vector<std::pair<std::string, int64_t>>& dims, const std::string& cell) {
  std::string command = "racer explain " + ShellWord(options.candidate) + " --ref " + ShellWord(options.reference);
  auto option = [&](const char* name, const std::string& value) {
    if (!value.empty()) command += std::string(" ") + name + " " + ShellWord(value);
  };
  option("--contract", options.contract);
  option("--entry", options.entry);
  option("--ref-entry", options.reference_entry);
  if (options.exact_constants) command += " --constants=exact";
  std::string shape;
  for (const auto& [name, value] : dims) shape += (shape.empty() ? "" : ",") + name + "=" + std::to_string(value);
  option("--dims", shape);
  option("--cell", cell);
  return command;
}

std::vector<std::string> RoundingNotes(Session& session) {
  std::vector<std::string> notes;
  std::vector<TermId> roots[2];
  for (const CellPair& cell : session.Cells()) {
    if (cell.candidate == cell.reference) continue;
    roots[0].push_back(cell.candidate);
    roots[1].push_back(cell.reference);
  }
  std::array<AdditionCount, 2> counts{CountAdditions(session.store(), roots[0]), CountAdditions(session.store(), roots[1])};
  for (size_t side : {0U, 1U}) {
    for (FpFormat format : counts[side].truncations) {
      if (counts[1 - side].truncations.contains(format)) continue;
      notes.push_back("rounding structure differs: the " + std::string(SideName(side == 0 ? Side::kCandidate : Side::kReference)) +
                      " truncates to " + FormatName(format) + " where the other side rounds; equal over the reals, not in precision");
    }
  }
  std::array<std::optional<FpFormat>, 2> narrowest{Narrowest(counts[0]), Narrowest(counts[1])};
  if (!narrowest[0].has_value() || !narrowest[1].has_value() || narrowest[0] == narrowest[1]) return notes;
  size_t narrow = PrecisionBits(*narrowest[0]) < PrecisionBits(*narrowest[1]) ? 0 : 1;
  Side side = narrow == 0 ? Side::kCandidate : Side::kReference;
  Side other = narrow == 0 ? Side::kReference : Side::kCandidate;
  notes.push_back("rounding structure differs: the " + std::string(SideName(side)) + " accumulates in " + FormatName(*narrowest[narrow]) +
                  " where the " + std::string(SideName(other)) + " adds in " + FormatName(*narrowest[1 - narrow]) +
                  " or wider; equal over the reals, not in precision");
  return notes;
}

std::vector<std::string> ContractAssumptions(const Contract& contract) {
  std::vector<std::string> lines;
  for (const ScalarSpec& scalar : contract.scalars) {
    if (scalar.value.has_value()) {
      lines.push_back("scalar " + scalar.name + " = " + scalar.value->text() + ", rounded to " + std::string(Spelling(scalar.dtype)));
    } else if (scalar.range.has_value()) {
      lines.push_back("scalar " + scalar.name + " in " + scalar.range->text);
    }
  }
  for (const TensorSpec& tensor : contract.tensors) {
    if (tensor.align > BitWidth(tensor.dtype) / 8) {
      lines.push_back("tensor " + tensor.name + " is aligned to " + Plural(tensor.align, "byte"));
    }
    if (tensor.role == Role::kIndex) lines.push_back("index tensor " + tensor.name + " holds the integers of the contract");
  }
  if (contract.alias.empty()) {
    if (contract.tensors.size() > 1) lines.emplace_back("tensors do not overlap");
  } else {
    lines.emplace_back("tensors overlap only as the contract's alias groups say; both cases were run");
  }
  return lines;
}

std::string InitHint(const Contract& contract, const Finding& finding) {
  if (finding.gate != Gate::kInit) return "";
  for (const TensorSpec& tensor : contract.tensors) {
    if ((tensor.role != Role::kOut && tensor.role != Role::kScratch) || tensor.init.has_value()) continue;
    if (finding.message.find("uninitialised memory at " + tensor.name + "+") == std::string::npos) continue;
    return "if " + tensor.name + " is filled before the launch, say so in the contract: init = 0 (or what it holds) at " + tensor.name +
           (tensor.role == Role::kOut ? ", or role = \"inout\" for any value" : "");
  }
  return "";
}

}  // namespace racer
