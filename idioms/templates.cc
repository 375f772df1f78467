#include "idioms/templates.h"

#include <bit>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

namespace racer {
namespace {

struct RawText {
  const char* name;
  const char* text;
};
constexpr RawText kTexts[] = {
#include "idioms/template_texts.inc"
};

// Runs a snippet the first time that it is asked for.
struct Slot {
  bool tried = false;
  std::unique_ptr<IdiomTemplate> loaded;
};

void AddLiterals(const ir::Operand& operand, std::unordered_set<uint64_t>& literals) {
  if (operand.kind == ir::Operand::Kind::kImmediate) {
    literals.insert(operand.bits);
    literals.insert(operand.bits & 0xffffffff);
  } else if (operand.kind == ir::Operand::Kind::kFloat) {
    literals.insert(operand.bits);
    // 1.5 in an instruction on .f32.
    if (operand.float_width == 64) literals.insert(std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))));
  }
  for (const ir::Operand& element : operand.elements) AddLiterals(element, literals);
}

std::vector<const IdiomTemplate*> Templates(const std::function<bool(uint64_t)>& has_literal) {
  static Slot slots[std::size(kTexts)];
  const std::span<const TemplateText> texts = TemplateTexts();
  std::vector<const IdiomTemplate*> result;
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    const std::optional<uint64_t> key = IdiomTemplate::KeyOf(texts[i].text);
    if (key.has_value() && !has_literal(*key)) continue;
    Slot& slot = slots[i];
    if (!slot.tried) {
      std::string why;  // a test says it
      slot.loaded = IdiomTemplate::Load(std::string(texts[i].name), texts[i].text, &why);
      slot.tried = true;
    }
    if (slot.loaded != nullptr) result.push_back(slot.loaded.get());
  }
  return result;
}

}  // namespace

std::span<const TemplateText> TemplateTexts() {
  static const auto* const kList = [] {
    auto* list = new std::vector<TemplateText>;
    for (const RawText& raw : kTexts) list->push_back({raw.name, raw.text});
    return list;
  }();
  return *kList;
}

std::vector<const IdiomTemplate*> AllTemplates() {
  return Templates([](uint64_t) { return true; });
}

std::vector<const IdiomTemplate*> TemplatesFor(const std::vector<const ir::Module*>& modules) {
  std::unordered_set<uint64_t> literals;
  for (const ir::Module* module : modules) {
    for (const std::unique_ptr<ir::Function>& function : module->functions) {
      for (const ir::Instruction& instruction : function->body) {
        for (const ir::Operand& operand : instruction.operands) AddLiterals(operand, literals);
      }
    }
  }
  return Templates([&](uint64_t key) { return literals.contains(key); });
}

}  // namespace racer
