// kernels/weighted_rmsnorm/expectations.toml: what racer must say about every kernel of the corpus.
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
};

// `directory` ends in '/'.
std::vector<CorpusCase> LoadCorpus(const std::string& directory);

// Whether the report is what the case expects at a shape of `dims` (or of `equivalent_dims`).
bool AsExpected(const CorpusCase& c, const Report& report, bool at_equivalent_shape);

}  // namespace racer

#endif  // RACER_TESTS_CORPUS_H_
