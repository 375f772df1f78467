// Every template: runs, is found by its own key, is recognised in the kernels of testdata/, and with anything in it changed is not.
#include "idioms/templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "idioms/idiom_template.h"
#include "idioms/matcher.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/term/term.h"

namespace racer {
namespace {

// The graph of a template on inputs of a fresh store, as a kernel would have it.
struct Graph {
  TermStore store;
  std::vector<TermId> arguments;
  TermId result = kNoTerm;

  explicit Graph(const IdiomTemplate& idiom) {
    for (const ScalarType type : idiom.header().inputs) {
      const SymbolId symbol = store.AddSymbol({"x", type, {64}});
      // No bare input, so that nothing rests on that.
      const TermId input = IsFloat(type) ? store.FpInput(symbol, 5) : store.BvInput(symbol, 5);
      arguments.push_back(IsFloat(type) ? store.Fp(FpKind::kSub, {.format = FormatOf(type)}, input, store.FpInput(symbol, 6)) : input);
    }
    result = idiom.Instance(store, arguments);
  }
};

TEST(TemplatesTest, EveryTemplateRuns) {
  for (const TemplateText& text : TemplateTexts()) {
    std::string why;
    if (IdiomTemplate::Load(std::string(text.name), text.text, &why) != nullptr) continue;
    ADD_FAILURE() << text.name << ": " << why;
  }
}

TEST(TemplatesTest, EachIsFoundOnOtherTerms) {
  const std::vector<const IdiomTemplate*> all = AllTemplates();
  for (const IdiomTemplate* idiom : all) {
    Graph graph(*idiom);
    IdiomMatcher matcher(graph.store, all);
    const auto found = matcher.Find(graph.result);
    ASSERT_TRUE(found.has_value()) << idiom->name();
    EXPECT_EQ(found->idiom, idiom) << idiom->name() << " is " << found->idiom->name() << ": leave it out (templates/same.txt)";
    EXPECT_EQ(found->arguments, graph.arguments) << idiom->name();
  }
}

// Kernels that nvcc compiled: s * f(x * s - 1) + 1, where the code stands among other code and may be fused with it.
TEST(TemplatesTest, EachIsFoundInKernels) {
  const std::vector<const IdiomTemplate*> all = AllTemplates();
  std::set<std::string> found;
  for (const char* file : {"idioms/testdata/uses.default.txt"}) {
    std::ifstream stream(file);
    ASSERT_TRUE(stream.good()) << file;
    const std::string texts((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    constexpr std::string_view kMark = "//// ";
    for (size_t at = texts.find(kMark); at != std::string::npos;) {
      const size_t line = texts.find('\n', at), next = texts.find(kMark, line);
      const std::string name = texts.substr(at + kMark.size(), line - at - kMark.size());
      std::string why;
      const std::unique_ptr<IdiomTemplate> use = IdiomTemplate::Load(name, texts.substr(line, next - line), &why);
      at = next;
      ASSERT_NE(use, nullptr) << name << ": " << why;
      Graph graph(*use);
      IdiomMatcher matcher(graph.store, all);
      matcher.Replaced(graph.result);
      ASSERT_EQ(matcher.uses().size(), 1U) << file << ": " << name;
      EXPECT_EQ(matcher.uses().begin()->idiom->header().idiom, use->header().idiom) << file << ": " << name;
      found.insert(name);
    }
  }
  EXPECT_GT(found.size(), 40U);
}

// What a kernel has to hold for a template to be looked at is in the template.
TEST(TemplatesTest, KeysAreLiterals) {
  for (const TemplateText& text : TemplateTexts()) {
    const std::optional<uint64_t> key = IdiomTemplate::KeyOf(text.text);
    if (!key) continue;
    char spelled[20];
    std::snprintf(spelled, sizeof spelled, *key > 0xffffffff ? "0d%016lX" : "0f%08lX", static_cast<unsigned long>(*key));
    char integer[20];
    std::snprintf(integer, sizeof integer, "0x%lx", static_cast<unsigned long>(*key));
    std::string lower(text.text.substr(text.text.find(".version")));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_TRUE(text.text.find(spelled) != std::string_view::npos || lower.find(integer) != std::string::npos) << text.name;
  }
}

// --- near misses

// The texts that differ from this one in one literal's last place or in one modifier.
std::vector<std::string> Mutants(const std::string& text) {
  std::vector<std::string> mutants;
  const std::regex literal("0f[0-9A-F]{8}|0d[0-9A-F]{16}|0[xX][0-9A-Fa-f]{4,8}U|, -?[0-9]{6,10};");
  const size_t body = text.find('{', text.find(".entry"));
  for (std::sregex_iterator at(text.begin() + static_cast<long>(body), text.end(), literal), end; at != end; ++at) {
    std::string changed = at->str();
    const size_t digit = changed.find_last_not_of("U;");
    changed[digit] = changed[digit] == '0'                            ? '1'
                     : changed[digit] == 'A' || changed[digit] == 'a' ? '9'
                                                                      : static_cast<char>(changed[digit] - 1);
    std::string& mutant = mutants.emplace_back(text);
    mutant.replace(body + static_cast<size_t>(at->position()), static_cast<size_t>(at->length()), changed);
  }
  const std::pair<std::string, std::string> changes[] = {
      {"fma.rn.", "fma.rz."},     {"fma.rm.", "fma.rn."},      {"\tadd.f32", "\tadd.rz.f32"},    {"\tmul.f32", "\tmul.rz.f32"},
      {"add.rn.f", "add.rz.f"},   {"mul.rn.f", "mul.rz.f"},    {"ex2.approx.ftz", "ex2.approx"}, {"rcp.approx.ftz", "rcp.approx"},
      {"cvt.sat.f32", "cvt.f32"}, {"setp.lt.", "setp.le."},    {"setp.gt.", "setp.ge."},         {"setp.ge.", "setp.gt."},
      {"setp.eq.", "setp.ne."},   {"setp.geu.", "setp.gtu."},  {"cvt.rni.", "cvt.rzi."},         {"cvt.rzi.", "cvt.rni."},
      {"cvt.rn.", "cvt.rz."},     {"copysign.f32", "min.f32"}, {"\tsub.f32", "\tsub.rz.f32"},    {"setp.ltu.", "setp.leu."},
      {"shl.b32", "shr.u32"},     {"add.s32", "sub.s32"},      {"fma.rn.ftz", "fma.rn"},         {"add.ftz", "add"},
      {"mul.ftz", "mul"},         {"abs.ftz", "abs"},          {"\tneg.f32", "\tabs.f32"},       {"and.b32", "or.b32"},
  };
  for (const auto& [from, to] : changes) {
    for (size_t at = text.find(from, body); at != std::string::npos; at = text.find(from, at + 1)) {
      mutants.push_back(text.substr(0, at) + to + text.substr(at + from.size()));
    }
  }
  return mutants;
}

// Broken once by comparing shapes alone, without building the instance again: hundreds of these are taken for the function.
TEST(TemplatesTest, NothingElseIsFound) {
  const std::vector<const IdiomTemplate*> all = AllTemplates();
  unsigned looked_at = 0;
  for (const TemplateText& text : TemplateTexts()) {
    std::string why;
    const std::unique_ptr<IdiomTemplate> idiom = IdiomTemplate::Load(std::string(text.name), text.text, &why);
    if (idiom == nullptr) continue;
    // Of the default form every one, of the others a sample.
    const std::vector<std::string> mutants = Mutants(std::string(text.text));
    const bool short_default = text.name.ends_with("f.default") && text.text.size() < 4500;
    const size_t step = short_default ? 1 : text.text.size() < 6000 ? 13 : 97;
    for (size_t i = 0; i < mutants.size(); i += step) {
      const std::string& mutant = mutants[i];
      const std::unique_ptr<IdiomTemplate> changed = IdiomTemplate::Load("mutant", mutant, &why);
      if (changed == nullptr) continue;  // no PTX any more, or no function
      Graph graph(*changed);
      if (graph.result == idiom->Instance(graph.store, graph.arguments)) continue;  // in what counts for nothing
      ++looked_at;
      IdiomMatcher matcher(graph.store, all);
      const auto found = matcher.Find(graph.result);
      EXPECT_FALSE(found.has_value()) << text.name << " is still " << found->idiom->name() << " as:\n" << mutant;
      if (found.has_value()) return;
    }
  }
  EXPECT_GT(looked_at, 200U);
}

}  // namespace
}  // namespace racer
