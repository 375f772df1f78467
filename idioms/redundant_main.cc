// Prints what templates/same.txt is to hold: templates whose graph is an instance of another one's, and on standard error those that the
// machine cannot run.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "idioms/idiom_template.h"
#include "idioms/matcher.h"
#include "idioms/templates.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/term/term.h"

int main() {
  using namespace racer;
  std::vector<const IdiomTemplate*> kept;
  std::vector<std::unique_ptr<IdiomTemplate>> all;
  for (const TemplateText& text : TemplateTexts()) {
    std::string why;
    std::unique_ptr<IdiomTemplate> idiom = IdiomTemplate::Load(std::string(text.name), text.text, &why);
    if (idiom == nullptr) {
      std::fprintf(stderr, "%s: %s\n", std::string(text.name).c_str(), why.c_str());
      continue;
    }
    TermStore store;
    std::vector<TermId> arguments;
    for (const ScalarType type : idiom->header().inputs) {
      const SymbolId symbol = store.AddSymbol({"x", type, {}});
      arguments.push_back(IsFloat(type) ? store.FpInput(symbol, 0) : store.BvInput(symbol, 0));
    }
    const TermId result = idiom->Instance(store, arguments);
    IdiomMatcher matcher(store, kept);
    const auto found = matcher.Find(result);
    if (found) {
      std::printf("%s\n", idiom->name().c_str());
      std::fprintf(stderr, "%s is %s\n", idiom->name().c_str(), found->idiom->name().c_str());
      continue;
    }
    kept.push_back(idiom.get());
    all.push_back(std::move(idiom));
  }
  return 0;
}
