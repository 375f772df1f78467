// Which functions call which, and calls to Program form.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_CALLS_H_
#define RACER_SYMEXEC_MACHINE_DECODE_CALLS_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/decode_operands.h"
#include "symexec/machine/layout.h"
#include "symexec/machine/program.h"

namespace racer {

// Over the functions of one Program, by their index in it.
class CallGraph {
 public:
  CallGraph(const ir::Module& module, const std::vector<const ir::Function*>& functions);

  std::optional<uint32_t> IndexOf(const ir::Function* function) const;
  // Whether g can be running while f has not returned; f itself can.
  bool Reaches(uint32_t f, uint32_t g) const { return reaches_[f][g]; }
  std::vector<uint32_t> CalleesFirst() const;

 private:
  std::unordered_map<const ir::Function*, uint32_t> index_of_;
  std::vector<std::vector<uint32_t>> callees_;
  std::vector<std::vector<bool>> reaches_;
};

class CallDecoder {
 public:
  CallDecoder(const ir::Module& module, const std::vector<const ir::Function*>& functions, const Layout& layout, const CallGraph& graph,
              OperandDecoder* operands, Program* program)
      : module_(module), functions_(functions), layout_(layout), graph_(graph), operands_(operands), program_(program) {}

  // A call in the function of index `caller`. False: the operand decoder says why.
  bool Decode(const ir::Instruction& instruction, uint32_t caller, Decoded* in);

 private:
  bool DecodeSite(uint32_t callee, const ir::Operand* results, const ir::Operand* arguments, uint32_t* index);
  bool DecodeIndirect(const ir::Operand& pointer, const ir::Operand* results, const ir::Operand* arguments, Decoded* in);
  bool DecodeTransfers(const ir::Function& callee, const std::vector<ir::Variable*>& formals, const ir::Operand* list, bool in,
                       std::vector<Transfer>* transfers);
  bool DecodeTransfer(const ir::Function& callee, const ir::Variable& formal, const ir::Operand& actual, bool in, Transfer* transfer);
  std::optional<ir::Operand> FormalRegister(const ir::Function& callee, const ir::Variable& formal);
  std::optional<Source> FormalSource(const ir::Function& callee, const ir::Variable& formal);
  std::optional<Dest> FormalDest(const ir::Function& callee, const ir::Variable& formal);

  const ir::Module& module_;
  const std::vector<const ir::Function*>& functions_;
  const Layout& layout_;
  const CallGraph& graph_;
  OperandDecoder* operands_;
  Program* program_;
  uint32_t caller_ = 0;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_CALLS_H_
