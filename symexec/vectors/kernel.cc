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

// Atomics, in one thread's own cell of memory. Orders, scopes and hints change no value there; vectors are several atomics.
bool IsAtomic(const WrittenForm& written) {
  const InstructionForm& form = written.form;
  if (form.opcode != Opcode::kAtom && form.opcode != Opcode::kRed) return false;
  if (form.mods.order != MemoryOrder::kWeak || form.mods.scope != Scope::kNone || form.mods.vector > 1) return false;
  for (const std::string& modifier : written.modifiers) {
    if (modifier.find("::") != modifier.npos) return false;
  }
  for (const OperandForm& operand : form.operands) {
    if (operand.name == "policy") return false;
  }
  const StateSpace space = form.mods.space;
  return space == StateSpace::kGeneric || space == StateSpace::kGlobal || space == StateSpace::kShared;
}

bool ReadsCarry(Opcode opcode) { return opcode == Opcode::kAddc || opcode == Opcode::kSubc || opcode == Opcode::kMadc; }
bool IsSubtraction(Opcode opcode) { return opcode == Opcode::kSubCc || opcode == Opcode::kSubc; }

// Addresses of a cluster, not of the operands alone.
bool DependsOnLaunch(Opcode opcode) { return opcode == Opcode::kMapa || opcode == Opcode::kGetctarank; }

bool Fits(ScalarType type) { return type != ScalarType::kNone && BitWidth(type) <= 64; }

std::optional<VectorShape> ShapeOf(const WrittenForm& written) {
  const InstructionForm& form = written.form;
  VectorShape shape;
  if (DependsOnLaunch(form.opcode)) return std::nullopt;
  shape.warp = form.spec->effect == Effect::kCollective && IsWarpFunction(form.opcode);
  shape.memory = form.spec->effect == Effect::kMemory && IsAtomic(written);
  if (form.spec->effect != Effect::kValue && !shape.warp && !shape.memory) return std::nullopt;
  if (shape.memory) shape.in.push_back(form.mods.type);
  for (const OperandForm& operand : form.operands) {
    if (operand.role == OperandForm::Role::kAddress && shape.memory) continue;
    if (!Fits(operand.type) || operand.vector > 1 || operand.role == OperandForm::Role::kLabel) return std::nullopt;
    if (operand.role == OperandForm::Role::kAddress) return std::nullopt;
    if (operand.role == OperandForm::Role::kSource) shape.in.push_back(operand.type);
    if (operand.role != OperandForm::Role::kDestination) continue;
    shape.out.push_back(operand.type);
    if (operand.pair_allowed) shape.out.push_back(operand.second_type);
  }
  if (shape.memory) shape.out.push_back(form.mods.type);
  shape.carry_in = ReadsCarry(form.opcode);
  shape.carry_out = form.mods.cc;
  if (shape.carry_in) shape.in.push_back(ScalarType::kPred);
  if (shape.carry_out) shape.out.push_back(ScalarType::kPred);
  for (const std::vector<ScalarType>* types : {&shape.in, &shape.out}) {
    for (const ScalarType type : *types) {
      if (!Fits(type)) return std::nullopt;
    }
  }
  return shape;
}

std::string Width(ScalarType type) { return "b" + std::to_string(type == ScalarType::kPred ? 32 : BitWidth(type)); }
std::string Place(const char* base, size_t index) { return "[" + std::string(base) + "+" + std::to_string(8 * index) + "]"; }

// The text of one kernel. Its own registers have no %, the instruction's do.
class KernelWriter {
 public:
  explicit KernelWriter(const VectorForm& form) : form_(form), sample_(SampleOf(form.written, {.second = true})) {}

  std::string Write() {
    for (const OperandForm& operand : form_.written.form.operands) has_lut_ |= IsImmediateOnly(operand);
    Head();
    if (form_.shape.memory) Initialise();
    Load();
    Run();
    Store();
    return text_ + "ret;\n}\n";
  }

 private:
  void Head() {
    text_ = ".visible .entry " + KernelName(form_.written) +
            "(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b64 rin, rout, roffset; .reg .b32 rtid, rcta, rword, rzero; .reg .pred rchosen;\n";
    for (const std::string& declaration : sample_.declarations) text_ += declaration + "\n";
    if (has_lut_) text_ += ".reg .b32 rlut;\n";
    if (form_.shape.memory) text_ += ".reg ." + Width(form_.shape.in[0]) + " rcell;\n";
    if (in_shared()) text_ += ".shared .align 8 .b8 cells[256];\n";
    text_ +=
        "ld.param.u64 rin, [in];\nld.param.u64 rout, [out];\n"
        "mov.u32 rtid, %tid.x;\nmov.u32 rcta, %ctaid.x;\nmad.lo.u32 rcta, rcta, 32, rtid;\n"
        "mul.wide.u32 roffset, rcta, " +
        std::to_string(8 * form_.shape.in.size()) + ";\nadd.u64 rin, rin, roffset;\nmul.wide.u32 roffset, rcta, " +
        std::to_string(8 * form_.shape.out.size()) + ";\nadd.u64 rout, rout, roffset;\n";
  }

  // The cell of memory: in global memory it is the last result's place itself.
  void Initialise() {
    const std::string width = Width(form_.shape.in[0]);
    text_ += "ld.global." + width + " rcell, " + Place("rin", read_++) + ";\n";
    if (in_shared()) {
      text_ += "mul.wide.u32 roffset, rtid, 8;\nmov.u64 %a, cells;\nadd.u64 %a, %a, roffset;\nst.shared." + width + " [%a], rcell;\n";
      return;
    }
    text_ += "add.u64 %a, rout, " + std::to_string(8 * (form_.shape.out.size() - 1)) + ";\nst.global." + width + " [%a], rcell;\n";
    if (form_.written.form.mods.space == StateSpace::kGeneric) text_ += "cvta.global.u64 %a, %a;\n";
  }

  void Load() {
    for (const OperandForm& operand : form_.written.form.operands) {
      if (operand.role != OperandForm::Role::kSource) continue;
      const std::string place = Place("rin", read_++);
      const std::string name = "%" + std::string(operand.name);
      if (IsImmediateOnly(operand)) {
        text_ += "ld.global.b32 rlut, " + place + ";\n";
      } else if (operand.type == ScalarType::kPred) {
        text_ += "ld.global.b32 rword, " + place + ";\nsetp.ne.u32 " + name + ", rword, 0;\n";
      } else {
        text_ += "ld.global." + Width(operand.type) + " " + name + ", " + place + ";\n";
      }
      if (operand.name == "mask" && form_.shape.warp) mask_ = name;
    }
  }

  void Run() {
    // The flag goes in and comes out by an instruction of the same sort, as a carry or as a borrow: the vectors are of chains, and
    // the examples of extended_precision.h say what the one sort reads of the other.
    const bool subtraction = IsSubtraction(form_.written.form.opcode);
    if (form_.shape.carry_in) {
      // 0 - 1 borrows, 1 + 0xffffffff carries.
      text_ += "ld.global.b32 rword, " + Place("rin", read_++) + ";\n";
      text_ += subtraction ? "mov.b32 rzero, 0;\nsub.cc.u32 rzero, rzero, rword;\n" : "add.cc.u32 rzero, rword, 0xffffffff;\n";
    }
    if (has_lut_) {
      for (int lut = 0; lut < kLutCount; ++lut) {
        const Sample one = SampleOf(form_.written, {.second = true, .immediate = static_cast<uint64_t>(lut)});
        text_ += "setp.eq.u32 rchosen, rlut, " + std::to_string(lut) + ";\n@rchosen " + one.text + "\n";
      }
      return;
    }
    if (!mask_.empty()) {
      text_ += "shr.u32 rword, " + mask_ + ", rtid;\nand.b32 rword, rword, 1;\nsetp.eq.u32 rchosen, rword, 0;\n@rchosen exit;\n";
    }
    text_ += sample_.text + "\n";
    if (!form_.shape.carry_out) return;
    // The flag as 0 or 1.
    text_ += "mov.b32 rzero, 0;\n";
    text_ += subtraction ? "subc.u32 rword, rzero, 0;\nneg.s32 rword, rword;\n" : "addc.u32 rword, rzero, 0;\n";
  }

  void Store() {
    size_t written = 0;
    const auto store = [&](const std::string& name, ScalarType type) {
      const std::string place = Place("rout", written++);
      if (type == ScalarType::kPred) {
        text_ += "selp.u32 rword, 1, 0, " + name + ";\nst.global.b32 " + place + ", rword;\n";
      } else {
        text_ += "st.global." + Width(type) + " " + place + ", " + name + ";\n";
      }
    };
    for (const OperandForm& operand : form_.written.form.operands) {
      if (operand.role != OperandForm::Role::kDestination) continue;
      store("%" + std::string(operand.name), operand.type);
      if (operand.pair_allowed) store("%second", operand.second_type);
    }
    if (form_.shape.carry_out) text_ += "st.global.b32 " + Place("rout", written++) + ", rword;\n";
    if (!in_shared()) return;
    const std::string width = Width(form_.shape.in[0]);
    text_ += "ld.shared." + width + " rcell, [%a];\nst.global." + width + " " + Place("rout", written) + ", rcell;\n";
  }

  bool in_shared() const { return form_.shape.memory && form_.written.form.mods.space == StateSpace::kShared; }

  const VectorForm& form_;
  const Sample sample_;
  std::string text_;
  bool has_lut_ = false;
  std::string mask_;
  size_t read_ = 0;
};

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

std::string VectorKernel(const VectorForm& form) { return KernelWriter(form).Write(); }

}  // namespace racer
