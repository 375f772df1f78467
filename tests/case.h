// Running a check in this process, from texts: what the golden and corpus tests share.
#ifndef RACER_TESTS_CASE_H_
#define RACER_TESTS_CASE_H_

#include <memory>
#include <string>
#include <vector>

#include "checker/check.h"
#include "checker/options.h"
#include "checker/report.h"

namespace racer {

// One side: a PTX text under a name, and its entry.
struct CaseSide {
  std::string name;
  std::string text;
  std::string entry;
};

struct Case {
  CaseSide candidate, reference;
  std::string contract_name, contract_text;  // empty: the candidate's `//! ` block
  std::vector<std::string> arguments;        // further command line, e.g. {"--dims", "N=2,H=384"}
};

// How the sides are put together.
enum class Arrangement : uint8_t { kAsWritten, kSwapped, kCandidateItself, kReferenceItself };

// The contract's [candidate] and [reference] move with the kernels.
Report RunCase(const Case& c, Arrangement arrangement);

// "equivalent", "different", "violation race", "undecided: ...", "input error: ...".
std::string Describe(const Report& report);

std::string ReadFileOrDie(const std::string& path);
// Names of the files in a directory that end in `suffix`, sorted.
std::vector<std::string> ListFiles(const std::string& directory, const std::string& suffix);

}  // namespace racer

#endif  // RACER_TESTS_CASE_H_
