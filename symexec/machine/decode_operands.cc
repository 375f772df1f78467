#include "symexec/machine/decode_operands.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ptx_frontend/isa/spec.h"
#include "symexec/machine/literal.h"

namespace racer {
namespace {

uint64_t Mask(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

}  // namespace

void OperandDecoder::AddFunction(const ir::Function& function, uint32_t index) {
  std::vector<uint32_t>& rows = rows_[&function];
  rows.reserve(function.registers.size());
  ProgramFunction& decoded = program_->functions[index];
  decoded.first_row = program_->register_rows;
  for (const ir::Register& reg : function.registers) {
    rows.push_back(program_->register_rows);
    program_->register_rows += std::max<uint32_t>(reg.vector, 1) * (BitWidth(reg.type) > 64 ? 2 : 1);
  }
  const bool uses_carry = std::any_of(function.body.begin(), function.body.end(), [](const ir::Instruction& in) {
    return in.opcode != Opcode::kUnknown && (in.mods.cc || SpecOf(in.opcode).reads_carry);
  });
  if (uses_carry) decoded.carry_row = program_->register_rows++;
  decoded.row_count = program_->register_rows - decoded.first_row;
}

void OperandDecoder::Finish() {
  const uint32_t special_base = program_->register_rows;
  const uint32_t sink = special_base + static_cast<uint32_t>(program_->specials.size());
  program_->row_count = sink + 1;
  auto fix = [&](uint32_t* row) {
    if (*row == kNoRow) return;
    if (*row == kSinkRow) *row = sink;
    if (*row >= kFirstSpecialRow) *row = special_base + (*row - kFirstSpecialRow);
  };
  auto fix_source = [&](Source* source) {
    if (!source->constant) fix(&source->row);
  };
  for (SpecialUse& use : program_->specials) fix(&use.row);
  for (Decoded& in : program_->code) {
    for (Source& source : in.source) fix_source(&source);
    for (Dest& dest : in.dest) fix(&dest.row);
    fix_source(&in.address.base);
    in.plain = true;
    for (size_t i = 0; i < in.source_count; ++i) in.plain &= !in.source[i].negated && in.source[i].width == in.source[i].reg_width;
    for (size_t i = 0; i < in.dest_count; ++i) in.plain &= in.dest[i].width == in.dest[i].reg_width;
  }
  for (Source& source : program_->sources) fix_source(&source);
  for (Dest& dest : program_->dests) fix(&dest.row);
  for (AtomicSite& site : program_->atomics) {
    for (std::vector<Source>* sources : {&site.b, &site.c}) {
      for (Source& source : *sources) fix_source(&source);
    }
    for (Dest& dest : site.d) fix(&dest.row);
  }
  for (CopySite& site : program_->copies) fix_source(&site.to.base);
  for (CallSite& call : program_->calls) {
    for (std::vector<Transfer>* transfers : {&call.arguments, &call.results}) {
      for (Transfer& transfer : *transfers) {
        fix_source(&transfer.source);
        fix(&transfer.dest.row);
      }
    }
  }
}

uint32_t OperandDecoder::RowOf(ir::RegId reg, int component) const {
  return rows_.at(function_)[static_cast<size_t>(reg)] + static_cast<uint32_t>(std::max(component, 0));
}

Source OperandDecoder::Constant(uint64_t value, unsigned width) {
  auto [found, added] = constant_rows_.emplace(value, static_cast<uint32_t>(program_->constants.size()));
  if (added) program_->constants.push_back(value);
  return {.row = found->second, .constant = true, .width = static_cast<uint8_t>(width), .reg_width = static_cast<uint8_t>(width)};
}

std::optional<Source> OperandDecoder::DecodeSource(const ir::Operand& operand, ScalarType type) {
  return DecodeSlice(operand, type == ScalarType::kNone ? 0 : BitWidth(type), type);
}

std::optional<Source> OperandDecoder::DecodeSlice(const ir::Operand& operand, unsigned width, ScalarType type) {
  using Kind = ir::Operand::Kind;
  if (width > 64) {
    Fail("operands of " + std::to_string(width) + " bits are not modelled");
    return std::nullopt;
  }
  switch (operand.kind) {
    case Kind::kRegister: {
      const ir::Register& reg = RegisterOf(operand.reg);
      const unsigned reg_width = BitWidth(reg.type);
      if (!operand.name.empty()) {
        Fail("part `" + operand.name + "` of register `" + reg.name + "` is selected");
        return std::nullopt;
      }
      if (operand.negated && reg.type != ScalarType::kPred) {
        Fail("register `" + reg.name + "` is negated");
        return std::nullopt;
      }
      if (reg_width == 0 || reg_width > 64) {
        Fail("register `" + reg.name + "` of " + std::to_string(reg_width) + " bits is not modelled");
        return std::nullopt;
      }
      if (width == 0) width = reg_width;
      if (reg_width < width) {
        Fail("register `" + reg.name + "` is narrower than the " + std::to_string(width) + " bits that are read from it");
        return std::nullopt;
      }
      if (reg.vector > 1 && operand.vector_component < 0) {
        Fail("vector register `" + reg.name + "` stands where a scalar is expected");
        return std::nullopt;
      }
      return Source{.row = RowOf(operand.reg, operand.vector_component),
                    .constant = false,
                    .negated = operand.negated,
                    .width = static_cast<uint8_t>(width),
                    .reg_width = static_cast<uint8_t>(reg_width)};
    }
    case Kind::kImmediate:
    case Kind::kFloat: {
      const std::optional<uint64_t> pattern = LiteralPattern(operand, type);
      if (!pattern) {
        Fail("a literal operand has no meaning as ." + std::string(type == ScalarType::kNone ? "(untyped)" : Spelling(type)));
        return std::nullopt;
      }
      return Constant(operand.negated ? *pattern ^ 1 : *pattern, width);
    }
    case Kind::kVariable:
    case Kind::kAddress: {
      // The address of a variable as a value; written bare or in brackets (mov.u64 %rd, [x] is accepted by no tool, but
      // a bare name with an offset comes as either).
      const ir::Variable* variable = operand.address.variable;
      auto place = variable == nullptr ? layout_.places.end() : layout_.places.find(variable);
      if (operand.kind == Kind::kAddress || place == layout_.places.end()) {
        Fail("an address stands where a value is expected");
        return std::nullopt;
      }
      if (place->second.space == Space::kCallParam) {
        Fail("the address of parameter `" + variable->name + "` of a device function is taken");
        return std::nullopt;
      }
      if (width == 0) width = 64;
      const uint64_t address = place->second.address + static_cast<uint64_t>(operand.address.offset);
      if ((address & ~Mask(width)) != 0) {
        Fail("the address of `" + variable->name + "` does not fit " + std::to_string(width) + " bits");
        return std::nullopt;
      }
      return Constant(address, width);
    }
    case Kind::kSpecial: return DecodeSpecial(operand, width);
    case Kind::kFunction: {
      const auto address = layout_.function_addresses.find(operand.name);
      if (address != layout_.function_addresses.end() && (width == 0 || width == 64)) return Constant(address->second, 64);
      Fail("the address of function `" + operand.name + "` is taken");
      return std::nullopt;
    }
    case Kind::kSink:
    case Kind::kVector:
    case Kind::kLabel:
    case Kind::kList:
    case Kind::kPair: break;
  }
  Fail("an operand of this kind is not expected here");
  return std::nullopt;
}

std::optional<Source> OperandDecoder::DecodeSpecial(const ir::Operand& operand, unsigned width) {
  const SpecialLookup lookup = LookUpSpecial(operand.special);
  if (!lookup.kind) {
    Fail(lookup.refusal);
    return std::nullopt;
  }
  // Every modelled special register has 32 bits; a wider read (mov.u64 %rd, %dynamic_smem_size) does not occur, a
  // narrower one (mov.u16 %rs, %tid.x) takes the low half.
  if (width == 0) width = 32;
  if (width > 32) {
    Fail("special register `" + operand.special.name + "` is read with " + std::to_string(width) + " bits");
    return std::nullopt;
  }
  uint32_t index = 0;
  for (; index < program_->specials.size(); ++index) {
    if (program_->specials[index].kind == *lookup.kind && program_->specials[index].component == lookup.component) break;
  }
  if (index == program_->specials.size()) {
    program_->specials.push_back({.kind = *lookup.kind, .component = lookup.component, .row = kFirstSpecialRow + index});
  }
  return Source{.row = kFirstSpecialRow + index, .width = static_cast<uint8_t>(width), .reg_width = 32};
}

std::optional<Dest> OperandDecoder::DecodeDest(const ir::Operand& operand, ScalarType type) {
  return DecodeDestSlice(operand, type == ScalarType::kNone ? 0 : BitWidth(type), IsSigned(type));
}

std::optional<Dest> OperandDecoder::DecodeDestSlice(const ir::Operand& operand, unsigned width, bool sign) {
  if (width > 64) {
    Fail("results of " + std::to_string(width) + " bits are not modelled");
    return std::nullopt;
  }
  if (operand.kind == ir::Operand::Kind::kSink) {
    return Dest{.row = kSinkRow, .width = static_cast<uint8_t>(width), .reg_width = static_cast<uint8_t>(width), .sign = false};
  }
  if (operand.kind != ir::Operand::Kind::kRegister) {
    Fail("a destination is not a register");
    return std::nullopt;
  }
  const ir::Register& reg = RegisterOf(operand.reg);
  const unsigned reg_width = BitWidth(reg.type);
  if (reg_width == 0 || reg_width > 64) {
    Fail("register `" + reg.name + "` of " + std::to_string(reg_width) + " bits is not modelled");
    return std::nullopt;
  }
  if (width == 0) width = reg_width;
  if (reg_width < width) {
    Fail("register `" + reg.name + "` is narrower than the " + std::to_string(width) + " bits that are written to it");
    return std::nullopt;
  }
  if (reg.vector > 1 && operand.vector_component < 0) {
    Fail("vector register `" + reg.name + "` stands where a scalar is expected");
    return std::nullopt;
  }
  return Dest{.row = RowOf(operand.reg, operand.vector_component),
              .width = static_cast<uint8_t>(width),
              .reg_width = static_cast<uint8_t>(reg_width),
              .sign = sign && reg_width > width};
}

bool OperandDecoder::IsWide(const ir::Operand& operand) {
  if (operand.kind != ir::Operand::Kind::kRegister) return Fail("an operand of 128 bits is not a register");
  const ir::Register& reg = RegisterOf(operand.reg);
  if (BitWidth(reg.type) != 128 || reg.vector > 1 || !operand.name.empty()) return Fail("register `" + reg.name + "` is not of 128 bits");
  return true;
}

bool OperandDecoder::DecodeWideSource(const ir::Operand& operand, std::vector<Source>* sources) {
  if (!IsWide(operand)) return false;
  const uint32_t row = RowOf(operand.reg, -1);
  for (uint32_t half = 0; half < 2; ++half) sources->push_back({.row = row + half, .width = 64, .reg_width = 64});
  return true;
}

bool OperandDecoder::DecodeWideDest(const ir::Operand& operand, std::vector<Dest>* dests) {
  const bool sink = operand.kind == ir::Operand::Kind::kSink;
  if (!sink && !IsWide(operand)) return false;
  for (uint32_t half = 0; half < 2; ++half)
    dests->push_back({.row = sink ? kSinkRow : RowOf(operand.reg, -1) + half, .width = 64, .reg_width = 64});
  return true;
}

std::optional<AddressRef> OperandDecoder::DecodeAddress(const ir::Operand& operand, StateSpace space) {
  using Kind = ir::Operand::Kind;
  if (operand.kind != Kind::kAddress && operand.kind != Kind::kVariable) {
    Fail("an address is expected");
    return std::nullopt;
  }
  AddressRef ref;
  switch (space) {
    case StateSpace::kGeneric: ref.generic = true; break;
    case StateSpace::kGlobal: ref.space = Space::kGlobal; break;
    case StateSpace::kShared:
    case StateSpace::kSharedCluster: ref.space = Space::kShared; break;  // one CTA a cluster: cluster launches are refused
    case StateSpace::kLocal: ref.space = Space::kLocal; break;
    case StateSpace::kConst: ref.space = Space::kConst; break;
    case StateSpace::kParam:
    case StateSpace::kParamFunc: ref.space = Space::kParam; break;
    case StateSpace::kReg:
    case StateSpace::kSreg:
    case StateSpace::kTex: Fail("accesses in state space ." + std::string(Spelling(space)) + " are not modelled"); return std::nullopt;
  }
  ref.offset = static_cast<uint64_t>(operand.address.offset);
  ref.symbol = operand.address.variable;
  if (ref.symbol != nullptr) {
    auto place = layout_.places.find(ref.symbol);
    if (place == layout_.places.end()) {
      Fail("`" + ref.symbol->name + "` has no address");
      return std::nullopt;
    }
    const Space actual = place->second.space;
    if (actual == Space::kCallParam && ref.space == Space::kParam && !ref.generic) {
      if (operand.address.base) {
        Fail("parameter `" + ref.symbol->name + "` of a device function is indexed by a register");
        return std::nullopt;
      }
      ref.space = Space::kCallParam;
      ref.variable = place->second.address;
      ref.limit = ref.symbol->SizeBytes();
      return ref;
    }
    // A generic access by name is an access to the variable; its space is known.
    if (ref.generic) {
      ref.generic = false;
      ref.space = actual;
    }
    if (ref.space != actual || actual == Space::kCallParam) {
      Fail("`" + ref.symbol->name + "` is accessed as ." + SpaceName(ref.space) + " but lies in ." + SpaceName(actual));
      return std::nullopt;
    }
    ref.offset += place->second.address;
  }
  if (operand.address.base) {
    const ir::Register& reg = RegisterOf(*operand.address.base);
    const unsigned width = BitWidth(reg.type);
    if ((width != 32 && width != 64) || reg.vector > 1) {
      Fail("address register `" + reg.name + "` is not 32 or 64 bits wide");
      return std::nullopt;
    }
    if (width == 32 && (ref.generic || ref.space == Space::kGlobal)) {
      Fail("a 32-bit register holds a 64-bit address");
      return std::nullopt;
    }
    ref.base =
        Source{.row = RowOf(*operand.address.base, -1), .width = static_cast<uint8_t>(width), .reg_width = static_cast<uint8_t>(width)};
  }
  return ref;
}

std::vector<ir::Operand> OperandDecoder::Elements(const ir::Operand& operand) const {
  if (operand.kind == ir::Operand::Kind::kVector) return operand.elements;
  std::vector<ir::Operand> elements;
  if (operand.kind == ir::Operand::Kind::kRegister && operand.vector_component < 0) {
    const int count = RegisterOf(operand.reg).vector;
    for (int i = 0; i < count && count > 1; ++i) {
      elements.push_back(operand);
      elements.back().vector_component = static_cast<int8_t>(i);
    }
  }
  if (elements.empty()) elements.push_back(operand);
  return elements;
}

SpecialLookup LookUpSpecial(const ir::SpecialRegister& special) {
  const std::string& name = special.name;
  struct Row {
    const char* name;
    Special kind;
    bool vector;
  };
  static constexpr Row kRows[] = {
      {"%tid", Special::kTid, true},
      {"%ntid", Special::kNtid, true},
      {"%ctaid", Special::kCtaid, true},
      {"%nctaid", Special::kNctaid, true},
      {"%laneid", Special::kLaneId, false},
      {"%lanemask_eq", Special::kLaneMaskEq, false},
      {"%lanemask_le", Special::kLaneMaskLe, false},
      {"%lanemask_lt", Special::kLaneMaskLt, false},
      {"%lanemask_ge", Special::kLaneMaskGe, false},
      {"%lanemask_gt", Special::kLaneMaskGt, false},
      {"%dynamic_smem_size", Special::kDynamicSmemSize, false},
      {"%reserved_smem_offset_1", Special::kReservedSmem, false},
      // Without a cluster launch every CTA is a cluster of its own.
      {"%clusterid", Special::kClusterId, true},
      {"%nclusterid", Special::kNclusterId, true},
      {"%cluster_ctaid", Special::kZero, true},
      {"%cluster_ctarank", Special::kZero, false},
      {"%is_explicit_cluster", Special::kZero, false},
      {"%cluster_nctaid", Special::kOne, true},
      {"%cluster_nctarank", Special::kOne, false},
  };
  for (const Row& row : kRows) {
    if (name != row.name) continue;
    if (row.vector && !special.has_component)
      return {.kind = std::nullopt, .refusal = "special register `" + name + "` is read as a vector"};
    const uint8_t component = row.vector ? special.component : 0;
    if (component == 3) return {.kind = Special::kZero, .refusal = {}};  // the fourth element always reads as zero
    return {.kind = row.kind, .component = row.kind == Special::kZero || row.kind == Special::kOne ? uint8_t{0} : component, .refusal = {}};
  }
  return {.kind = std::nullopt, .refusal = "special register `" + name + "` is not modelled: no fixed value"};
}

}  // namespace racer
