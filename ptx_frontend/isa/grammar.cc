#include "ptx_frontend/isa/grammar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/check.h"

namespace racer::isa {
namespace {

[[noreturn]] void Bad(std::string_view line, std::string_view why) {
  InternalError(__FILE__, __LINE__, "grammar line \"" + std::string(line) + "\": " + std::string(why));
}

struct NamedKind {
  std::string_view name;
  ModifierKind kind;
};

// Classes with a meaning. Any other class (cache operators, levels, ...) is kOther.
constexpr NamedKind kClassKinds[] = {
    {"type", ModifierKind::kType},       {"dtype", ModifierKind::kType},      {"stype", ModifierKind::kType2},
    {"atype", ModifierKind::kType2},     {"abtype", ModifierKind::kType2},    {"rnd", ModifierKind::kRounding},
    {"cmp", ModifierKind::kCompare},     {"bop", ModifierKind::kBool},        {"part", ModifierKind::kPart},
    {"shuffle", ModifierKind::kShuffle}, {"vote", ModifierKind::kVote},       {"match", ModifierKind::kMatch},
    {"reduce", ModifierKind::kReduce},   {"permute", ModifierKind::kPermute}, {"funnel", ModifierKind::kFunnel},
    {"test", ModifierKind::kTest},       {"dir", ModifierKind::kDirection},   {"ss", ModifierKind::kSpace},
    {"order", ModifierKind::kOrder},     {"scope", ModifierKind::kScope},     {"vec", ModifierKind::kVector},
};

// Literals with a meaning wherever they are written as literals; types are recognised by spelling.
constexpr NamedKind kLiteralKinds[] = {
    {"rn", ModifierKind::kRounding},    {"rz", ModifierKind::kRounding},   {"rm", ModifierKind::kRounding},
    {"rp", ModifierKind::kRounding},    {"rna", ModifierKind::kRounding},  {"lo", ModifierKind::kPart},
    {"hi", ModifierKind::kPart},        {"wide", ModifierKind::kPart},     {"weak", ModifierKind::kOrder},
    {"volatile", ModifierKind::kOrder}, {"relaxed", ModifierKind::kOrder}, {"acquire", ModifierKind::kOrder},
    {"release", ModifierKind::kOrder},  {"mmio", ModifierKind::kOrder},    {"sys", ModifierKind::kScope},
    {"global", ModifierKind::kSpace},   {"ftz", ModifierKind::kFlag},      {"sat", ModifierKind::kFlag},
    {"approx", ModifierKind::kFlag},    {"full", ModifierKind::kFlag},     {"NaN", ModifierKind::kFlag},
    {"xorsign", ModifierKind::kFlag},   {"relu", ModifierKind::kFlag},     {"satfinite", ModifierKind::kFlag},
    {"cc", ModifierKind::kFlag},        {"to", ModifierKind::kFlag},       {"shiftamt", ModifierKind::kFlag},
    {"nc", ModifierKind::kFlag},        {"abs", ModifierKind::kFlag},
};

template <size_t n>
std::optional<ModifierKind> Find(const NamedKind (&table)[n], std::string_view name) {
  for (const NamedKind& entry : table) {
    if (entry.name == name) return entry.kind;
  }
  return std::nullopt;
}

bool IsNameChar(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class LineParser {
 public:
  LineParser(std::string_view mnemonic, std::string_view text) : mnemonic_(mnemonic), text_(text) {}

  GrammarLine Parse() {
    line_.text = text_;
    const size_t semicolon = text_.find(';');
    std::string_view form = text_.substr(0, semicolon);
    if (form.starts_with("@")) {
      line_.requirement = TakeSince(form);
      form = TrimLeft(form);
    }
    if (semicolon != std::string_view::npos) ParseDefinitions(text_.substr(semicolon + 1));
    const size_t space = form.find(' ');
    ParseModifiers(form.substr(0, space));
    if (space != std::string_view::npos) {
      std::string_view operands = form.substr(space + 1);
      ParseOperands(operands, line_.operands);
      if (!operands.empty()) Bad(text_, "] without [");
    }
    return std::move(line_);
  }

 private:
  // ".rnd = { .rn, .rz } .type = { .f32 }"
  void ParseDefinitions(std::string_view rest) {
    while (true) {
      rest = TrimLeft(rest);
      if (rest.empty()) return;
      if (rest[0] != '.') Bad(text_, "a definition starts with a dot");
      const std::string_view name = TakeName(rest, 1);
      rest = TrimLeft(rest.substr(1 + name.size()));
      if (rest.empty() || rest[0] != '=') Bad(text_, "= expected");
      rest = TrimLeft(rest.substr(1));
      const size_t close = rest.find('}');
      if (rest.empty() || rest[0] != '{' || close == std::string_view::npos) Bad(text_, "{ ... } expected");
      std::string_view body = rest.substr(1, close - 1);
      Options& options = classes_[name];
      while (!(body = TrimLeft(body)).empty()) {
        if (body[0] == ',') {
          body = body.substr(1);
          continue;
        }
        if (body[0] != '.') Bad(text_, "an option starts with a dot");
        options.names.push_back(TakeName(body, 1));
        body = body.substr(1 + options.names.back().size());
        options.since.push_back(TakeSince(body));
      }
      rest = rest.substr(close + 1);
    }
  }

  // "add{.rnd}{.ftz}.f32"
  void ParseModifiers(std::string_view form) {
    if (!form.starts_with(mnemonic_)) Bad(text_, "does not start with its mnemonic");
    size_t i = mnemonic_.size();
    bool optional = false;
    uint8_t group = 0;
    uint8_t groups = 0;
    size_t group_begin = 0;
    while (i < form.size()) {
      if (form[i] == '{') {
        if (optional) Bad(text_, "nested {");
        optional = true;
        group_begin = line_.modifiers.size();
        ++i;
      } else if (form[i] == '}') {
        if (!optional) Bad(text_, "} without {");
        if (line_.modifiers.size() - group_begin > 1) {
          group = ++groups;
          for (size_t k = group_begin; k < line_.modifiers.size(); ++k) line_.modifiers[k].group = group;
        }
        optional = false;
        ++i;
      } else if (form.substr(i) == ".*") {
        line_.open_modifiers = true;
        i += 2;
      } else if (form[i] == '.') {
        const std::string_view name = TakeName(form, i + 1);
        if (name.empty()) Bad(text_, "modifier without a name");
        i += 1 + name.size();
        std::string_view rest = form.substr(i);
        const Requirement since = TakeSince(rest);
        AddModifier(name, optional);
        line_.modifiers.back().requirement = since;
        i = form.size() - rest.size();
      } else {
        Bad(text_, "modifier expected");
      }
    }
    if (optional) Bad(text_, "{ without }");
  }

  void AddModifier(std::string_view name, bool optional) {
    ModifierSlot slot;
    slot.name = name;
    slot.optional = optional;
    if (const auto found = classes_.find(name); found != classes_.end()) {
      slot.is_class = true;
      slot.options = found->second.names;
      slot.option_since = found->second.since;
      slot.kind = Find(kClassKinds, name).value_or(ModifierKind::kOther);
    } else {
      slot.options = {name};
      slot.option_since.resize(1);
      if (ScalarTypeFromSpelling(name)) {
        const bool first = std::none_of(line_.modifiers.begin(), line_.modifiers.end(),
                                        [](const ModifierSlot& s) { return s.kind == ModifierKind::kType; });
        slot.kind = first ? ModifierKind::kType : ModifierKind::kType2;
      } else {
        slot.kind = Find(kLiteralKinds, name).value_or(ModifierKind::kOther);
      }
    }
    for (const std::string_view option : slot.options) {
      if (ScalarTypeFromSpelling(option)) slot.family = ModifierFamily::kType;
      if (option == "row" || option == "col") slot.family = ModifierFamily::kLayout;
      if (option == "global" || option.starts_with("shared")) slot.family = ModifierFamily::kSpace;
      if (option.starts_with("L2::evict")) slot.family = ModifierFamily::kPriority;
    }
    slot.in_front = line_.modifiers.empty()
                        ? slot.kind == ModifierKind::kPart || slot.kind == ModifierKind::kDirection || name == "to" || mnemonic_ == "wmma"
                        : line_.modifiers.size() == 1 && mnemonic_ == "wmma" && name.size() == 1;
    line_.modifiers.push_back(std::move(slot));
  }

  // "p:pred{|q:pred}, a, [b, c:s32*2], {!}c:pred{, e:u64}" or "...", up to the end or the bracket that closes them.
  void ParseOperands(std::string_view& rest, std::vector<OperandSlot>& operands) {
    bool optional = false;
    while (!(rest = TrimLeft(rest)).empty() && rest[0] != ']') {
      if (rest == "...") {
        line_.open_operands = true;
        rest = {};
        return;
      }
      OperandSlot slot = ParseOperandSlot(rest);
      slot.optional = optional;
      if (rest.starts_with("?")) {
        const std::string_view name = TakeName(rest, 1);
        rest = rest.substr(1 + name.size());
        if (!optional) Bad(text_, "a condition on an operand that is not optional");
        slot.condition = static_cast<int8_t>(SlotOf(name));
      }
      operands.push_back(std::move(slot));
      if (optional && rest.starts_with("}")) {
        optional = false;
        rest = rest.substr(1);
      }
      rest = TrimLeft(rest);
      if (rest.starts_with("{,")) {
        if (optional) Bad(text_, "nested {");
        optional = true;
        rest = rest.substr(2);
      } else if (rest.starts_with(",")) {
        rest = rest.substr(1);
      } else if (!rest.empty() && rest[0] != ']') {
        Bad(text_, "comma expected");
      }
    }
    if (optional) Bad(text_, "{ without }");
  }

  OperandSlot ParseOperandSlot(std::string_view& rest) {
    OperandSlot slot;
    if (rest.starts_with("{!}")) {
      slot.negatable = true;
      rest = rest.substr(3);
    }
    if (rest[0] == '[') {
      slot.role = OperandForm::Role::kAddress;
      slot.type.from = OperandType::From::kAny;
      slot.name = TakeName(rest, 1);
      rest = rest.substr(1 + slot.name.size());
      if (rest.starts_with(":")) slot.type = TakeType(rest, slot.role);
      if (rest.starts_with("{,") || rest.starts_with(",")) {
        const bool optional = rest[0] == '{';
        rest = rest.substr(optional ? 2 : 1);
        if (optional) {
          rest = TrimLeft(rest);
          slot.inner.push_back(ParseOperandSlot(rest));
          slot.inner.back().optional = true;
          if (!rest.starts_with("},")) Bad(text_, "}, expected");
          rest = rest.substr(2);
        }
        ParseOperands(rest, slot.inner);
      }
      if (!rest.starts_with("]")) Bad(text_, "] expected");
      rest = rest.substr(1);
      return slot;
    }
    slot.name = TakeName(rest, 0);
    if (slot.name.empty()) Bad(text_, "operand name expected");
    rest = rest.substr(slot.name.size());
    slot.sink = slot.name == "_";
    slot.role = IsDestination(slot.name) ? OperandForm::Role::kDestination : OperandForm::Role::kSource;
    if (rest.starts_with(":imm")) {
      slot.type.from = OperandType::From::kAny;
    } else {
      slot.type = TakeType(rest, slot.role);
    }
    slot.literal.wanted = rest.starts_with(":imm");
    slot.literal.low_word = rest.starts_with(":low=");
    if (slot.literal.wanted || slot.literal.low_word || rest.starts_with(":lit=")) TakeLiteral(rest, slot.literal);
    if (rest.starts_with("<=")) {
      slot.at_most = TakeName(rest, 2);
      rest = rest.substr(2 + slot.at_most.size());
    }
    if (rest.starts_with("*")) TakeVector(rest, slot);
    if (rest.starts_with("{*1}")) {
      slot.vector = 1;
      slot.bare_allowed = true;
      rest = rest.substr(4);
    }
    if (rest.starts_with("{|") || rest.starts_with("|")) {
      slot.pair_allowed = true;
      slot.pair_required = rest[0] == '|';
      rest = rest.substr(slot.pair_required ? 1 : 2);
      rest = rest.substr(TakeName(rest, 0).size());
      OperandForm::Role ignored = slot.role;
      slot.second_type = TakeType(rest, ignored);
      if (slot.pair_required) return slot;
      if (!rest.starts_with("}")) Bad(text_, "} expected");
      rest = rest.substr(1);
    }
    return slot;
  }

  // ":imm", ":imm=1|2" or ":imm=0..16/8"; ":lit" and ":low" have a range, too.
  void TakeLiteral(std::string_view& rest, Literal& literal) {
    const auto number = [&] {
      int64_t value = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
      if (error != std::errc()) Bad(text_, "integer expected");
      rest = rest.substr(static_cast<size_t>(end - rest.data()));
      return value;
    };
    rest = rest.substr(4);
    while (rest.starts_with(literal.values.empty() ? "=" : "|")) {
      rest = rest.substr(1);
      literal.values.push_back(number());
    }
    if (literal.values.size() != 1 || !rest.starts_with("..")) return;
    literal.low = literal.values[0];
    literal.values.clear();
    rest = rest.substr(2);
    literal.high = number();
    if (literal.high <= literal.low) Bad(text_, "a range that is empty");
    if (!rest.starts_with("/")) return;
    rest = rest.substr(1);
    literal.step = number();
    if (literal.step < 1) Bad(text_, "a step that is not positive");
  }

  // "*4" or "*n/2".
  void TakeVector(std::string_view& rest, OperandSlot& slot) {
    rest = rest.substr(1);
    const bool of_shape = rest.starts_with("n/");
    if (of_shape) rest = rest.substr(2);
    const std::string_view digits = TakeName(rest, 0);
    rest = rest.substr(digits.size());
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number == 0 || number > 255) Bad(text_, "vector length expected");
    (of_shape ? slot.n_divisor : slot.vector) = static_cast<uint8_t>(number);
    if (rest.starts_with("+")) {
      slot.or_longer = true;
      rest = rest.substr(1);
    }
  }

  static bool IsDestination(std::string_view name) { return name == "d" || name == "p" || name == "q"; }

  OperandType TakeType(std::string_view& rest, OperandForm::Role& role) {
    OperandType type;
    if (!rest.starts_with(":")) return type;
    rest = rest.substr(1);
    if (rest.starts_with(".")) {
      const std::string_view name = TakeName(rest, 1);
      rest = rest.substr(1 + name.size());
      type.from = OperandType::From::kClass;
      type.slot = SlotOf(name);
      return type;
    }
    const std::string_view name = TakeName(rest, 0);
    rest = rest.substr(name.size());
    if (name == "wide") {
      type.from = OperandType::From::kWide;
    } else if (name == "any") {
      type.from = OperandType::From::kAny;
    } else if (name == "label") {
      type.from = OperandType::From::kAny;
      role = OperandForm::Role::kLabel;
    } else if (const auto fixed = ScalarTypeFromSpelling(name)) {
      type.from = OperandType::From::kFixed;
      type.fixed = *fixed;
    } else {
      Bad(text_, "unknown operand type");
    }
    return type;
  }

  uint8_t SlotOf(std::string_view modifier) const {
    for (size_t i = 0; i < line_.modifiers.size(); ++i) {
      if (line_.modifiers[i].name == modifier) return static_cast<uint8_t>(i);
    }
    Bad(text_, "an operand names no modifier of the line");
  }

  // "@7.8/sm_90", if there is one.
  Requirement TakeSince(std::string_view& rest) const {
    if (!rest.starts_with("@")) return {};
    const std::optional<Requirement> since = TakeRequirement(rest);
    if (!since) Bad(text_, "@VERSION/TARGET expected");
    return *since;
  }

  static std::string_view TrimLeft(std::string_view text) {
    const size_t begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
  }

  // The name at `begin`; a modifier's may hold `::`.
  static std::string_view TakeName(std::string_view text, size_t begin) {
    size_t end = begin;
    while (end < text.size()) {
      if (IsNameChar(text[end])) {
        ++end;
      } else if (text.substr(end).starts_with("::")) {
        end += 2;
      } else {
        break;
      }
    }
    return text.substr(begin, end - begin);
  }

  std::string_view mnemonic_;
  std::string_view text_;
  GrammarLine line_;
  struct Options {
    std::vector<std::string_view> names;
    std::vector<Requirement> since;
  };
  std::map<std::string_view, Options> classes_;
};

constexpr size_t kOpcodeCount = 1
#define RACER_INSTRUCTION(name) +1
#include "ptx_frontend/isa/instructions.def"
    ;

struct ParsedLines {
  std::once_flag once;
  std::vector<GrammarLine> lines;
};

// Opcodes sorted by mnemonic; those of one mnemonic stay in table order.
std::array<Opcode, kOpcodeCount - 1> SortedOpcodes() {
  std::array<Opcode, kOpcodeCount - 1> sorted;
  for (size_t i = 1; i < kOpcodeCount; ++i) sorted[i - 1] = static_cast<Opcode>(i);
  std::sort(sorted.begin(), sorted.end(), [](Opcode a, Opcode b) {
    const int order = SpecOf(a).mnemonic.compare(SpecOf(b).mnemonic);
    return order != 0 ? order < 0 : a < b;
  });
  return sorted;
}

}  // namespace

bool ModifierSlot::Accepts(std::string_view modifier) const { return std::find(options.begin(), options.end(), modifier) != options.end(); }

size_t GrammarLine::min_operands() const {
  return static_cast<size_t>(std::count_if(operands.begin(), operands.end(), [](const OperandSlot& o) { return !o.optional; }));
}

GrammarLine ParseGrammarLine(std::string_view mnemonic, std::string_view line) { return LineParser(mnemonic, line).Parse(); }

std::span<const GrammarLine> LinesOf(Opcode opcode) {
  static std::array<ParsedLines, kOpcodeCount> table;
  const size_t index = static_cast<size_t>(opcode);
  RACER_CHECK(index > 0 && index < kOpcodeCount);
  ParsedLines& entry = table[index];
  std::call_once(entry.once, [&] {
    const Spec& spec = SpecOf(opcode);
    for (const std::string_view line : spec.grammar) entry.lines.push_back(ParseGrammarLine(spec.mnemonic, line));
  });
  return entry.lines;
}

std::span<const Opcode> OpcodesOf(std::string_view mnemonic) {
  static const std::array<Opcode, kOpcodeCount - 1> sorted = SortedOpcodes();
  const auto begin = std::partition_point(sorted.begin(), sorted.end(), [&](Opcode o) { return SpecOf(o).mnemonic < mnemonic; });
  const auto end = std::partition_point(begin, sorted.end(), [&](Opcode o) { return SpecOf(o).mnemonic == mnemonic; });
  return {begin, end};
}

}  // namespace racer::isa
