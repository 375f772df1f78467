// What ptxas says of one-instruction programs, most of them with something wrong: the parser says the same, or a list says why
// not. tools/ptxas_judge.py made the cases; no ptxas is needed here.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file("ptx_frontend/parse/testdata/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

// Of an instruction that the table does not know it is not decided whether it is right: that counts as refused.
std::string WhyRefused(const std::string& target, const std::string& declarations, const std::string& instruction) {
  const std::string text = ".version 9.0\n.target " + target + "\n.address_size 64\n.entry k()\n{\ntargets: .branchtargets target;\n{ " +
                           declarations + " " + instruction + " }\ntarget:\nret;\n}\n";
  const ParseOutcome outcome = ParsePtx(std::make_shared<const SourceFile>("case.ptx", text));
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity == Severity::kError) return diagnostic.message;
  }
  if (outcome.module == nullptr) return "no module";
  for (const ir::Instruction& i : outcome.module->functions[0]->body) {
    if (i.opcode == Opcode::kUnknown) return "unmatched";
  }
  return "";
}

// Seen to fail with a line in the list of exceptions that excuses nothing, and, in 53 cases, without the length check of CheckVector.
TEST(JudgeTest, SaysWhatPtxasSays) {
  struct Exception {
    std::string text;
    bool of_ours = false;
    std::regex pattern;
    bool used = false;
  };
  std::vector<Exception> exceptions;
  for (const std::string& line : Lines("judge_exceptions.txt")) {
    const size_t tab = line.find('\t');
    if (line.find('@') < tab) continue;  // of other comparisons that tools/ptxas_judge.py makes
    exceptions.push_back({line, line.substr(0, tab) == "ours", std::regex(line.substr(tab + 1))});
  }
  size_t cases = 0;
  for (const std::string& line : Lines("judge_cases.txt")) {
    std::array<std::string, 4> fields;
    size_t at = 0;
    for (std::string& field : fields) {
      const size_t end = std::min(line.find('\t', at), line.size());
      field = line.substr(at, end - at);
      at = std::min(end + 1, line.size());
    }
    ++cases;
    const std::string why = WhyRefused(fields[1], fields[2], fields[3]);
    const bool refused = fields[0] == "reject";
    if (refused == !why.empty()) continue;
    bool excused = false;
    for (Exception& exception : exceptions) {
      if (exception.of_ours == !refused && std::regex_search(fields[2] + " " + fields[3], exception.pattern))
        excused = exception.used = true;
    }
    EXPECT_TRUE(excused) << line << "\n  we " << (why.empty() ? "accept it" : "refuse it: " + why);
  }
  EXPECT_GT(cases, 1000u);
  for (const Exception& exception : exceptions) EXPECT_TRUE(exception.used) << exception.text << " excuses nothing";
}

}  // namespace
}  // namespace racer
