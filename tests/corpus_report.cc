// Prints the verdict table of the weighted RMSNorm corpus: one line a case and shape, then the totals.
//
//   bazel run -c opt //tests:corpus_report            from the repository root, or
//   .bz/bin/tests/corpus_report [--all-arrangements]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/corpus.h"

namespace racer {
namespace {

int Main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  bool all = argc > 1 && std::strcmp(argv[1], "--all-arrangements") == 0;
  std::string directory = "kernels/weighted_rmsnorm/";
  if (const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY")) directory = std::string(workspace) + "/" + directory;
  struct Totals {
    unsigned runs = 0, as_expected = 0;
  } totals[3];
  double seconds_total = 0;
  auto run = [&](const CorpusCase& c, const std::string& dims, Arrangement arrangement, bool at_equivalent_shape) {
    Case at = c.c;
    at.arguments = {"--dims", dims};
    auto start = std::chrono::steady_clock::now();
    Report report = RunCase(at, arrangement);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    seconds_total += seconds;
    bool itself = arrangement == Arrangement::kCandidateItself || arrangement == Arrangement::kReferenceItself;
    bool good = itself ? report.verdict == Verdict::kEquivalent || (c.expected == "violation" && report.verdict == Verdict::kViolation)
                       : AsExpected(c, report, at_equivalent_shape);
    static constexpr const char* kNames[] = {"", " swapped", " itself", " reference itself"};
    std::string step;
    for (const ShapeReport& shape : report.shapes) {
      for (const auto& [name, count] : shape.decided_by) step += " " + name + ":" + std::to_string(count);
    }
    std::printf("%-5s %-62s %-14s %-24s %7.1f ms %s\n", good ? "ok" : "WRONG", (c.name + kNames[static_cast<size_t>(arrangement)]).c_str(),
                dims.c_str(), Describe(report).substr(0, 60).c_str(), seconds * 1e3, step.c_str());
    Totals& total = totals[c.expected == "equivalent" ? 0 : c.expected == "different" ? 1 : 2];
    ++total.runs;
    total.as_expected += good ? 1 : 0;
  };
  for (const CorpusCase& c : LoadCorpus(directory)) {
    for (const std::string& dims : c.dims) run(c, dims, Arrangement::kAsWritten, false);
    for (const std::string& dims : c.equivalent_dims) run(c, dims, Arrangement::kAsWritten, true);
    if (!all) continue;
    for (const std::string& dims : c.dims) run(c, dims, Arrangement::kSwapped, false);
    run(c, c.dims.front(), Arrangement::kCandidateItself, false);
    run(c, c.dims.front(), Arrangement::kReferenceItself, false);
  }
  std::printf("correct kernels: %u of %u as expected; twins that differ: %u of %u; twins that break a rule: %u of %u; %.1f s\n",
              totals[0].as_expected, totals[0].runs, totals[1].as_expected, totals[1].runs, totals[2].as_expected, totals[2].runs,
              seconds_total);
  return totals[0].as_expected == totals[0].runs && totals[1].as_expected == totals[1].runs && totals[2].as_expected == totals[2].runs ? 0
                                                                                                                                       : 1;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) { return racer::Main(argc, argv); }
