// The templates of idioms/templates/, which are part of the program.
#ifndef RACER_IDIOMS_TEMPLATES_H_
#define RACER_IDIOMS_TEMPLATES_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idioms/idiom_template.h"
#include "ptx_frontend/ir/module.h"

namespace racer {

struct TemplateText {
  std::string_view name;
  std::string_view text;
};
// All of them, by name.
std::span<const TemplateText> TemplateTexts();

// Those whose key is among the literals of the modules, if not all, and whose snippets the machine can run. Each is run once a process.
std::vector<const IdiomTemplate*> TemplatesFor(const std::vector<const ir::Module*>& modules);
std::vector<const IdiomTemplate*> AllTemplates();

}  // namespace racer

#endif  // RACER_IDIOMS_TEMPLATES_H_
