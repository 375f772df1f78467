// The contract's calls against what the PTX declares.
#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "checker/instance.h"

namespace racer {
namespace {

SourceLocation Whole(const ir::Module& module) { return SourceLocation{module.file, 0, 0, 1}; }

std::string TypeOf(const ir::Variable& parameter) {
  std::string text = "." + std::string(Spelling(parameter.type)) + " " + parameter.name;
  for (uint64_t extent : parameter.dims) text += "[" + std::to_string(extent) + "]";
  return text;
}

std::string Describe(const Contract& contract, const CallArgument& argument) {
  switch (argument.kind) {
    case CallArgument::Kind::kTensor: return "tensor " + contract.tensors[argument.index].name;
    case CallArgument::Kind::kScalar: {
      const ScalarSpec& scalar = contract.scalars[argument.index];
      return "scalar " + scalar.name + " of dtype " + std::string(Spelling(scalar.dtype));
    }
    case CallArgument::Kind::kInteger: return "integer " + argument.text.text;
    case CallArgument::Kind::kFields: return "a structure of " + std::to_string(argument.fields.size()) + " fields";
  }
  RACER_UNREACHABLE(argument.kind);
}

// The type that a parameter passes as one value: its own, or of a structure of 1, 2, 4 or 8 bytes the untyped one of that size
// (a __half by value is .align 2 .b8 p[2]). kNone: only its fields can be told.
ScalarType WholeType(const ir::Variable& parameter) {
  if (parameter.dims.empty() && parameter.vector == 1) return parameter.type;
  switch (parameter.SizeBytes()) {
    case 1: return ScalarType::kB8;
    case 2: return ScalarType::kB16;
    case 4: return ScalarType::kB32;
    case 8: return ScalarType::kB64;
    default: return ScalarType::kNone;
  }
}

// The fields of a structure against its bytes: all of them, aligned as the parameter promises.
std::pair<std::string, std::string> FieldMismatch(const CallArgument& argument, const ir::Variable& parameter) {
  uint64_t size = parameter.SizeBytes(), align = 1, end = 0;
  for (const CallArgument& field : argument.fields) {
    align = std::max<uint64_t>(align, BitWidth(field.type) / 8);
    end = field.offset + BitWidth(field.type) / 8;
  }
  end = (end + align - 1) / align * align;
  if (parameter.dims.empty() && parameter.vector == 1) return {"is no structure", "one value"};
  if (align > std::max<uint64_t>(parameter.align, 1)) {
    return {"has .align " + std::to_string(parameter.align) + " but a field of " + std::to_string(align) + " bytes",
            "fields of at most " + std::to_string(parameter.align) + " bytes"};
  }
  if (end != size) {
    return {"has " + std::to_string(size) + " bytes, the fields take " + std::to_string(end),
            "all fields; an integer is 32 bits wide unless { value, dtype } says otherwise"};
  }
  return {};
}

bool IsIntegerClass(ScalarType type) {
  switch (ClassOf(type)) {
    case TypeClass::kUnsigned:
    case TypeClass::kSigned:
    case TypeClass::kBits: return true;
    case TypeClass::kFloat:
    case TypeClass::kPredicate:
    case TypeClass::kOpaque: return false;
  }
  RACER_UNREACHABLE(ClassOf(type));
}

// What is wrong with the pair, and what would be right; empty: nothing.
std::pair<std::string, std::string> Mismatch(const Contract& contract, const CallArgument& argument, const ir::Variable& parameter) {
  if (argument.kind == CallArgument::Kind::kFields) return FieldMismatch(argument, parameter);
  const ScalarType type = WholeType(parameter);
  if (type == ScalarType::kNone) {
    return {"is a structure of " + std::to_string(parameter.SizeBytes()) + " bytes", "a list of its fields, such as [\"N\", \"eps\"]"};
  }
  unsigned width = BitWidth(type);
  if (!parameter.dims.empty() && parameter.align < width / 8) {
    return {"has .align " + std::to_string(parameter.align), ".align " + std::to_string(width / 8) + " for one value of that size"};
  }
  switch (argument.kind) {
    case CallArgument::Kind::kTensor: {
      const TensorSpec& tensor = contract.tensors[argument.index];
      if (!IsIntegerClass(type) || width != 64) return {"is no 64-bit pointer", "a parameter of type .u64, .b64 or .s64"};
      if (parameter.pointer_align > tensor.align) {
        return {"promises .align " + std::to_string(parameter.pointer_align) + " but the contract grants " + std::to_string(tensor.align),
                "align = " + std::to_string(parameter.pointer_align) + " for tensor " + tensor.name};
      }
      if (parameter.is_pointer && parameter.pointer_space != StateSpace::kGeneric && parameter.pointer_space != StateSpace::kGlobal) {
        return {"points to ." + std::string(Spelling(parameter.pointer_space)), "a pointer to .global"};
      }
      return {};
    }
    case CallArgument::Kind::kScalar: {
      const ScalarSpec& scalar = contract.scalars[argument.index];
      if (parameter.is_pointer) return {"is a pointer", "a tensor"};
      if (width != BitWidth(scalar.dtype))
        return {"has " + std::to_string(width) + " bits", "one of " + std::to_string(BitWidth(scalar.dtype)) + " bits"};
      bool untyped = ClassOf(type) == TypeClass::kBits || ClassOf(scalar.dtype) == TypeClass::kBits;
      if (!untyped && IsFloat(type) != IsFloat(scalar.dtype)) {
        return {IsFloat(type) ? "is floating point" : "is an integer",
                IsFloat(scalar.dtype) ? "a floating parameter" : "an integer parameter"};
      }
      return {};
    }
    case CallArgument::Kind::kInteger:
      // A null pointer: nothing can be reached through it.
      if (parameter.is_pointer && argument.integer.AsLiteral() != 0)
        return {"is a pointer", "a tensor, or 0 for a pointer that is not used"};
      if (!IsIntegerClass(type) || width < 8 || width > 64) return {"is no integer", "an integer parameter"};
      return {};
    case CallArgument::Kind::kFields: break;
  }
  RACER_UNREACHABLE(argument.kind);
}

// sm_90a and sm_100f code runs where it was made for; plain code runs on its target and every later one.
bool RunsOn(const ir::Module& module, const std::string& target) {
  size_t digits = target.find_first_not_of("0123456789", 3);
  int sm = std::stoi(target.substr(3, digits == std::string::npos ? std::string::npos : digits - 3));
  return module.arch_specific ? sm == module.sm : sm >= module.sm;
}

bool Fits(int64_t value, ScalarType type) {
  unsigned width = BitWidth(type);
  if (width == 64) return value >= 0 || ClassOf(type) != TypeClass::kUnsigned;
  int64_t span = int64_t{1} << width;
  bool as_signed = value >= -(span / 2) && value < span / 2;
  bool as_unsigned = value >= 0 && value < span;
  switch (ClassOf(type)) {
    case TypeClass::kSigned: return as_signed;
    // nvcc writes .u32 for int parameters as well.
    case TypeClass::kUnsigned:
    case TypeClass::kBits: return as_signed || as_unsigned;
    case TypeClass::kFloat:
    case TypeClass::kPredicate:
    case TypeClass::kOpaque: break;
  }
  RACER_UNREACHABLE(ClassOf(type));
}

uint64_t StaticSharedBytes(const ir::Module& module, const ir::Function& function) {
  uint64_t bytes = 0;
  auto add = [&](const std::vector<std::unique_ptr<ir::Variable>>& variables) {
    for (const std::unique_ptr<ir::Variable>& variable : variables) {
      if (variable->space != StateSpace::kShared || variable->linkage == ir::Linkage::kExtern) continue;
      uint64_t align = std::max<uint64_t>(variable->align, 1);
      bytes = (bytes + align - 1) / align * align + variable->SizeBytes();
    }
  };
  add(module.variables);
  add(function.variables);
  return bytes;
}

std::string Extents(const std::array<uint32_t, 3>& extents) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" + std::to_string(extents[2]);
}

Diagnostic NoteFunction(Diagnostic diagnostic, const ir::Function& function) {
  Diagnostic note;
  note.kind = diagnostic.kind;
  note.severity = Severity::kNote;
  note.location = function.location;
  note.message = "kernel " + function.name + " is declared here";
  diagnostic.notes.push_back(std::move(note));
  return diagnostic;
}

const CallSpec& CallOf(const Contract& contract, Side side) {
  RACER_CHECK(contract.call(side).has_value());
  return *contract.call(side);
}

}  // namespace

std::optional<Diagnostic> CheckArguments(const Contract& contract, const ir::Module& module, const ir::Function& function, Side side) {
  std::string name(SideName(side));
  if (!contract.call(side)) {
    return MakeError(DiagnosticKind::kContractMissingKey, contract.where, "the contract has no [" + name + "]",
                     "how the " + name + " kernel is called");
  }
  const CallSpec& call = CallOf(contract, side);
  if (module.address_size != 64) {
    return MakeError(DiagnosticKind::kPtxVersion, Whole(module), ".address_size " + std::to_string(module.address_size), "64");
  }
  bool runs = contract.targets.empty();
  for (const std::string& target : contract.targets) runs = runs || RunsOn(module, target);
  if (!runs) {
    return MakeError(DiagnosticKind::kContractArguments, contract.where,
                     "the " + name + "'s PTX is for sm_" + std::to_string(module.sm) + (module.arch_specific ? "a" : "") +
                         ", which runs on none of the contract's targets");
  }
  for (size_t i = 0; i < std::min(call.args.size(), function.params.size()); ++i) {
    const ir::Variable& parameter = *function.params[i];
    const CallArgument& argument = call.args[i];
    std::string place =
        "argument " + std::to_string(i + 1) + " of the " + name + ", " + Describe(contract, argument) + ": parameter " + TypeOf(parameter);
    bool opaque = ClassOf(parameter.type) == TypeClass::kOpaque || ClassOf(parameter.type) == TypeClass::kPredicate;
    if (opaque) {
      return NoteFunction(MakeError(DiagnosticKind::kContractArguments, argument.text.where, place + " is opaque, which is not modelled"),
                          function);
    }
    auto [wrong, expected] = Mismatch(contract, argument, parameter);
    if (!wrong.empty()) {
      return NoteFunction(MakeError(DiagnosticKind::kContractArguments, argument.text.where, place + " " + wrong, expected), function);
    }
  }
  if (call.args.size() != function.params.size()) {
    return NoteFunction(MakeError(DiagnosticKind::kContractArguments, call.args_where,
                                  std::to_string(call.args.size()) + " arguments for the " + name + " kernel " + function.name,
                                  std::to_string(function.params.size()) + ", as many as it has parameters"),
                        function);
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckLaunch(const Contract& contract, const Instance& instance, const ir::Module& module,
                                      const ir::Function& function, Side side) {
  const CallSpec& call = CallOf(contract, side);
  std::string at = " at " + contract.Describe(instance.dims);
  const std::array<uint32_t, 3>& block = instance.launch.block;
  if (function.bounds.reqntid && *function.bounds.reqntid != block) {
    return NoteFunction(MakeError(DiagnosticKind::kContractLaunch, call.block.front().where(), "block of " + Extents(block) + at,
                                  Extents(*function.bounds.reqntid) + " as .reqntid of " + function.name + " says"),
                        function);
  }
  if (function.bounds.maxntid) {
    const std::array<uint32_t, 3>& most = *function.bounds.maxntid;
    uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
    uint64_t limit = uint64_t{most[0]} * most[1] * most[2];
    if (threads > limit) {
      return NoteFunction(
          MakeError(DiagnosticKind::kContractLaunch, call.block.front().where(), "block of " + std::to_string(threads) + " threads" + at,
                    "at most " + std::to_string(limit) + " as .maxntid of " + function.name + " says"),
          function);
    }
  }
  for (size_t i = 0; i < std::min(instance.args.size(), function.params.size()); ++i) {
    const ArgumentInstance& argument = instance.args[i];
    std::string place = "argument " + std::to_string(i + 1);
    auto misfit = [&](const ArgumentInstance& value, ScalarType type, const CallArgument& written,
                      const std::string& into) -> std::optional<Diagnostic> {
      if (value.kind != CallArgument::Kind::kInteger || Fits(value.integer, type)) return std::nullopt;
      return MakeError(DiagnosticKind::kContractArguments, written.text.where,
                       place + " is " + std::to_string(value.integer) + at + " and does not fit " + into);
    };
    if (argument.kind != CallArgument::Kind::kFields) {
      const ir::Variable& parameter = *function.params[i];
      if (auto error = misfit(argument, WholeType(parameter), call.args[i], "parameter " + TypeOf(parameter))) return error;
      continue;
    }
    for (size_t j = 0; j < argument.fields.size(); ++j) {
      const CallArgument& field = call.args[i].fields[j];
      place = "argument " + std::to_string(i + 1) + ", field " + std::to_string(j + 1) + ",";
      if (auto error = misfit(argument.fields[j], field.type, field, "a field of type " + std::string(Spelling(field.type)))) return error;
    }
  }
  uint64_t fixed = StaticSharedBytes(module, function);
  if (fixed + instance.launch.dynamic_shared > kMaxSharedBytes) {
    return NoteFunction(MakeError(DiagnosticKind::kContractLaunch, call.dynamic_shared ? call.dynamic_shared->where() : call.where,
                                  "kernel " + function.name + " wants " + std::to_string(fixed) + " bytes of static and " +
                                      std::to_string(instance.launch.dynamic_shared) + " of dynamic shared memory" + at,
                                  "at most " + std::to_string(kMaxSharedBytes) + " in all"),
                        function);
  }
  return std::nullopt;
}

}  // namespace racer
