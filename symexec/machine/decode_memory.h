// Atomics, copies, 128-bit moves and stacks to Program form.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_MEMORY_H_
#define RACER_SYMEXEC_MACHINE_DECODE_MEMORY_H_

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/decode_operands.h"
#include "symexec/machine/program.h"

namespace racer {

// Every method returns false where the operand decoder says why not.
class MemoryDecoder {
 public:
  MemoryDecoder(OperandDecoder* operands, Program* program) : operands_(*operands), program_(*program) {}

  // Appends the elements of a load or store; one of 128 bits as two of 64.
  bool AppendDests(const ir::Operand& operand, Decoded* in);
  bool AppendSources(const ir::Operand& operand, Decoded* in);

  bool MoveWide(const ir::Instruction& instruction, Decoded* in);
  bool Atomic(const ir::Instruction& instruction, Decoded* in);
  bool CopyAsync(const ir::Instruction& instruction, Decoded* in);
  bool WaitCopies(const ir::Instruction& instruction, Decoded* in);
  bool Discard(const ir::Instruction& instruction, Decoded* in);
  bool Opaque(const ir::Instruction& instruction, Decoded* in);
  // alloca, stacksave, stackrestore
  bool Stack(const ir::Instruction& instruction, Decoded* in);

 private:
  bool CheckElementType(const ir::Instruction& instruction, size_t elements);
  bool AtomicOperands(const ir::Operand& operand, ScalarType type, std::vector<Source>* sources);

  OperandDecoder& operands_;
  Program& program_;
};

// Marks the atomics whose result nothing reads. After OperandDecoder::Finish.
void FindUnusedResults(Program* program);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_MEMORY_H_
