#include "tests/corpus.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"

namespace racer {
namespace {

std::vector<std::string> Strings(const toml::table& table, std::string_view key) {
  std::vector<std::string> values;
  if (const toml::array* array = table[key].as_array()) {
    for (const toml::node& node : *array) values.push_back(node.value<std::string>().value());
  }
  return values;
}

}  // namespace

std::vector<CorpusCase> LoadCorpus(const std::string& directory) {
  toml::table file = toml::parse_file(directory + "expectations.toml");
  std::vector<CorpusCase> cases;
  const toml::array* entries = file["case"].as_array();
  RACER_CHECK(entries != nullptr);
  for (const toml::node& node : *entries) {
    const toml::table& entry = *node.as_table();
    auto text = [&](std::string_view key) { return entry[key].value<std::string>().value_or(""); };
    CorpusCase c;
    std::string candidate = text("candidate");
    c.name = candidate.substr(0, candidate.rfind(".ptx"));
    c.c.candidate = {candidate, ReadFileOrDie(directory + candidate), text("entry")};
    c.c.reference = {text("reference"), ReadFileOrDie(directory + text("reference")), text("ref_entry")};
    c.c.contract_name = text("contract");
    c.c.contract_text = ReadFileOrDie(directory + c.c.contract_name);
    c.expected = text("expected");
    c.gates = Strings(entry, "gates");
    if (c.gates.empty()) c.gates.push_back(text("gate"));
    c.dims = Strings(entry, "dims");
    c.equivalent_dims = Strings(entry, "equivalent_dims");
    c.why = text("why");
    c.operator_name = text("operator");
    c.open = text("open");
    cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<CorpusCase> LoadOperators(const std::string& kernels) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(kernels)) {
    if (std::filesystem::exists(entry.path() / "expectations.toml")) folders.push_back(entry.path().filename().string());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<CorpusCase> cases;
  for (const std::string& folder : folders) {
    for (CorpusCase& c : LoadCorpus(kernels + folder + "/")) {
      if (c.operator_name.empty()) continue;
      c.folder = folder;
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

bool AsExpected(const CorpusCase& c, const Report& report, bool at_equivalent_shape) {
  if (at_equivalent_shape || c.expected == "equivalent") return report.verdict == Verdict::kEquivalent && report.grade == Grade::kProved;
  bool gate_may_fail = std::find(c.gates.begin(), c.gates.end(), report.failed_gate) != c.gates.end();
  bool equivalence = std::find(c.gates.begin(), c.gates.end(), "equivalence") != c.gates.end();
  if (report.verdict == Verdict::kViolation) return gate_may_fail;
  return report.verdict == Verdict::kDifferent && (c.expected == "different" || equivalence) && report.witness.has_value() &&
         report.witness->replayed;
}

bool AsExpectedOrOpen(const CorpusCase& c, const Report& report, bool at_equivalent_shape) {
  if (AsExpected(c, report, at_equivalent_shape)) return true;
  if (c.open.empty()) return false;
  bool right = at_equivalent_shape || c.expected == "equivalent";
  return report.verdict == Verdict::kUndecided || (right && report.verdict == Verdict::kEquivalent);
}

}  // namespace racer
