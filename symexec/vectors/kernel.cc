#include "symexec/vectors/kernel.h"

#include <optional>
#include <string_view>

#include "ptx_frontend/isa/spec.h"

namespace racer {
namespace {

constexpr int kLutCount = 256;

// Collectives that are functions of the lanes' operands. activemask and the forms without .sync depend on how the warp has
// diverged, the barriers on other warps; which lane elect.sync elects is left open.
bool IsWarpFunction(Opcode opcode) {
  return opcode == Opcode::kShflSync || opcode == Opcode::kVoteSync || opcode == Opcode::kMatchSync || opcode == Opcode::kReduxSync;
}

bool Fits(ScalarType type) { return type != ScalarType::kNone && BitWidth(type) <= 64; }

std::optional<VectorShape> ShapeOf(const WrittenForm& written) {
  const Spec& spec = *written.form.spec;
  VectorShape shape;
  shape.warp = spec.effect == Effect::kCollective && IsWarpFunction(written.form.opcode);
  if (spec.effect != Effect::kValue && !shape.warp) return std::nullopt;
  for (const OperandForm& operand : written.form.operands) {
    if (!Fits(operand.type) || operand.vector > 1 || operand.role == OperandForm::Role::kLabel) return std::nullopt;
    if (operand.role == OperandForm::Role::kAddress) return std::nullopt;
    if (operand.role == OperandForm::Role::kSource) shape.in.push_back(operand.type);
    if (operand.role != OperandForm::Role::kDestination) continue;
    shape.out.push_back(operand.type);
    if (operand.pair_allowed) shape.out.push_back(operand.second_type);
  }
  return shape;
}

std::string Width(ScalarType type) { return "b" + std::to_string(type == ScalarType::kPred ? 32 : BitWidth(type)); }
std::string Place(const char* base, size_t index) { return "[" + std::string(base) + "+" + std::to_string(8 * index) + "]"; }

}  // namespace

std::vector<VectorForm> VectorForms() {
  std::vector<VectorForm> forms;
  for (const Opcode opcode : {
#define RACER_INSTRUCTION(name) Opcode::k##name,
#include "ptx_frontend/isa/instructions.def"
       }) {
    for (WrittenForm& written : FormsOf(opcode)) {
      std::optional<VectorShape> shape = ShapeOf(written);
      if (shape) forms.push_back({std::move(written), std::move(*shape)});
    }
  }
  return forms;
}

std::string KernelName(const WrittenForm& written) {
  std::string name;
  for (const char c : written.Name()) {
    if (c != ':' || !name.ends_with('_')) name += c == '.' || c == ':' || c == '/' ? '_' : c;
  }
  return name;
}

std::string VectorKernel(const VectorForm& form) {
  const Sample sample = SampleOf(form.written, {.second = true});
  std::string text = ".visible .entry " + KernelName(form.written) +
                     "(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .b64 rin, rout, roffset; .reg .b32 rtid, rcta, rword; .reg .pred rchosen;\n";
  bool has_lut = false;
  for (const OperandForm& operand : form.written.form.operands) has_lut |= IsImmediateOnly(operand);
  for (const std::string& declaration : sample.declarations) text += declaration + "\n";
  if (has_lut) text += ".reg .b32 rlut;\n";
  text +=
      "ld.param.u64 rin, [in];\nld.param.u64 rout, [out];\n"
      "mov.u32 rtid, %tid.x;\nmov.u32 rcta, %ctaid.x;\nmad.lo.u32 rcta, rcta, 32, rtid;\n"
      "mul.wide.u32 roffset, rcta, " +
      std::to_string(8 * form.shape.in.size()) + ";\nadd.u64 rin, rin, roffset;\nmul.wide.u32 roffset, rcta, " +
      std::to_string(8 * form.shape.out.size()) + ";\nadd.u64 rout, rout, roffset;\n";

  size_t read = 0;
  std::string mask;
  for (const OperandForm& operand : form.written.form.operands) {
    if (operand.role != OperandForm::Role::kSource) continue;
    const std::string place = Place("rin", read++);
    const std::string name = "%" + std::string(operand.name);
    if (IsImmediateOnly(operand)) {
      text += "ld.global.b32 rlut, " + place + ";\n";
    } else if (operand.type == ScalarType::kPred) {
      text += "ld.global.b32 rword, " + place + ";\nsetp.ne.u32 " + name + ", rword, 0;\n";
    } else {
      text += "ld.global." + Width(operand.type) + " " + name + ", " + place + ";\n";
    }
    if (operand.name == "mask" && form.shape.warp) mask = name;
  }

  if (has_lut) {
    for (int lut = 0; lut < kLutCount; ++lut) {
      const Sample one = SampleOf(form.written, {.second = true, .immediate = static_cast<uint64_t>(lut)});
      text += "setp.eq.u32 rchosen, rlut, " + std::to_string(lut) + ";\n@rchosen " + one.text + "\n";
    }
  } else if (!mask.empty()) {
    text += "shr.u32 rword, " + mask + ", rtid;\nand.b32 rword, rword, 1;\nsetp.eq.u32 rchosen, rword, 0;\n@rchosen exit;\n";
    text += sample.text + "\n";
  } else {
    text += sample.text + "\n";
  }

  size_t written = 0;
  const auto store = [&](const std::string& name, ScalarType type) {
    const std::string place = Place("rout", written++);
    if (type == ScalarType::kPred) {
      text += "selp.u32 rword, 1, 0, " + name + ";\nst.global.b32 " + place + ", rword;\n";
    } else {
      text += "st.global." + Width(type) + " " + place + ", " + name + ";\n";
    }
  };
  for (const OperandForm& operand : form.written.form.operands) {
    if (operand.role != OperandForm::Role::kDestination) continue;
    store("%" + std::string(operand.name), operand.type);
    if (operand.pair_allowed) store("%second", operand.second_type);
  }
  return text + "ret;\n}\n";
}

}  // namespace racer
