// Every instruction that LLVM's NVPTX backend can print has a record, or a line on a list that says why not.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ptx_frontend/isa/match.h"

namespace racer {
namespace {

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file("ptx_frontend/isa/testdata/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

// "add.s32" of "add.s32 \t"; operands may follow without a blank.
std::string FirstWord(const std::string& line) {
  std::string word = line.substr(line.find_first_not_of(" \t"));
  if (const size_t end = word.find_first_of(" \t{([$,;"); end != 0) word = word.substr(0, end);
  return word;
}

bool IsRead(const std::string& word) {
  std::vector<std::string> parts(1);
  for (const char c : word) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  const std::string mnemonic = parts[0];
  parts.erase(parts.begin());
  for (size_t count = 0; count <= 10; ++count) {
    if (MatchInstruction(mnemonic, parts, count).form) return true;
  }
  return false;
}

// Seen to fail with a line on the list of exemptions that no mnemonic needs, and without the record of brev.
TEST(LlvmAuditTest, EveryMnemonicHasARecordOrAReason) {
  std::vector<std::pair<std::regex, bool>> exemptions;
  const std::vector<std::string> patterns = Lines("llvm_exemptions.txt");
  exemptions.reserve(patterns.size());
  for (const std::string& pattern : patterns) exemptions.emplace_back(std::regex(pattern), false);
  std::set<std::string> words;
  for (const std::string& line : Lines("llvm_mnemonics.txt")) words.insert(FirstWord(line));
  EXPECT_GT(words.size(), 1300u);
  for (const std::string& word : words) {
    if (IsRead(word)) continue;
    bool exempt = false;
    for (auto& [pattern, used] : exemptions) {
      if (std::regex_match(word, pattern)) exempt = used = true;
    }
    EXPECT_TRUE(exempt) << word << " is neither read nor on the list";
  }
  for (size_t i = 0; i < patterns.size(); ++i) EXPECT_TRUE(exemptions[i].second) << patterns[i] << " exempts nothing";
}

}  // namespace
}  // namespace racer
