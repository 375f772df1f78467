// The recursive-descent parser behind ParsePtx. Not for use outside this package.
#ifndef RACER_PTX_FRONTEND_PARSE_PARSER_H_
#define RACER_PTX_FRONTEND_PARSE_PARSER_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/lex/lexer.h"
#include "ptx_frontend/parse/constant.h"
#include "ptx_frontend/parse/parse.h"
#include "ptx_frontend/parse/symbols.h"

namespace racer::parse {

// Methods that parse return false after they have reported an error; their caller then recovers, which means that it
// skips to a place where it can go on. What they leave behind is of no use, since an error drops the module.
class Parser {
 public:
  Parser(std::shared_ptr<const SourceFile> file, const ParseLimits& limits);
  ParseOutcome Run();

 private:
  // --- parser.cc: tokens, errors, recovery ---
  void Advance();
  Token Lex();
  bool Is(TokenKind kind) const { return token_.kind == kind; }
  bool IsWord(std::string_view word) const { return token_.kind == TokenKind::kDotWord && token_.text == word; }
  bool Accept(TokenKind kind);
  bool AcceptWord(std::string_view word);
  bool Expect(TokenKind kind, std::string_view what);
  SourceLocation At(const Token& token) const;
  // Always false, so that `return Error(...)` reads well.
  bool Error(DiagnosticKind kind, const SourceLocation& location, std::string message, std::string expected = "");
  bool Error(DiagnosticKind kind, const Token& token, std::string message, std::string expected = "");
  void Warn(DiagnosticKind kind, const Token& token, std::string message);
  bool Unexpected(std::string_view expected);
  // One that ends the parse: nothing behind it makes sense.
  bool Fatal(DiagnosticKind kind, const Token& token, std::string message, std::string expected = "");
  void RecoverModuleItem();
  void RecoverStatement();
  void RecoverSection();

  // --- parse_module.cc ---
  bool ParseHeader();
  bool ParseVersion();
  bool ParseTarget();
  // Reports what the directive at hand needs and the module does not say.
  void NeedDirective();
  bool ParseAddressSize();
  bool ParseModuleItem();
  bool ParseFile();
  bool ParseSection();
  bool ParseSectionItem();
  bool ParseAlias();
  bool ParsePragma(std::string* text);
  bool ParseAttribute(std::string* text);
  bool ParseUnsigned(std::string_view what, uint64_t max, uint64_t* value);
  std::optional<ir::Linkage> ParseLinkage();
  void AddItem(ir::ModuleItem::Kind kind, size_t index);

  // --- parse_function.cc ---
  bool ParseFunction(bool is_entry, ir::Linkage linkage);
  bool ParseFunctionHeader(ir::Function* function);
  bool ParseParameters(ir::Function* function, std::vector<ir::Variable*>* list);
  bool ParseParameter(ir::Function* function, std::vector<ir::Variable*>* list);
  bool ParseFunctionDirective(ir::Function* function);
  bool ParseDimensions(std::optional<std::array<uint32_t, 3>>* dims);
  bool ParseCount(std::optional<uint32_t>* count);
  bool CheckPrototype(const ir::Function& earlier, const ir::Function& later);

  // --- parse_variable.cc ---
  struct VariableSpec {
    ScalarType type = ScalarType::kNone;
    uint8_t vector = 1;
    uint64_t align = 0;
    std::vector<std::string> attributes;
    bool is_pointer = false;
    StateSpace pointer_space = StateSpace::kGeneric;
    uint64_t pointer_align = 0;
  };
  // `.align 4 .v2 .f32` and so on, in any order, up to the name.
  bool ParseVariableSpec(bool is_parameter, VariableSpec* spec);
  bool ParseAlign(uint64_t* align);
  bool ParsePointer(VariableSpec* spec);
  bool ParseArrayDims(ir::Variable* variable);
  // Fills everything but space and linkage from the tokens behind the state space.
  std::unique_ptr<ir::Variable> MakeVariable(const VariableSpec& spec, StateSpace space);
  bool FinishVariable(ir::Variable* variable, const Token& name);
  // All declarators up to and with the `;`; in a function if function_ is set.
  bool ParseVariables(StateSpace space, ir::Linkage linkage);
  bool ParseInitializer(ir::Variable* variable);
  bool ParseInitializerList(ir::Variable* variable, size_t level, uint64_t offset, uint64_t* count);
  bool ParseInitializerValue(ir::Variable* variable, uint64_t offset);
  bool ParseInitializerSymbol(ir::Variable* variable, uint64_t offset, uint64_t mask);
  bool StoreConstant(ir::Variable* variable, uint64_t offset, const Token& at, const Constant& value);
  bool PutBytes(ir::Variable* variable, uint64_t offset, uint64_t bits, unsigned width, const Token& at);

  // --- parse_body.cc ---
  bool ParseBody();
  bool OpenScope();
  void CloseScope();
  bool ParseStatement();
  bool ParseBodyDirective();
  bool ParseRegisters();
  bool ParseLoc();
  bool ParseLabel();
  bool ParseBranchTargets(uint32_t label);
  bool ParseRawDeclaration(uint32_t label);
  ir::InstructionIndex Here() const { return static_cast<ir::InstructionIndex>(function_->body.size()); }
  void ResolveLabels();

  // --- parse_instruction.cc ---
  bool ParseInstruction();
  bool ParseGuard(ir::Instruction* instruction);
  bool ParseCallOperands(ir::Instruction* instruction);
  struct MatchedForm {
    std::string mnemonic;
    std::vector<std::string> modifiers;
    MatchOutcome outcome;
    std::vector<ScalarType> types;
    std::string unmet;         // what the module's .version and .target do not allow
    bool wrong_count = false;  // another number of operands would match a value instruction
  };
  // "needs .version 8.0 or later; the module says 7.8", or nothing.
  std::string Unmet(const Requirement& requirement) const;
  const MatchedForm& Match(std::string_view spelling, const std::vector<ir::Operand>& operands);

  // --- check_instruction.cc ---
  bool CheckInstruction(const MatchedForm& form, ir::Instruction* instruction);
  bool CheckOperand(const InstructionForm& form, size_t index, const ir::Instruction& instruction);
  bool CheckValue(const InstructionForm& form, ScalarType type, const ir::Operand& operand, const ir::Instruction& instruction,
                  bool may_be_predicate = false, bool in_vector = false);
  bool CheckSpecial(const InstructionForm& form, ScalarType type, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckComponent(const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckLiteral(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckPair(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckElementsTogether(const ir::Operand& vector, const ir::Instruction& instruction, bool* untyped);
  ScalarType TypeOf(const ir::Operand& operand) const;
  bool CheckElement(const OperandForm& slot, const ir::Operand& element, const ir::Instruction& instruction);
  bool CheckVector(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckAddress(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckSlot(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool IsVectorRegister(const ir::Operand& operand, unsigned elements) const;
  bool CheckLength(const OperandForm& slot, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckAddressWidth(const InstructionForm& form, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckPlace(const InstructionForm& form, const OperandForm& slot, const ir::Operand& operand);
  bool CheckWhatIsConverted(const InstructionForm& form, const ir::Operand& operand, const ir::Instruction& instruction);
  bool CheckCall(const ir::Instruction& instruction);

  // --- parse_operand.cc ---
  bool ParseOperand(ir::Operand* operand, bool may_be_pair = true);
  bool ParseSecondOfPair(ir::Operand* operand);
  bool ParseNamedOperand(ir::Operand* operand);
  bool ParseSelector(ir::Operand* operand);
  bool ParseIndexedVariable(ir::Operand* operand);
  bool ParseAddress(ir::Operand* operand);
  bool ParseAddressOffset(int64_t* offset);
  bool ParseLabelOperand(ir::Operand* operand);
  bool ParseOperandList(TokenKind close, std::string_view what, std::vector<ir::Operand>* elements);
  bool ParseConstantOperand(ir::Operand* operand);
  // Also module scope and special registers are left to the callers; kNone if nothing has the name.
  Symbol Lookup(std::string_view name);

  // --- parse_expression.cc ---
  bool ParseExpression(Constant* value);
  bool ParseBinary(int min_precedence, Constant* value);
  bool ParseUnary(Constant* value);
  bool ParsePrimary(Constant* value);
  bool Take(const ConstantResult& result, const Token& op, Constant* value);
  bool EnterNesting(const Token& token);
  void LeaveNesting() { --nesting_; }

  std::shared_ptr<const SourceFile> file_;
  ParseLimits limits_;
  Lexer lexer_;
  Token token_;     // current
  Token next_;      // one ahead
  Token previous_;  // consumed last
  bool stopped_ = false;
  int errors_ = 0;
  uint32_t last_error_line_ = 0;  // of a lexical or syntax error
  std::vector<Diagnostic> diagnostics_;
  std::string* record_ = nullptr;  // takes the consumed tokens, a blank between them
  int nesting_ = 0;
  Target target_;

  std::unique_ptr<ir::Module> module_;
  struct ModuleSymbol {
    ir::Variable* variable = nullptr;
    ir::Function* declaration = nullptr;
    ir::Function* definition = nullptr;
  };
  std::unordered_map<std::string_view, ModuleSymbol> module_symbols_;
  // Latest .loc with this file, line and column, for inlined_at.
  std::unordered_map<uint64_t, uint32_t> debug_location_index_;

  // The function being parsed.
  ir::Function* function_ = nullptr;
  std::unique_ptr<FunctionScopes> scopes_;
  std::optional<uint32_t> debug_location_;
  // A label name in use: an operand, or an entry of a .branchtargets list.
  struct LabelUse {
    std::string_view name;
    SourceLocation location;
    ir::InstructionIndex instruction = 0;
    uint32_t operand = 0;
    uint32_t list_label = 0;  // of an entry: the list
    uint32_t list_entry = 0;
    enum class Kind : uint8_t { kTarget, kTargetList, kPrototype, kListEntry } kind = Kind::kTarget;
  };
  struct OpenScopeState {
    int id = 0;
    std::unordered_map<std::string_view, uint32_t> labels;
    std::vector<LabelUse> uses;
  };
  // Notes the label that was just read as operand `index` of the instruction to come.
  void WantLabel(size_t index, LabelUse::Kind kind, const ir::Operand& operand);
  std::vector<OpenScopeState> open_scopes_;
  std::deque<std::string> made_names_;  // of labels that a range stands for
  std::string unsupported_;             // why the instruction being parsed cannot be given a meaning

  struct FormKey {
    std::string_view spelling;
    std::string shapes;  // see MatchInstruction
    bool operator==(const FormKey&) const = default;
  };
  struct FormKeyHash {
    size_t operator()(const FormKey& key) const {
      return std::hash<std::string_view>()(key.spelling) * 31 + std::hash<std::string_view>()(key.shapes);
    }
  };
  std::unordered_map<FormKey, MatchedForm, FormKeyHash> forms_;
};

// "`add`", or "the end of the file", for messages.
std::string Describe(const Token& token);
// A state space as a directive spells it (".global"); nullopt for any other word.
std::optional<StateSpace> SpaceOfDirective(std::string_view word);

}  // namespace racer::parse

#endif  // RACER_PTX_FRONTEND_PARSE_PARSER_H_
