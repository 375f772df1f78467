#include "symexec/machine/decode_matrix.h"

#include <optional>
#include <vector>

namespace racer {
namespace {

using Kind = MatrixForm::Kind;

class MatrixDecoder {
 public:
  MatrixDecoder(const ir::Instruction& instruction, OperandDecoder* operands, Program* program)
      : instruction_(instruction), operands_(operands), program_(program) {}

  bool Decode(Decoded* in) {
    const std::optional<MatrixForm> form = MatrixFormOf(instruction_.mnemonic, instruction_.modifiers);
    if (!form) return operands_->Fail("is not modelled");
    MatrixInstruction matrix;
    matrix.form = *form;
    if (!Operands(in, &matrix)) return false;
    in->element_first = static_cast<uint32_t>(program_->matrices.size());
    program_->matrices.push_back(matrix);
    return true;
  }

 private:
  bool Operands(Decoded* in, MatrixInstruction* matrix) {
    switch (matrix->form.kind) {
      case Kind::kLoad: return Results(&matrix->d) && Address(in);
      case Kind::kStore: return Address(in) && Sources(&matrix->a);
      case Kind::kMove: return Results(&matrix->d) && Sources(&matrix->a);
      case Kind::kMultiply:
      case Kind::kFragmentMultiply: return Multiplication(matrix);
      case Kind::kFragmentLoad: return Results(&matrix->d) && Address(in) && Stride(matrix);
      case Kind::kFragmentStore: return Address(in) && Sources(&matrix->a) && Stride(matrix);
    }
    return false;
  }

  bool Multiplication(MatrixInstruction* matrix) {
    if (!Results(&matrix->d) || !Sources(&matrix->a) || !Sources(&matrix->b) || !Sources(&matrix->c)) return false;
    if (matrix->form.sparse && (!Sources(&matrix->metadata) || !Selector(matrix))) return false;
    if (matrix->form.scale_vectors == 0) return true;
    return Sources(&matrix->scale_a) && Sources(&matrix->ids_a) && Sources(&matrix->scale_b) && Sources(&matrix->ids_b);
  }

  bool Selector(MatrixInstruction* matrix) {
    const ir::Operand* operand = nullptr;
    ScalarType type = ScalarType::kNone;
    if (!Next(&operand, &type)) return false;
    if (operand->kind != ir::Operand::Kind::kImmediate || operand->bits >= SelectorCount(matrix->form)) {
      return operands_->Fail("the sparsity selector is no number below " + std::to_string(SelectorCount(matrix->form)));
    }
    matrix->selector = static_cast<uint32_t>(operand->bits);
    return true;
  }

  bool Stride(MatrixInstruction* matrix) { return next_ == instruction_.operands.size() || Sources(&matrix->stride); }

  bool Next(const ir::Operand** operand, ScalarType* type) {
    if (next_ >= instruction_.operands.size()) return operands_->Fail("operands are missing");
    *operand = &instruction_.operands[next_];
    *type = next_ < instruction_.operand_types.size() ? instruction_.operand_types[next_] : ScalarType::kNone;
    ++next_;
    return true;
  }

  bool Results(OperandRange* range) {
    const ir::Operand* operand = nullptr;
    ScalarType type = ScalarType::kNone;
    if (!Next(&operand, &type)) return false;
    range->first = static_cast<uint32_t>(program_->dests.size());
    for (const ir::Operand& element : operands_->Elements(*operand)) {
      const std::optional<Dest> dest = operands_->DecodeDest(element, type);
      if (!dest) return false;
      program_->dests.push_back(*dest);
      ++range->count;
    }
    return true;
  }

  bool Sources(OperandRange* range) {
    const ir::Operand* operand = nullptr;
    ScalarType type = ScalarType::kNone;
    if (!Next(&operand, &type)) return false;
    range->first = static_cast<uint32_t>(program_->sources.size());
    for (const ir::Operand& element : operands_->Elements(*operand)) {
      const std::optional<Source> source = operands_->DecodeSource(element, type);
      if (!source) return false;
      program_->sources.push_back(*source);
      ++range->count;
    }
    return true;
  }

  bool Address(Decoded* in) {
    const ir::Operand* operand = nullptr;
    ScalarType type = ScalarType::kNone;
    if (!Next(&operand, &type)) return false;
    const std::optional<AddressRef> address = operands_->DecodeAddress(*operand, instruction_.mods.space);
    if (!address) return false;
    in->address = *address;
    return true;
  }

  const ir::Instruction& instruction_;
  OperandDecoder* operands_;
  Program* program_;
  size_t next_ = 0;
};

}  // namespace

bool DecodeMatrix(const ir::Instruction& instruction, OperandDecoder* operands, Program* program, Decoded* in) {
  return MatrixDecoder(instruction, operands, program).Decode(in);
}

}  // namespace racer
