#include "symexec/machine/decode_memory.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

bool Has(const ir::Instruction& instruction, const char* modifier) {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) != instruction.modifiers.end();
}

// The operand's value if it is a literal.
const uint64_t* Literal(const ir::Operand& operand) { return operand.kind == Kind::kImmediate ? &operand.bits : nullptr; }

// Operations with equal keys on one location give the same whatever their order; 0: they do not. Additions are those of a width, since
// they are the same for both signs.
uint32_t OrderKey(ReduceOp operation, ScalarType type) {
  const uint32_t kind = static_cast<uint32_t>(operation) << 16;
  switch (operation) {
    case ReduceOp::kAnd:
    case ReduceOp::kOr:
    case ReduceOp::kXor: return kind | BitWidth(type);
    case ReduceOp::kAdd: return kind | (IsFloat(type) ? 0x8000 | static_cast<uint32_t>(type) : BitWidth(type));
    // The value of one order of additions, rounded; of a minimum or maximum the same bits: NaN loses against all else, and -0 is less
    // than +0.
    case ReduceOp::kMin:
    case ReduceOp::kMax:
    // f(x) is one function, applied as often as there are operations, if all have one operand (`by_operand`).
    case ReduceOp::kInc:
    case ReduceOp::kDec: return kind | 0x8000 | static_cast<uint32_t>(type);
    case ReduceOp::kNone:
    case ReduceOp::kExch:
    case ReduceOp::kCas:
    case ReduceOp::kPopc: return 0;
  }
  RACER_UNREACHABLE(static_cast<int>(operation));
}

}  // namespace

bool MemoryDecoder::CheckElementType(const ir::Instruction& instruction, size_t elements) {
  const unsigned width = BitWidth(instruction.mods.type);
  if (width != 8 && width != 16 && width != 32 && width != 64 && width != 128) {
    return operands_.Fail("accesses of " + std::to_string(width) + " bits are not modelled");
  }
  if (elements != instruction.mods.vector) {
    return operands_.Fail("a vector of " + std::to_string(elements) + " stands where " + std::to_string(instruction.mods.vector) +
                          " are expected");
  }
  if (width == 128 && elements > 1) return operands_.Fail("vectors of 128-bit elements are not modelled");
  if (width * elements > 256) return operands_.Fail("accesses of more than 256 bits are not modelled");
  return true;
}

bool MemoryDecoder::AppendDests(const ir::Operand& operand, Decoded* in) {
  const std::vector<ir::Operand> elements = operands_.Elements(operand);
  if (!CheckElementType(*in->instruction, elements.size())) return false;
  in->element_first = static_cast<uint32_t>(program_.dests.size());
  for (const ir::Operand& element : elements) {
    if (in->instruction->mods.type == ScalarType::kB128) {
      if (!operands_.DecodeWideDest(element, &program_.dests)) return false;
      continue;
    }
    std::optional<Dest> dest = operands_.DecodeDest(element, in->mods.type);
    if (!dest) return false;
    program_.dests.push_back(*dest);
  }
  in->element_count = static_cast<uint32_t>(program_.dests.size()) - in->element_first;
  if (in->mods.type == ScalarType::kB128) in->mods.type = ScalarType::kB64;
  return true;
}

bool MemoryDecoder::AtomicOperands(const ir::Operand& operand, ScalarType type, std::vector<Source>* sources) {
  for (const ir::Operand& element : operands_.Elements(operand)) {
    if (type == ScalarType::kB128) {
      if (!operands_.DecodeWideSource(element, sources)) return false;
      continue;
    }
    std::optional<Source> source = operands_.DecodeSource(element, type);
    if (!source) return false;
    sources->push_back(*source);
  }
  return true;
}

bool MemoryDecoder::AppendSources(const ir::Operand& operand, Decoded* in) {
  if (!CheckElementType(*in->instruction, operands_.Elements(operand).size())) return false;
  in->element_first = static_cast<uint32_t>(program_.sources.size());
  if (!AtomicOperands(operand, in->mods.type, &program_.sources)) return false;
  in->element_count = static_cast<uint32_t>(program_.sources.size()) - in->element_first;
  if (in->mods.type == ScalarType::kB128) in->mods.type = ScalarType::kB64;
  return true;
}

// Two or four sources to two or four destinations; a register of 128 bits is two of 64.
bool MemoryDecoder::MoveWide(const ir::Instruction& instruction, Decoded* in) {
  if (instruction.operands.size() != 2) return operands_.Fail("operands are missing");
  const std::vector<ir::Operand> to = operands_.Elements(instruction.operands[0]);
  const std::vector<ir::Operand> from = operands_.Elements(instruction.operands[1]);
  if (to.size() > 1 && from.size() > 1) return operands_.Fail("vectors are moved to vectors");
  for (size_t count : {to.size(), from.size()}) {
    if (count != 1 && count != 2 && count != 4)
      return operands_.Fail("packing " + std::to_string(count) + " parts of 128 bits is not modelled");
  }
  std::vector<Source> sources;
  if (from.size() == 1) {
    if (!operands_.DecodeWideSource(from[0], &sources)) return false;
  } else {
    for (const ir::Operand& element : from) {
      const unsigned width = static_cast<unsigned>(128 / from.size());
      std::optional<Source> source = operands_.DecodeSlice(element, width, width == 64 ? ScalarType::kB64 : ScalarType::kB32);
      if (!source) return false;
      sources.push_back(*source);
    }
  }
  for (const Source& source : sources) in->source[in->source_count++] = source;
  in->element_first = static_cast<uint32_t>(program_.dests.size());
  if (to.size() == 1) {
    if (!operands_.DecodeWideDest(to[0], &program_.dests)) return false;
  } else {
    for (const ir::Operand& element : to) {
      std::optional<Dest> dest = operands_.DecodeDestSlice(element, static_cast<unsigned>(128 / to.size()), false);
      if (!dest) return false;
      program_.dests.push_back(*dest);
    }
  }
  in->element_count = static_cast<uint32_t>(program_.dests.size()) - in->element_first;
  return true;
}

bool MemoryDecoder::Atomic(const ir::Instruction& instruction, Decoded* in) {
  const bool has_result = instruction.mnemonic == "atom";
  const size_t first = has_result ? 1 : 0;
  const bool compares = instruction.mods.reduce == ReduceOp::kCas;
  const ScalarType type = instruction.mods.type;
  if (instruction.operands.size() < first + (compares ? 3 : 2)) return operands_.Fail("operands are missing");
  AtomicSite site;
  site.elements = instruction.mods.vector;
  site.element_bytes = BitWidth(type) / 8;
  std::optional<AddressRef> address = operands_.DecodeAddress(instruction.operands[first], instruction.mods.space);
  if (!address) return false;
  in->address = *address;
  if (!address->generic && address->space != Space::kGlobal && address->space != Space::kShared)
    return operands_.Fail("atomic operations in ." + std::string(SpaceName(address->space)) + " memory are not modelled");
  const size_t rows = type == ScalarType::kB128 ? 2 : site.elements;
  if (!AtomicOperands(instruction.operands[first + 1], type, &site.b)) return false;
  if (compares && !AtomicOperands(instruction.operands[first + 2], type, &site.c)) return false;
  if (has_result) {
    for (const ir::Operand& element : operands_.Elements(instruction.operands[0])) {
      if (type == ScalarType::kB128) {
        if (!operands_.DecodeWideDest(element, &site.d)) return false;
        continue;
      }
      std::optional<Dest> dest = operands_.DecodeDest(element, type);
      if (!dest) return false;
      site.d.push_back(*dest);
    }
    // `_` for a whole vector
    if (site.d.size() == 1 && instruction.operands[0].kind == Kind::kSink) site.d.resize(rows, site.d[0]);
  }
  if (site.b.size() != rows || (compares && site.c.size() != rows) || (has_result && site.d.size() != rows))
    return operands_.Fail("a vector of another size stands where " + std::to_string(rows) + " elements are expected");
  site.order_key = OrderKey(instruction.mods.reduce, PackedElement(type) == ScalarType::kNone ? type : PackedElement(type));
  site.rounds = instruction.mods.reduce == ReduceOp::kAdd && IsFloat(type);
  site.by_operand = instruction.mods.reduce == ReduceOp::kInc || instruction.mods.reduce == ReduceOp::kDec;
  site.cta_scope = instruction.mods.scope == Scope::kCta || instruction.mods.scope == Scope::kCluster;
  in->target = static_cast<uint32_t>(program_.atomics.size());
  program_.atomics.push_back(std::move(site));
  return true;
}

bool MemoryDecoder::CopyAsync(const ir::Instruction& instruction, Decoded* in) {
  const std::vector<ir::Operand>& operands = instruction.operands;
  if (operands.size() < 3) return operands_.Fail("operands are missing");
  const uint64_t* bytes = Literal(operands[2]);
  if (bytes == nullptr || (*bytes != 16 && (Has(instruction, "cg") || (*bytes != 4 && *bytes != 8))))
    return operands_.Fail(Has(instruction, "cg") ? "the size is not 16" : "the size is not 4, 8 or 16");
  CopySite site;
  site.bytes = static_cast<unsigned>(*bytes);
  std::optional<AddressRef> to = operands_.DecodeAddress(operands[0], StateSpace::kShared);
  if (!to) return false;
  site.to = *to;
  std::optional<AddressRef> from = operands_.DecodeAddress(operands[1], StateSpace::kGlobal);
  if (!from) return false;
  in->address = *from;
  // A policy comes last and only with its hint.
  if (operands.size() - (Has(instruction, "L2::cache_hint") ? 1 : 0) > 3) {
    const ir::Operand& size = operands[3];
    site.ignores = size.kind == Kind::kRegister && operands_.RegisterOf(size.reg).type == ScalarType::kPred;
    std::optional<Source> source = operands_.DecodeSource(size, site.ignores ? ScalarType::kPred : ScalarType::kU32);
    if (!source) return false;
    in->source[in->source_count++] = *source;
  }
  in->target = static_cast<uint32_t>(program_.copies.size());
  program_.copies.push_back(site);
  return true;
}

bool MemoryDecoder::WaitCopies(const ir::Instruction& instruction, Decoded* in) {
  const uint64_t* groups = instruction.operands.empty() ? nullptr : Literal(instruction.operands[0]);
  if (groups == nullptr) return operands_.Fail("the number of groups is not a literal");
  in->target = static_cast<uint32_t>(std::min<uint64_t>(*groups, ~uint32_t{0}));
  return true;
}

bool MemoryDecoder::Discard(const ir::Instruction& instruction, Decoded* in) {
  const uint64_t* bytes = instruction.operands.size() < 2 ? nullptr : Literal(instruction.operands[1]);
  if (bytes == nullptr || *bytes != 128) return operands_.Fail("the size is not 128");
  std::optional<AddressRef> address = operands_.DecodeAddress(instruction.operands[0], instruction.mods.space);
  if (!address) return false;
  in->address = *address;
  return true;
}

bool MemoryDecoder::Opaque(const ir::Instruction& instruction, Decoded* in) {
  if (instruction.operands.empty()) return operands_.Fail("operands are missing");
  std::optional<Dest> dest = operands_.DecodeDest(instruction.operands[0], ScalarType::kB64);
  if (!dest) return false;
  in->dest[in->dest_count++] = *dest;
  return true;
}

bool MemoryDecoder::Stack(const ir::Instruction& instruction, Decoded* in) {
  const std::vector<ir::Operand>& operands = instruction.operands;
  const bool allocates = in->action == Action::kAllocate;
  if (operands.size() < (allocates ? 2 : 1)) return operands_.Fail("operands are missing");
  in->target = 8;  // the alignment that an alloca without one has
  if (operands.size() > 2) {
    const uint64_t* align = Literal(operands[2]);
    if (align == nullptr || *align == 0 || (*align & (*align - 1)) != 0 || *align > (uint64_t{1} << 23))
      return operands_.Fail("the alignment is no power of two up to 2^23");
    in->target = std::max(in->target, static_cast<uint32_t>(*align));
  }
  const ScalarType type = instruction.mods.type;
  if (in->action != Action::kStackRestore) {
    std::optional<Dest> dest = operands_.DecodeDest(operands[0], type);
    if (!dest) return false;
    in->dest[in->dest_count++] = *dest;
  }
  if (in->action == Action::kStackSave) return true;
  std::optional<Source> source = operands_.DecodeSource(operands[allocates ? 1 : 0], type);
  if (!source) return false;
  in->source[in->source_count++] = *source;
  return true;
}

void FindUnusedResults(Program* program) {
  if (program->atomics.empty()) return;
  std::vector<bool> read(program->row_count, false);
  const auto row = [&](uint32_t r) {
    if (r < read.size()) read[r] = true;
  };
  const auto source = [&](const Source& s) {
    if (!s.constant) row(s.row);
  };
  for (const Decoded& in : program->code) {
    row(in.guard_row);
    for (const Source& s : in.source) source(s);
    source(in.address.base);
  }
  for (const Source& s : program->sources) source(s);
  for (const CallSite& call : program->calls) {
    for (const std::vector<Transfer>* transfers : {&call.arguments, &call.results}) {
      for (const Transfer& transfer : *transfers) source(transfer.source);
    }
  }
  for (const CopySite& copy : program->copies) source(copy.to.base);
  for (const AtomicSite& site : program->atomics) {
    for (const Source& s : site.b) source(s);
    for (const Source& s : site.c) source(s);
  }
  for (AtomicSite& site : program->atomics)
    site.returns = std::any_of(site.d.begin(), site.d.end(), [&](const Dest& d) { return d.row < read.size() && read[d.row]; });
}

}  // namespace racer
