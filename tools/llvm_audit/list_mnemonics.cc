// Lists what LLVM's NVPTX backend can print: for every opcode of its MCInstrInfo the fixed text in front of the first operand
// (MCInstPrinter::getMnemonic), without duplicates. Not built by Bazel; needs llvm-19-dev:
//
//   c++ -std=c++20 -I/usr/lib/llvm-19/include tools/llvm_audit/list_mnemonics.cc -L/usr/lib/llvm-19/lib -lLLVM-19 -o /tmp/list
//   /tmp/list > ptx_frontend/isa/testdata/llvm_mnemonics.txt     (behind the head of that file)
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

int main() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  std::string error;
  const std::string triple = "nvptx64-nvidia-cuda";
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  const std::unique_ptr<llvm::MCAsmInfo> assembly(target->createMCAsmInfo(*registers, triple, llvm::MCTargetOptions()));
  const std::unique_ptr<llvm::MCInstPrinter> printer(
      target->createMCInstPrinter(llvm::Triple(triple), 0, *assembly, *instructions, *registers));
  std::set<std::string> lines;
  for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode) {
    llvm::MCInst instruction;
    instruction.setOpcode(opcode);
    const auto [text, bits] = printer->getMnemonic(&instruction);
    if (text == nullptr) continue;
    std::string line(text);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.pop_back();
    if (!line.empty()) lines.insert(line);
  }
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  return 0;
}
