#include "idioms/idiom_template.h"

#include <algorithm>
#include <cstdlib>

#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/machine.h"
#include "symexec/machine/run.h"
#include "symexec/term/rebuild.h"

namespace racer {
namespace {

constexpr std::string_view kArgumentNames[] = {"x", "y", "z"};

bool IsFloatType(ScalarType type) { return IsFloat(type) && PackedElement(type) == ScalarType::kNone; }

std::optional<ScalarType> TypeNamed(const std::string& name) {
  const std::optional<ScalarType> type = ScalarTypeFromSpelling(name);
  return type && BitWidth(*type) >= 8 && BitWidth(*type) <= 64 ? type : std::nullopt;
}

}  // namespace

std::optional<uint64_t> IdiomTemplate::KeyOf(std::string_view text) {
  constexpr std::string_view kStart = "\n//! key = \"";
  const size_t at = text.find(kStart);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string number(text.substr(at + kStart.size(), 20));
  return std::strtoull(number.c_str(), nullptr, 0);
}

std::string IdiomTemplate::ReadHeader(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return std::string("the header is no TOML: ") + error.what();
  }
  const auto string = [&](const char* key) { return table[key].value_or(std::string()); };
  header_.idiom = string("idiom");
  header_.function = string("function");
  header_.error = string("error");
  header_.domain = string("domain");
  header_.options = string("options");
  header_.ulps = table["ulps"].value_or(-1.0);
  // TOML has no integers of 64 bits without a sign.
  header_.key = std::strtoull(string("key").c_str(), nullptr, 0);
  header_.ftz = table["ftz"].value_or(false);
  header_.block = static_cast<unsigned>(table["block"].value_or(int64_t{1}));
  for (const auto& [key, value] : table) {
    constexpr std::string_view kKnown[] = {"idiom", "function", "error", "domain", "options", "ulps",
                                           "key",   "ftz",      "block", "inputs", "output",  "params"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key.str()) == std::end(kKnown)) return "unknown key " + std::string(key.str());
  }
  if (header_.idiom.empty() || header_.error.empty() || header_.domain.empty() || header_.options.empty()) {
    return "idiom, error, domain and options say what it is";
  }
  if (!(header_.ulps >= 0 && header_.ulps <= kLibraryUlps)) return "ulps is a number up to that of symexec/ball/device.cc";
  if (const toml::array* inputs = table["inputs"].as_array()) {
    for (const toml::node& input : *inputs) {
      const std::optional<ScalarType> type = TypeNamed(input.value_or(std::string()));
      if (!type) return "inputs are scalar types";
      header_.inputs.push_back(*type);
    }
  }
  const std::optional<ScalarType> output = TypeNamed(string("output"));
  if (!output || !IsFloatType(*output)) return "output is a floating-point type";
  header_.output = *output;
  if (const toml::array* params = table["params"].as_array()) {
    for (const toml::node& param : *params) header_.params.push_back(param.value_or(std::string()));
  } else {
    header_.params = {"out"};
    for (size_t i = 0; i < header_.inputs.size(); ++i) header_.params.emplace_back(kArgumentNames[i]);
  }
  function_ = RealFunction::Parse(header_.function);
  if (!function_) return "the function is no formula: " + header_.function;
  if (header_.inputs.empty() || header_.inputs.size() > 3 || function_->argument_count() != header_.inputs.size()) {
    return "the function has other arguments than the inputs";
  }
  return "";
}

std::string IdiomTemplate::Run(const ir::Module& module) {
  const std::vector<const ir::Function*> entries = module.Entries();
  if (entries.size() != 1) return "a template has one .entry";
  RunConfig config;
  config.module = &module;
  config.entry = entries[0];
  config.launch.block = {header_.block, 1, 1};
  config.check_races = false;
  const unsigned output_bytes = BitWidth(header_.output) / 8;
  std::vector<SymbolId> symbols;
  for (size_t i = 0; i < header_.inputs.size(); ++i) {
    const ScalarType type = header_.inputs[i];
    symbols.push_back(store_.AddSymbol({std::string(kArgumentNames[i]), type, {}}));
    inputs_.push_back(IsFloatType(type) ? store_.FpInput(symbols[i], 0) : store_.BvInput(symbols[i], 0));
  }
  if (header_.params.size() != config.entry->params.size()) return "params are not those of the .entry";
  int output = -1;
  for (size_t i = 0; i < header_.params.size(); ++i) {
    const std::string& param = header_.params[i];
    Argument argument;
    const auto buffer = [&](uint64_t size, BufferContents contents, bool written) {
      argument.kind = Argument::Kind::kBuffer;
      argument.buffer = static_cast<int>(config.buffers.size());
      config.buffers.push_back({.name = param, .size = size, .align = 256, .writable = written, .initialised = !written});
      config.contents.push_back(std::move(contents));
    };
    const bool pointer = param.ends_with('*');
    const auto found = std::find(std::begin(kArgumentNames), std::end(kArgumentNames), param.substr(0, param.size() - (pointer ? 1 : 0)));
    const auto index = static_cast<size_t>(found - std::begin(kArgumentNames));
    if (param == "out") {
      output = static_cast<int>(config.buffers.size());
      buffer(uint64_t{output_bytes} * header_.block, {}, /*written=*/true);
    } else if (index < inputs_.size()) {
      const ScalarType type = header_.inputs[index];
      if (!pointer && config.entry->params[i]->SizeBytes() * 8 == BitWidth(type)) {
        argument.kind = Argument::Kind::kTerm;
        argument.term = IsFloatType(type) ? store_.FpToBits(inputs_[index]) : inputs_[index];
      } else {
        // Every thread's element is the one input.
        buffer(uint64_t{BitWidth(type)} / 8 * header_.block,
               {.bytes = {}, .symbol = symbols[index], .dtype = type, .cells = std::vector<uint32_t>(header_.block, 0)}, false);
      }
    } else if (param != "0") {
      return "params are out, x, y, z and 0";
    }
    config.arguments.push_back(std::move(argument));
  }
  if (output < 0) return "no parameter is the output";
  TermMachine machine(store_);
  const RunResult result = machine.Run(config);
  if (result.status != RunResult::Status::kCompleted) {
    std::string why = result.status == RunResult::Status::kViolation ? result.findings[0].message : result.reason;
    if (result.place) why += " (line " + std::to_string(result.place->line) + ": " + result.place->text + ")";
    return why;
  }
  const CellValue cell = machine.ReadCell(output, 0, output_bytes * 8);
  if (cell.state != CellValue::State::kSymbolic) return "the output is no function of the inputs";
  root_ = store_.BitsToFp(FormatOf(header_.output), cell.term);
  return "";
}

void IdiomTemplate::Order() {
  std::vector<bool> seen(store_.size());
  std::vector<std::pair<TermId, unsigned>> stack{{root_, 0}};
  seen[static_cast<size_t>(root_)] = true;
  while (!stack.empty()) {
    const TermId id = stack.back().first;
    const unsigned next = stack.back().second++;
    if (next == store_.arity(id)) {
      order_.push_back(id);
      stack.pop_back();
    } else if (const TermId operand = store_.operand(id, next); !seen[static_cast<size_t>(operand)]) {
      seen[static_cast<size_t>(operand)] = true;
      stack.emplace_back(operand, 0);
    }
  }
}

void IdiomTemplate::Instantiate(TermStore& store, const std::vector<TermId>& arguments, bool with_root, std::vector<TermId>* values) const {
  values->assign(store_.size(), kNoTerm);
  const auto at = [&](TermId id) -> TermId& { return (*values)[static_cast<size_t>(id)]; };
  for (size_t i = 0; i < arguments.size(); ++i) at(inputs_[i]) = arguments[i];
  for (const TermId node : order_) {
    if (at(node) != kNoTerm || (!with_root && node == root_)) continue;
    TermId operands[3] = {kNoTerm, kNoTerm, kNoTerm};
    for (unsigned i = 0; i < store_.arity(node); ++i) operands[i] = at(store_.operand(node, i));
    at(node) = RebuildIn(store, store_, node, operands[0], operands[1], operands[2]);
  }
}

TermId IdiomTemplate::Instance(TermStore& store, const std::vector<TermId>& arguments) const {
  std::vector<TermId> values;
  Instantiate(store, arguments, /*with_root=*/true, &values);
  return values[static_cast<size_t>(root_)];
}

std::unique_ptr<IdiomTemplate> IdiomTemplate::Load(const std::string& name, std::string_view text, std::string* why) {
  std::unique_ptr<IdiomTemplate> result(new IdiomTemplate(name));
  const ParseOutcome parsed = ParsePtx(std::make_shared<SourceFile>(name + ".ptx", std::string(text)));
  if (parsed.module == nullptr) {
    *why = parsed.diagnostics[0].Render();
    return nullptr;
  }
  *why = result->ReadHeader(parsed.module->contract_lines);
  if (why->empty()) *why = result->Run(*parsed.module);
  if (!why->empty()) return nullptr;
  result->Order();
  for (TermId input : result->inputs_) {
    if (std::find(result->order_.begin(), result->order_.end(), input) == result->order_.end()) {
      *why = "the output does not depend on every input";
      return nullptr;
    }
  }
  return result;
}

}  // namespace racer
