// census CENSUS_FILE [FILE.ptx ...]: how many of the instructions that real PTX uses are read, and how many run. First over the
// committed counts of ptx_frontend/isa/testdata/census.txt, then over the files given. tools/census.sh names them all.
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/source_file.h"
#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

struct Count {
  size_t spellings = 0;
  size_t uses = 0;  // a spelling in a file is one
};

struct Census {
  Count total, read, executed;
  std::vector<std::string> missing;  // not read

  void Add(const std::string& name, size_t files, bool is_read, bool is_executed) {
    const auto count = [&](Count& c) {
      ++c.spellings;
      c.uses += files;
    };
    count(total);
    if (is_read) count(read);
    if (is_executed) count(executed);
    if (!is_read) missing.push_back(name);
  }
  void Print(const char* what) const {
    std::printf("%s\n  %-10s%6zu spellings  %7zu uses (a spelling in a file)\n", what, "all", total.spellings, total.uses);
    for (const auto& [name, c] : {std::pair("read", read), std::pair("executed", executed)}) {
      std::printf("  %-10s%6zu  %5.1f %%   %7zu  %5.1f %%\n", name, c.spellings,
                  100.0 * static_cast<double>(c.spellings) / static_cast<double>(std::max<size_t>(total.spellings, 1)), c.uses,
                  100.0 * static_cast<double>(c.uses) / static_cast<double>(std::max<size_t>(total.uses, 1)));
    }
    for (const std::string& name : missing) std::printf("  not read: %s\n", name.c_str());
  }
};

// With the number of operands that it takes, whatever that is.
MatchOutcome MatchSpelling(const std::string& spelling) {
  std::vector<std::string> parts(1);
  for (const char c : spelling) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  const std::string mnemonic = parts[0];
  parts.erase(parts.begin());
  MatchOutcome outcome;
  for (size_t count = 0; count <= 10 && !outcome.form; ++count) outcome = MatchInstruction(mnemonic, parts, count);
  return outcome;
}

int Run(int argc, char** argv) {
  std::ifstream file(argv[1]);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", argv[1]);
    return 1;
  }
  Census census;
  size_t cut = 0;
  for (std::string line; std::getline(file, line);) {
    const size_t space = line.find(' ');
    if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
    if (line[0] == '~') {
      ++cut;
      continue;
    }
    const MatchOutcome outcome = MatchSpelling(line.substr(0, space));
    census.Add(line.substr(0, space), std::stoul(line.substr(space + 1)), outcome.form.has_value(),
               outcome.form && outcome.form->spec->effect != Effect::kUnmodelled);
  }
  census.Print("public PTX, as counted");
  std::printf("  left out: %zu names that are cut off\n", cut);

  Census own;
  std::map<std::string, std::pair<size_t, std::array<bool, 2>>> names;
  size_t failed = 0;
  for (int i = 2; i < argc; ++i) {
    const Result<std::shared_ptr<const SourceFile>> source = LoadSourceFile(argv[i], ParseLimits().max_bytes);
    if (!source) return 1;
    const ParseOutcome outcome = ParsePtx(*source);
    if (outcome.module == nullptr) {
      ++failed;
      continue;
    }
    std::set<std::string> seen;
    for (const auto& function : outcome.module->functions) {
      for (const ir::Instruction& instruction : function->body) {
        if (!seen.insert(instruction.FullName()).second) continue;
        auto& [count, flags] = names[instruction.FullName()];
        ++count;
        const bool known = instruction.opcode != Opcode::kUnknown;
        flags = {known, known && SpecOf(instruction.opcode).effect != Effect::kUnmodelled};
      }
    }
  }
  if (argc == 2) return 0;
  for (const auto& [name, entry] : names) own.Add(name, entry.first, entry.second[0], entry.second[1]);
  own.Print((std::to_string(argc - 2) + " PTX files of this repository, " + std::to_string(failed) + " of which are refused").c_str());
  return 0;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: census CENSUS_FILE [FILE.ptx ...]\n", stderr);
    return 2;
  }
  return racer::Run(argc, argv);
}
