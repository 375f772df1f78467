// Variables and their initialisers (manual: "State Spaces, Types, and Variables").
#include <bit>
#include <limits>
#include <utility>

#include "ptx_frontend/parse/parser.h"

namespace racer::parse {
namespace {

// Far above what any device holds, far below where sizes overflow.
constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 40;
constexpr uint64_t kMaxAlign = uint64_t{1} << 20;
// An initialiser can skip rows of an array: bytes that are stored up to the last one written.
constexpr uint64_t kMaxInitializerBytes = uint64_t{1} << 26;

unsigned ElementBytes(ScalarType type) { return (BitWidth(type) + 7) / 8; }

}  // namespace

bool Parser::ParseAlign(uint64_t* align) {
  Advance();
  const Token at = token_;
  if (!ParseUnsigned("an alignment", kMaxAlign, align)) return false;
  if (!std::has_single_bit(*align))
    return Error(DiagnosticKind::kPtxSyntax, at, "found " + Describe(at) + " as alignment", "a power of two");
  return true;
}

// `.ptr`, perhaps with a space, perhaps with an alignment. Without one the pointee is aligned to 4 bytes (manual: "Kernel
// Parameter Attribute: .ptr"); pointer_align 0 says that none was written.
bool Parser::ParsePointer(VariableSpec* spec) {
  NeedDirective();
  Advance();
  spec->is_pointer = true;
  if (Is(TokenKind::kDotWord)) {
    const std::optional<StateSpace> space = SpaceOfDirective(token_.text);
    if (space == StateSpace::kGlobal || space == StateSpace::kConst || space == StateSpace::kShared || space == StateSpace::kLocal) {
      spec->pointer_space = *space;
      Advance();
    }
  }
  return !IsWord(".align") || ParseAlign(&spec->pointer_align);
}

bool Parser::ParseVariableSpec(bool is_parameter, VariableSpec* spec) {
  while (Is(TokenKind::kDotWord)) {
    if (IsWord(".align")) {
      if (!ParseAlign(&spec->align)) return false;
    } else if (IsWord(".attribute")) {
      if (!ParseAttribute(&spec->attributes.emplace_back())) return false;
    } else if (IsWord(".ptr") && is_parameter && spec->type != ScalarType::kNone) {
      if (!ParsePointer(spec)) return false;
    } else if (IsWord(".v2") || IsWord(".v4") || IsWord(".v8")) {
      spec->vector = static_cast<uint8_t>(token_.text[2] - '0');
      Advance();
    } else if (const auto type = ScalarTypeFromSpelling(token_.text.substr(1)); type && spec->type == ScalarType::kNone) {
      spec->type = *type;
      Advance();
    } else {
      return Unexpected(spec->type == ScalarType::kNone ? "a type such as `.b32`" : "a name");
    }
  }
  if (spec->type == ScalarType::kNone) return Unexpected("a type such as `.b32`");
  return true;
}

std::unique_ptr<ir::Variable> Parser::MakeVariable(const VariableSpec& spec, StateSpace space) {
  auto variable = std::make_unique<ir::Variable>();
  variable->space = space;
  variable->type = spec.type;
  variable->vector = spec.vector;
  variable->align = spec.align != 0 ? spec.align : uint64_t{ElementBytes(spec.type)} * spec.vector;
  variable->attributes = spec.attributes;
  variable->is_pointer = spec.is_pointer;
  variable->pointer_space = spec.pointer_space;
  variable->pointer_align = spec.pointer_align;
  if (function_ != nullptr) variable->declared_at = Here();
  return variable;
}

bool Parser::ParseArrayDims(ir::Variable* variable) {
  while (Accept(TokenKind::kLeftBracket)) {
    if (Is(TokenKind::kRightBracket)) {
      if (!variable->dims.empty()) return Unexpected("a size: only the first may be left out");
      variable->dims.push_back(0);
    } else {
      const Token at = token_;
      uint64_t size = 0;
      if (!ParseUnsigned("a size", kMaxVariableBytes, &size)) return false;
      if (size == 0) return Error(DiagnosticKind::kPtxType, at, "array of size 0");
      variable->dims.push_back(size);
    }
    if (!Expect(TokenKind::kRightBracket, "`]`")) return false;
  }
  return true;
}

bool Parser::FinishVariable(ir::Variable* variable, const Token& name) {
  variable->name = name.text;
  variable->location = At(name);
  if (variable->type == ScalarType::kPred && variable->space != StateSpace::kReg) {
    return Error(DiagnosticKind::kPtxType, name, "predicate " + Describe(name) + " lies outside the registers");
  }
  uint64_t bytes = uint64_t{ElementBytes(variable->type)} * variable->vector;
  for (const uint64_t dim : variable->dims) {
    if (dim > 1 && bytes > kMaxVariableBytes / dim)
      return Error(DiagnosticKind::kPtxType, name, "array " + Describe(name) + " is larger than 2^40 bytes");
    if (dim > 1) bytes *= dim;
  }
  return true;
}

bool Parser::ParseVariables(StateSpace space, ir::Linkage linkage) {
  VariableSpec spec;
  if (!ParseVariableSpec(/*is_parameter=*/false, &spec)) return false;
  do {
    const Token name = token_;
    if (!Expect(TokenKind::kIdentifier, "a name")) return false;
    if (name.text == "_") return Error(DiagnosticKind::kPtxSyntax, name, "found `_`", "a name");
    std::unique_ptr<ir::Variable> variable = MakeVariable(spec, space);
    variable->linkage = linkage;
    variable->scope = function_ != nullptr ? open_scopes_.back().id : -1;
    if (!ParseArrayDims(variable.get()) || !FinishVariable(variable.get(), name)) return false;
    if (Accept(TokenKind::kEqual) && !ParseInitializer(variable.get())) return false;
    if (!variable->dims.empty() && variable->dims[0] == 0 && linkage != ir::Linkage::kExtern) {
      return Error(DiagnosticKind::kPtxType, name, "array " + Describe(name) + " has no size", "a size, an initialiser or `.extern`");
    }
    if (function_ != nullptr) {
      if (!scopes_->DeclareVariable(name.text, variable.get())) {
        return Error(DiagnosticKind::kPtxRedeclared, name, Describe(name) + " is declared twice in this scope");
      }
      function_->variables.push_back(std::move(variable));
      continue;
    }
    ModuleSymbol& symbol = module_symbols_[name.text];
    const bool is_function = symbol.declaration != nullptr || symbol.definition != nullptr;
    const bool twice = symbol.variable != nullptr && symbol.variable->linkage != ir::Linkage::kExtern && linkage != ir::Linkage::kExtern;
    if (is_function || twice) {
      return Error(DiagnosticKind::kPtxRedeclared, name, Describe(name) + (is_function ? " is a function already" : " is declared twice"));
    }
    // A definition replaces an extern declaration for what follows.
    if (symbol.variable == nullptr || linkage != ir::Linkage::kExtern) symbol.variable = variable.get();
    module_->variables.push_back(std::move(variable));
    AddItem(ir::ModuleItem::Kind::kVariable, module_->variables.size() - 1);
  } while (Accept(TokenKind::kComma));
  return Expect(TokenKind::kSemicolon, "`,`, `;` or `=`");
}

bool Parser::ParseInitializer(ir::Variable* variable) {
  if (variable->space != StateSpace::kGlobal && variable->space != StateSpace::kConst) {
    return Error(DiagnosticKind::kPtxType, token_, "only .global and .const variables are initialised");
  }
  std::string text;
  record_ = &text;
  variable->initializer.emplace();
  if (ClassOf(variable->type) == TypeClass::kOpaque) {
    // Names of sampler fields and their values: of no meaning here.
    int depth = 0;
    while (!Is(TokenKind::kEnd) && (depth > 0 || (!Is(TokenKind::kSemicolon) && !Is(TokenKind::kComma)))) {
      if (Is(TokenKind::kLeftBrace)) ++depth;
      if (Is(TokenKind::kRightBrace)) --depth;
      Advance();
    }
    if (Is(TokenKind::kEnd)) return Unexpected("`}`");
  } else if (variable->dims.empty() && variable->vector == 1) {
    if (!ParseInitializerValue(variable, 0)) return false;
  } else {
    uint64_t count = 0;
    if (!ParseInitializerList(variable, 0, 0, &count)) return false;
    if (!variable->dims.empty() && variable->dims[0] == 0) {
      if (count == 0) return Error(DiagnosticKind::kPtxType, previous_, "array without size and without elements");
      variable->dims[0] = count;
    }
  }
  record_ = nullptr;
  variable->initializer_text.push_back(std::move(text));
  return true;
}

bool Parser::ParseInitializerList(ir::Variable* variable, size_t level, uint64_t offset, uint64_t* count) {
  // A vector is one more level of braces.
  const size_t levels = variable->dims.size() + (variable->vector > 1 ? 1 : 0);
  const uint64_t limit = level < variable->dims.size() ? variable->dims[level] : variable->vector;
  uint64_t stride = ElementBytes(variable->type);
  if (level < variable->dims.size()) stride *= variable->vector;
  for (size_t i = level + 1; i < variable->dims.size(); ++i) stride *= variable->dims[i];
  const Token open = token_;
  if (!Expect(TokenKind::kLeftBrace, "`{`")) return false;
  if (!EnterNesting(open)) return false;
  *count = 0;
  while (!Is(TokenKind::kRightBrace)) {
    // dims[0] == 0: as many as there are.
    if (*count == limit && limit != 0) return Error(DiagnosticKind::kPtxType, token_, "more than " + std::to_string(limit) + " elements");
    const uint64_t at = offset + *count * stride;
    if (at > kMaxInitializerBytes)
      return Error(DiagnosticKind::kPtxType, token_, "initialiser larger than " + std::to_string(kMaxInitializerBytes) + " bytes");
    uint64_t nested = 0;
    if (level + 1 < levels ? !ParseInitializerList(variable, level + 1, at, &nested) : !ParseInitializerValue(variable, at)) return false;
    ++*count;
    if (!Accept(TokenKind::kComma)) break;
  }
  LeaveNesting();
  if (level >= variable->dims.size() && *count != limit) {
    return Error(DiagnosticKind::kPtxType, token_, "a vector of " + std::to_string(*count) + " elements",
                 std::to_string(limit) + " elements");
  }
  return Expect(TokenKind::kRightBrace, "`,` or `}`");
}

bool Parser::ParseInitializerValue(ir::Variable* variable, uint64_t offset) {
  const Token at = token_;
  if (Is(TokenKind::kIdentifier) && token_.text != "WARP_SZ") return ParseInitializerSymbol(variable, offset, ~uint64_t{0});
  if (Is(TokenKind::kInteger) && next_.kind == TokenKind::kLeftParen) {
    // 0xFF00(symbol): one byte of an address.
    Constant mask;
    if (!ParsePrimary(&mask)) return false;
    Advance();
    return ParseInitializerSymbol(variable, offset, mask.bits) && Expect(TokenKind::kRightParen, "`)`");
  }
  Constant value;
  return ParseExpression(&value) && StoreConstant(variable, offset, at, value);
}

bool Parser::ParseInitializerSymbol(ir::Variable* variable, uint64_t offset, uint64_t mask) {
  ir::Initializer::Relocation relocation;
  relocation.offset = offset;
  relocation.mask = mask;
  relocation.width = static_cast<uint8_t>(ElementBytes(variable->type));
  relocation.generic = Is(TokenKind::kIdentifier) && token_.text == "generic" && next_.kind == TokenKind::kLeftParen;
  if (relocation.generic) {
    Advance();
    Advance();
  }
  const Token symbol = token_;
  if (!Expect(TokenKind::kIdentifier, "the name of a variable or function")) return false;
  const Symbol found = Lookup(symbol.text);
  if (found.kind != Symbol::Kind::kVariable && found.kind != Symbol::Kind::kFunction && symbol.text != variable->name) {
    return Error(DiagnosticKind::kPtxUndeclared, symbol, "no variable or function " + Describe(symbol) + " is declared");
  }
  relocation.symbol = symbol.text;
  if (relocation.generic && !Expect(TokenKind::kRightParen, "`)`")) return false;
  if (Is(TokenKind::kPlus)) {
    int64_t addend = 0;
    if (!ParseAddressOffset(&addend)) return false;
    relocation.addend = addend;
  }
  if (ClassOf(variable->type) == TypeClass::kFloat)
    return Error(DiagnosticKind::kPtxType, symbol, "an address initialises a floating-point variable");
  if (!PutBytes(variable, offset, 0, relocation.width, symbol)) return false;
  variable->initializer->relocations.push_back(std::move(relocation));
  return true;
}

bool Parser::PutBytes(ir::Variable* variable, uint64_t offset, uint64_t bits, unsigned width, const Token& at) {
  std::vector<uint8_t>& bytes = variable->initializer->bytes;
  if (offset + width > kMaxInitializerBytes)
    return Error(DiagnosticKind::kPtxType, at, "initialiser larger than " + std::to_string(kMaxInitializerBytes) + " bytes");
  if (bytes.size() < offset + width) bytes.resize(offset + width, 0);
  for (unsigned i = 0; i < width && i < 8; ++i) bytes[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  return true;
}

bool Parser::StoreConstant(ir::Variable* variable, uint64_t offset, const Token& at, const Constant& value) {
  const ScalarType type = variable->type;
  const unsigned width = ElementBytes(type);
  const auto mismatch = [&](std::string_view expected) {
    return Error(DiagnosticKind::kPtxType, at, "a constant of another kind initialises a ." + std::string(Spelling(type)) + " variable",
                 std::string(expected));
  };
  uint64_t bits = value.bits;
  switch (ClassOf(type)) {
    case TypeClass::kUnsigned:
    case TypeClass::kSigned:
      if (!value.IsInteger()) return mismatch("an integer");
      break;
    case TypeClass::kBits:
      if (value.IsInteger()) break;
      if (width != 4 && width != 8) return mismatch("an integer");
      [[fallthrough]];
    case TypeClass::kFloat:
      if (ClassOf(type) == TypeClass::kFloat && type != ScalarType::kF32 && type != ScalarType::kF64) {
        return Error(DiagnosticKind::kPtxType, at, "a variable of type ." + std::string(Spelling(type)) + " cannot be initialised",
                     "type .b16 and the bits");
      }
      if (value.IsInteger()) return mismatch("a floating-point constant");
      if (value.kind == Constant::Kind::kSingle) {
        if (width == 8) bits = std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value.bits))));
      } else if (width == 4) {
        bits = std::bit_cast<uint32_t>(static_cast<float>(value.AsDouble()));
      }
      break;
    case TypeClass::kPredicate:
    case TypeClass::kOpaque: return mismatch("another type");
  }
  // Of .b128 an integer gives the low half.
  if (!PutBytes(variable, offset, bits, width, at)) return false;
  return true;
}

}  // namespace racer::parse
