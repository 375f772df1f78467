// isa_forms: one line for every written form of the instruction table, tab-separated: record, declarations, instruction. What
// tools/ptxas_judge.py assembles.
#include <cstdio>
#include <string>

#include "ptx_frontend/isa/forms.h"
#include "ptx_frontend/isa/spec.h"

namespace racer {
namespace {

void Print(const char* record, Opcode opcode) {
  for (const WrittenForm& written : FormsOf(opcode)) {
    const Sample sample = SampleOf(written, {.immediate = 1});
    std::string declarations;
    for (const std::string& declaration : sample.declarations) declarations += declaration + " ";
    std::printf("%s\t%s\t%s\n", record, declarations.c_str(), sample.text.c_str());
  }
}

}  // namespace
}  // namespace racer

int main() {
#define RACER_INSTRUCTION(name) racer::Print(#name, racer::Opcode::k##name);
#include "ptx_frontend/isa/instructions.def"
  return 0;
}
