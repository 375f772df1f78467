// The recursive-descent parser; its parts are in parse_*.cc, by what they read.
#ifndef RACER_PTX_FRONTEND_PARSE_PARSER_H_
#define RACER_PTX_FRONTEND_PARSE_PARSER_H_

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/lex/lexer.h"
#include "ptx_frontend/parse/constant_expression.h"
#include "ptx_frontend/parse/parse.h"

namespace racer::parse_internal {

// What a name stands for in its scope.
struct Symbol {
  enum class Kind : uint8_t { kRegister, kVariable, kFunction } kind = Kind::kRegister;
  ir::RegId reg{};
  ir::Variable* variable = nullptr;
  ir::Function* function = nullptr;
};
struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
using SymbolTable = std::unordered_map<std::string, Symbol, NameHash, std::equal_to<>>;

class Parser {
 public:
  Parser(std::shared_ptr<const SourceFile> file, const ParseLimits& limits) : file_(std::move(file)), limits_(limits) {}
  ParseOutcome Run();

 private:
  // Reading tokens (parser.cc). Every method that returns bool or an optional has reported an error when it fails.
  const Token& Peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& Take();
  bool At(std::string_view spelling) const { return Peek().Is(spelling); }
  bool Accept(std::string_view spelling);
  bool Expect(std::string_view spelling, std::string_view where);
  bool Fail(std::string expected);  // what was found is the next token
  bool FailAt(const Token& token, DiagnosticKind kind, std::string message, std::string expected = "");
  SourceLocation Here() const { return LocationOf(file_, Peek()); }
  bool TooManyErrors() const { return errors_ >= limits_.max_errors; }
  std::optional<std::string_view> TakeIdentifier(std::string_view what);
  std::optional<uint64_t> TakeInteger(std::string_view what);
  // Tokens [first, last) with comments and indentation taken out; line breaks stay.
  std::string TextBetween(size_t first, size_t last) const;
  void SkipStatement();      // to after the next `;`, or before a brace
  void SkipModuleItem();     // to after the next `;` or `{}` group

  // parse_module.cc
  void ParseModule();
  bool ParseModuleItem();
  bool ParseVersion();
  bool ParseTarget();
  bool ParseAddressSize();
  bool ParseFile();
  bool ParseSection();
  bool ParseAlias();
  bool ParsePragma(std::vector<std::string>* into);
  bool ParseLinked();
  void BindExternals();
  bool seen_version_ = false, seen_target_ = false, seen_address_size_ = false;

  // parse_variable.cc
  struct TypeWritten {
    uint64_t align = 0;
    uint8_t vector = 1;
    ScalarType type = ScalarType::kNone;
    bool is_pointer = false;
    StateSpace pointer_space = StateSpace::kGeneric;
    uint64_t pointer_align = 0;
    std::vector<std::string> attributes;
  };
  static std::optional<StateSpace> VariableSpace(std::string_view dotted);
  bool ParseTypeWritten(TypeWritten* type);
  bool ParseDimensions(ir::Variable* variable);
  // `.global .type a, b[2] = {...};` with the space already taken. In a function if function_ is set.
  bool ParseVariables(StateSpace space, ir::Linkage linkage);
  bool ParseRegisters();
  bool DeclareRegister(std::string name, const TypeWritten& type, const Token& at);
  bool ParseInitializer(ir::Variable* variable);
  bool ParseInitializerList(ir::Variable* variable, const std::vector<uint64_t>& dims);
  bool ParseInitializerScalar(ir::Variable* variable, uint64_t element);
  bool ParseSymbolInitializer(ir::Variable* variable, uint64_t element, std::optional<uint64_t> mask);
  bool StoreInitializer(ir::Variable* variable, uint64_t element, const ConstantValue& value, const Token& at);
  bool ParseParameters(ir::Function* function, std::vector<ir::Variable*>* into);
  bool Declare(std::string_view name, const Symbol& symbol, const Token& at);

  // constant_expression_parser.cc
  bool AtConstant() const;
  std::optional<ConstantValue> ParseConstant(int min_precedence = 1);
  std::optional<ConstantValue> ParseConstantUnary();
  std::optional<int64_t> ParseConstantInteger(std::string_view what);

  // parse_function.cc
  bool ParseFunction(bool is_entry, ir::Linkage linkage);
  bool ParseFunctionDirectives();
  bool ParseDimensionsOf(std::array<uint32_t, 3>* dims);
  void ParseBody();
  bool ParseStatement();
  bool ParseBodyDirective();
  bool ParseLoc();
  bool ParseLabel();
  bool ParseLabelDeclaration(ir::Label* label);
  bool OpenScope();

  // parse_instruction.cc
  bool ParseInstruction();
  bool ParseCallOperands(ir::Instruction* instruction);
  void Match(ir::Instruction* instruction);
  std::optional<uint32_t> CurrentDebugLocation();

  // parse_operand.cc
  std::optional<ir::Operand> ParseOperand();
  std::optional<ir::Operand> ParsePrimary();
  std::optional<ir::Operand> ParseNamed();
  std::optional<ir::Operand> ParseAddress();
  bool ParseGroup(std::string_view close, ir::Operand* group);
  bool ParseComponent(ir::Operand* operand);
  std::optional<ir::Operand> ParseLabelOperand();

  // Counts nested groups against the limit while one is open.
  class Nested {
   public:
    explicit Nested(Parser* parser) : parser_(parser) { ++parser_->nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { --parser_->nesting_; }
    bool ok() const;  // has reported an error if false

   private:
    Parser* parser_;
  };

  // resolve.cc
  const Symbol* Find(std::string_view name) const;
  void ResolveLabels();

  std::shared_ptr<const SourceFile> file_;
  ParseLimits limits_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int errors_ = 0;
  int nesting_ = 0;
  ParseOutcome outcome_;
  std::unique_ptr<ir::Module> module_;
  SymbolTable globals_;
  std::unordered_map<const ir::Variable*, ir::Variable*> defined_later_;  // .extern declaration -> definition

  // Of the function being read.
  ir::Function* function_ = nullptr;
  std::vector<SymbolTable> scope_symbols_;  // by scope
  int scope_ = -1;
  std::set<std::pair<std::string, int>> label_names_;  // with their scopes
  struct InlinedAt {
    uint32_t file, line, column;
  };
  std::optional<ir::DebugLocation> loc_;
  std::optional<InlinedAt> inlined_at_;
  std::optional<uint32_t> debug_location_;  // index of loc_ once an instruction has used it
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string, int64_t>, uint32_t> debug_index_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> last_debug_;  // most recently used at a place
  std::unordered_map<std::string, MatchOutcome> matches_;
};

}  // namespace racer::parse_internal

#endif  // RACER_PTX_FRONTEND_PARSE_PARSER_H_
