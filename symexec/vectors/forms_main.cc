// What tools/hardware/vectors.py works from: the forms with their operands, or the kernels that run them.
//
//   forms_main list     a line a form: name, kernel, record, effect, fidelity, operands read, results, separated by tabs
//   forms_main kernels  a PTX module with a kernel for each
#include <iostream>
#include <string>
#include <string_view>

#include "ptx_frontend/isa/spec.h"
#include "symexec/vectors/kernel.h"

namespace racer {
namespace {

constexpr std::string_view kRecords[] = {
    "",
#define RACER_INSTRUCTION(name) #name,
#include "ptx_frontend/isa/instructions.def"
};

// "a:f32,b:f32"; names tell shift amounts, masks, tables and the like from values.
std::string Operands(const VectorForm& form) {
  std::string text;
  if (form.shape.memory) text = "memory:" + std::string(Spelling(form.shape.in[0]));
  for (const OperandForm& operand : form.written.form.operands) {
    if (operand.role != OperandForm::Role::kSource) continue;
    text += (text.empty() ? "" : ",") + std::string(operand.name) + ":" + std::string(Spelling(operand.type));
  }
  return form.shape.carry_in ? text + ",carry:pred" : text;
}

std::string Results(const VectorForm& form) {
  std::string text;
  for (const ScalarType type : form.shape.out) text += (text.empty() ? "" : ",") + std::string(Spelling(type));
  return text;
}

int Run(std::string_view what) {
  if (what != "list" && what != "kernels") {
    std::cerr << "usage: forms_main list|kernels\n";
    return 3;
  }
  if (what == "kernels") std::cout << kVectorModuleHeader;
  for (const VectorForm& form : VectorForms()) {
    if (what == "kernels") {
      std::cout << VectorKernel(form);
      continue;
    }
    const Spec& spec = *form.written.form.spec;
    std::cout << form.written.Name() << '\t' << KernelName(form.written) << '\t' << kRecords[static_cast<size_t>(form.written.form.opcode)]
              << '\t'
              << (form.shape.warp     ? "warp"
                  : form.shape.memory ? "memory"
                                      : "value")
              << '\t' << (spec.fidelity == Fidelity::kBounded ? "bounded" : "exact") << '\t' << Operands(form) << '\t' << Results(form)
              << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) { return racer::Run(argc == 2 ? argv[1] : ""); }
