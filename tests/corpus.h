// kernels/*/expectations.toml: what racer must say about every kernel of a folder.
#ifndef RACER_TESTS_CORPUS_H_
#define RACER_TESTS_CORPUS_H_

#include <string>
#include <vector>

#include "tests/case.h"

namespace racer {

struct CorpusCase {
  std::string name;  // of the candidate, without ".ptx"
  Case c;
  std::string expected;                      // "equivalent", "different", "violation"
  std::vector<std::string> gates;            // violation: the gates that may say so
  std::vector<std::string> dims;             // "N=3,H=127": shapes at which `expected` holds
  std::vector<std::string> equivalent_dims;  // shapes at which a twin's fault does not show
  std::string why;
  std::string folder;         // "gemv"
  std::string operator_name;  // "gemv"; empty: no case of the table of operators
  std::string open;           // why racer may still be undecided; empty: it may not
};

// `directory` ends in '/'.
std::vector<CorpusCase> LoadCorpus(const std::string& directory);

// The cases with an operator of every folder of `kernels` ("kernels/") that has expectations, folder by folder.
std::vector<CorpusCase> LoadOperators(const std::string& kernels);

// Whether the report is what the case expects at a shape of `dims` (or of `equivalent_dims`).
bool AsExpected(const CorpusCase& c, const Report& report, bool at_equivalent_shape);

// A case whose `open` says so may be undecided, or equivalent without a proof where that is right. It may never be wrong.
bool AsExpectedOrOpen(const CorpusCase& c, const Report& report, bool at_equivalent_shape);

}  // namespace racer

#endif  // RACER_TESTS_CORPUS_H_
