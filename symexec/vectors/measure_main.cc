// The measures of the hardware vectors.
//
//   measure_main [FILE...]        what was compared and what came out, a line a record; then every form that does not agree
//   measure_main --table FILE...  ptx_frontend/isa/hardware.def, from which docs/isa.md takes its counts
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_frontend/isa/spec.h"
#include "symexec/vectors/kernel.h"
#include "symexec/vectors/replay.h"

namespace racer {
namespace {

constexpr const char* kRecords[] = {
    "",
#define RACER_INSTRUCTION(name) #name,
#include "ptx_frontend/isa/instructions.def"
};

struct Sum {
  uint64_t all_forms = 0, forms = 0, vectors = 0, mismatches = 0, undefined = 0, unpromised = 0;
  double worst_ulp = 0, worst_share = 0;
};

int Run(bool table, const std::vector<std::string>& paths) {
  std::map<Opcode, Sum> sums;
  for (const VectorForm& form : VectorForms()) ++sums[form.written.form.opcode].all_forms;
  std::vector<FormReplay> wrong;
  for (const std::string& path : paths) {
    for (FormReplay& replay : Replay(ReadVectors(path))) {
      Sum& sum = sums[replay.opcode];
      ++sum.forms;
      sum.vectors += replay.vectors;
      sum.mismatches += replay.mismatches;
      sum.undefined += replay.undefined;
      sum.unpromised += replay.unpromised;
      sum.worst_ulp = std::max(sum.worst_ulp, replay.worst_ulp);
      sum.worst_share = std::max(sum.worst_share, replay.worst_share);
      if (replay.mismatches > 0 || replay.opcode == Opcode::kUnknown) wrong.push_back(std::move(replay));
    }
  }
  Sum total;
  if (table) {
    std::printf(
        "// RACER_HARDWARE(Record, forms, vectors, error, share): what was run on a GPU; of bounded fidelity, the worst error seen in\n"
        "// ulp (0 where the bounds are absolute) and as a share of the manual's bound (0 where it promises nothing).\n"
        "// Made by: bazel run //symexec/vectors:measure_main -- --table, on the files of symexec/vectors/testdata.\n"
        "#ifndef RACER_HARDWARE\n#error \"define RACER_HARDWARE before including this file\"\n#endif\n");
  } else {
    std::printf("%-16s %11s %9s %10s %9s %10s %8s\n", "record", "forms", "vectors", "mismatches", "undefined", "worst ulp", "of bound");
  }
  for (const auto& [opcode, sum] : sums) {
    const char* record = kRecords[static_cast<size_t>(opcode)];
    const std::string forms = std::to_string(sum.forms) + "/" + std::to_string(sum.all_forms);
    if (table && sum.forms > 0 && opcode != Opcode::kUnknown) {
      std::printf("RACER_HARDWARE(%s, %llu, %llu, %.2f, %.2f)\n", record, static_cast<unsigned long long>(sum.forms),
                  static_cast<unsigned long long>(sum.vectors), sum.worst_ulp, sum.worst_share);
    } else if (!table) {
      std::printf("%-16s %11s %9llu %10llu %9llu", record, forms.c_str(), static_cast<unsigned long long>(sum.vectors),
                  static_cast<unsigned long long>(sum.mismatches), static_cast<unsigned long long>(sum.undefined));
      if (sum.worst_ulp > 0 || sum.worst_share > 0) std::printf(" %10.3f %8.3f", sum.worst_ulp, sum.worst_share);
      std::printf("\n");
    }
    total.all_forms += sum.all_forms;
    total.forms += sum.forms;
    total.vectors += sum.vectors;
    total.mismatches += sum.mismatches;
    total.undefined += sum.undefined;
  }
  if (table) {
    std::printf("#undef RACER_HARDWARE\n");
    return 0;
  }
  std::printf("forms %llu of %llu, vectors %llu, mismatches %llu, undefined %llu\n", static_cast<unsigned long long>(total.forms),
              static_cast<unsigned long long>(total.all_forms), static_cast<unsigned long long>(total.vectors),
              static_cast<unsigned long long>(total.mismatches), static_cast<unsigned long long>(total.undefined));
  for (const FormReplay& replay : wrong) {
    std::printf("WRONG %s: %llu of %llu; %s\n", replay.name.c_str(), static_cast<unsigned long long>(replay.mismatches),
                static_cast<unsigned long long>(replay.vectors),
                replay.opcode == Opcode::kUnknown ? "the table has no such form" : replay.first_wrong.c_str());
  }
  return wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) {
  const bool table = argc > 1 && std::strcmp(argv[1], "--table") == 0;
  std::vector<std::string> paths(argv + (table ? 2 : 1), argv + argc);
  if (paths.empty()) {
    for (const char* name : {"approximate", "comparison", "conversion", "float", "integer", "memory", "warp"}) {
      const std::string path = "symexec/vectors/testdata/" + std::string(name) + ".txt";
      if (std::ifstream(path)) paths.push_back(path);
    }
  }
  return racer::Run(table, paths);
}
