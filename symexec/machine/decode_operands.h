// Operands of ir::Instruction to rows, constants and addresses of a Program.
#ifndef RACER_SYMEXEC_MACHINE_DECODE_OPERANDS_H_
#define RACER_SYMEXEC_MACHINE_DECODE_OPERANDS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "symexec/machine/layout.h"
#include "symexec/machine/program.h"

namespace racer {

// One per Program. Every method that returns an empty optional has set `problem`.
class OperandDecoder {
 public:
  OperandDecoder(const Layout& layout, Program* program) : layout_(layout), program_(program) {}

  // Allocates the rows of a function's registers.
  void AddFunction(const ir::Function& function, uint32_t index);
  // Gives specials and the sink their rows, once all functions are decoded.
  void Finish();

  void SelectFunction(const ir::Function& function) { function_ = &function; }
  const std::string& problem() const { return problem_; }
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  // A scalar operand where `type` is expected; kNone: whatever the register holds.
  std::optional<Source> DecodeSource(const ir::Operand& operand, ScalarType type);
  // As above for a slice of a packed value: only the width counts.
  std::optional<Source> DecodeSlice(const ir::Operand& operand, unsigned width, ScalarType type);
  std::optional<Dest> DecodeDest(const ir::Operand& operand, ScalarType type);
  std::optional<Dest> DecodeDestSlice(const ir::Operand& operand, unsigned width, bool sign);
  // Appends the two halves of a register of 128 bits, the low one first.
  bool DecodeWideSource(const ir::Operand& operand, std::vector<Source>* sources);
  bool DecodeWideDest(const ir::Operand& operand, std::vector<Dest>* dests);
  std::optional<AddressRef> DecodeAddress(const ir::Operand& operand, StateSpace space);
  // The elements of a `{...}` operand or of a vector register; a scalar counts as one element.
  std::vector<ir::Operand> Elements(const ir::Operand& operand) const;

  uint32_t RowOf(ir::RegId reg, int component) const;
  const ir::Register& RegisterOf(ir::RegId reg) const { return function_->registers[static_cast<size_t>(reg)]; }
  Source Constant(uint64_t value, unsigned width);

 private:
  bool IsWide(const ir::Operand& operand);
  std::optional<Source> DecodeSpecial(const ir::Operand& operand, unsigned width);

  const Layout& layout_;
  Program* program_;
  const ir::Function* function_ = nullptr;
  std::string problem_;
  std::unordered_map<const ir::Function*, std::vector<uint32_t>> rows_;
  std::map<uint64_t, uint32_t> constant_rows_;
};

// Rows of specials and the sink are numbered from here until Finish() moves them behind the registers.
constexpr uint32_t kFirstSpecialRow = 0x8000'0000;
constexpr uint32_t kSinkRow = 0xffff'0000;

// What a special register is, or a reason why it is refused.
struct SpecialLookup {
  std::optional<Special> kind;
  uint8_t component = 0;
  std::string refusal;
};
SpecialLookup LookUpSpecial(const ir::SpecialRegister& special);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_DECODE_OPERANDS_H_
