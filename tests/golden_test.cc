// Runs every file of tests/golden four ways: as written, each side against itself, sides swapped, and every MUTANT.
//
// A file is one PTX module with entries `candidate` and `reference` and its contract in `//! ` lines. The verdict is the
// file name's prefix, typed by a person: eq_ equivalent, ne_ different, vio_GATE_ violation, unk_ undecided, nq_ not
// equivalent (different or undecided). Directives are comment lines:
//   // ARGS: --constants=exact
//   // MUTANT: candidate: replace "old" with "new" => different
//   // MUTANT: reference: delete "text" => violation race
//   // NO-MUTANT: why an eq_ file has none
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/case.h"

namespace racer {
namespace {

constexpr char kDirectory[] = "tests/golden/";

struct Mutant {
  std::string side, old_text, new_text, expected;
};

struct Golden {
  Case c;
  std::string expected;
  std::vector<Mutant> mutants;
  bool no_mutant = false;
};

// The text between the first pair of quotes at or after `at`; moves `at` behind it.
std::string Quoted(const std::string& line, size_t& at) {
  size_t begin = line.find('"', at);
  size_t end = line.find('"', begin + 1);
  EXPECT_NE(begin, std::string::npos) << line;
  EXPECT_NE(end, std::string::npos) << line;
  at = end + 1;
  return line.substr(begin + 1, end - begin - 1);
}

std::string ExpectedFromName(const std::string& name) {
  if (name.starts_with("eq_")) return "equivalent";
  if (name.starts_with("ne_")) return "different";
  if (name.starts_with("nq_")) return "not-equivalent";
  if (name.starts_with("unk_")) return "undecided";
  if (name.starts_with("vio_")) return "violation " + name.substr(4, name.find('_', 4) - 4);
  ADD_FAILURE() << name << " has no verdict in its name";
  return "";
}

Golden LoadGolden(const std::string& name) {
  Golden golden;
  std::string text = ReadFileOrDie(kDirectory + name);
  golden.c.candidate = {name, text, "candidate"};
  golden.c.reference = {name, text, "reference"};
  golden.expected = ExpectedFromName(name);
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("// ARGS: ")) {
      std::istringstream words(line.substr(9));
      std::string word;
      while (words >> word) golden.c.arguments.push_back(word);
    } else if (line.starts_with("// NO-MUTANT: ")) {
      golden.no_mutant = true;
    } else if (line.starts_with("// MUTANT: ")) {
      Mutant mutant;
      size_t at = line.find(':', 11);
      mutant.side = line.substr(11, at - 11);
      bool replace = line.find("replace", at) != std::string::npos;
      mutant.old_text = Quoted(line, at);
      if (replace) mutant.new_text = Quoted(line, at);
      mutant.expected = line.substr(line.find("=> ", at) + 3);
      golden.mutants.push_back(std::move(mutant));
    }
  }
  return golden;
}

// The text with one entry changed; the change must be possible in exactly that entry.
std::string Mutate(const std::string& text, const Mutant& mutant) {
  size_t entry = text.find(".entry " + mutant.side + "(");
  EXPECT_NE(entry, std::string::npos) << mutant.side;
  size_t next = text.find(".entry ", entry + 1);
  size_t at = text.find(mutant.old_text, entry);
  EXPECT_LT(at, next) << "'" << mutant.old_text << "' is not in " << mutant.side;
  if (at >= next) return text;
  return text.substr(0, at) + mutant.new_text + text.substr(at + mutant.old_text.size());
}

void ExpectVerdict(const Report& report, const std::string& expected) {
  std::string got = Describe(report);
  if (expected == "not-equivalent") {
    EXPECT_TRUE(report.verdict == Verdict::kDifferent || report.verdict == Verdict::kUndecided) << got;
  } else if (expected == "undecided or itself") {
    EXPECT_TRUE(report.verdict == Verdict::kUndecided || report.verdict == Verdict::kEquivalent) << got;
  } else if (expected == "undecided") {
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << got;
  } else {
    EXPECT_EQ(got, expected) << report.summary;
  }
  if (report.verdict == Verdict::kDifferent) {
    ASSERT_TRUE(report.witness.has_value());
    EXPECT_TRUE(report.witness->replayed);
  }
}

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, AsWritten) {
  Golden golden = LoadGolden(GetParam());
  ExpectVerdict(RunCase(golden.c, Arrangement::kAsWritten), golden.expected);
}

TEST_P(GoldenTest, SidesSwapped) {
  Golden golden = LoadGolden(GetParam());
  ExpectVerdict(RunCase(golden.c, Arrangement::kSwapped), golden.expected);
}

TEST_P(GoldenTest, EachSideAgainstItself) {
  Golden golden = LoadGolden(GetParam());
  // The candidate of a vio_ file breaks a rule whatever it is compared with.
  std::string candidate = golden.expected.starts_with("violation") ? golden.expected
                          : golden.expected == "undecided"         ? "undecided or itself"  // the same terms are equal, modelled or not
                                                                   : "equivalent";
  std::string reference = golden.expected == "undecided" ? "undecided or itself" : "equivalent";
  ExpectVerdict(RunCase(golden.c, Arrangement::kCandidateItself), candidate);
  ExpectVerdict(RunCase(golden.c, Arrangement::kReferenceItself), reference);
}

TEST_P(GoldenTest, Mutants) {
  Golden golden = LoadGolden(GetParam());
  if (golden.expected == "equivalent") {
    EXPECT_TRUE(golden.no_mutant || !golden.mutants.empty()) << "an eq_ file needs a MUTANT, or a NO-MUTANT line that says why";
  }
  for (const Mutant& mutant : golden.mutants) {
    SCOPED_TRACE(mutant.side + ": " + mutant.old_text + " -> " + mutant.new_text);
    Case changed = golden.c;
    changed.candidate.text = changed.reference.text = Mutate(golden.c.candidate.text, mutant);
    ExpectVerdict(RunCase(changed, Arrangement::kAsWritten), mutant.expected);
  }
}

std::string TestName(const testing::TestParamInfo<std::string>& info) { return info.param.substr(0, info.param.find('.')); }

INSTANTIATE_TEST_SUITE_P(Golden, GoldenTest, testing::ValuesIn(ListFiles(kDirectory, ".ptx")), TestName);

}  // namespace
}  // namespace racer
