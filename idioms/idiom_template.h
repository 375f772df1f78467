// One piece of library code: a PTX snippet, the real function that it stands for, and the graph that running it gives.
#ifndef RACER_IDIOMS_IDIOM_TEMPLATE_H_
#define RACER_IDIOMS_IDIOM_TEMPLATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "idioms/real_function.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/term/term.h"

namespace racer {

// What the `//! ` lines at the top of a template say, as TOML.
struct IdiomHeader {
  std::string idiom;     // "expf"
  std::string function;  // "exp(x)"
  std::vector<ScalarType> inputs;
  ScalarType output = ScalarType::kNone;
  // The largest error of the code, in units of the result's last place; 0: the function rounded to the output.
  double ulps = 0;
  std::string error;    // how reports say it: "1 ulp"
  std::string domain;   // where the bound holds: "every x"; for reports and readers
  std::string options;  // compilers and their options that make this code
  // A literal of the snippet, without which a kernel has no instance of it.
  uint64_t key = 0;
  // In .param order: "out", "x", "y", "z" (a value, or a pointer to one where the parameter has another size), "x*" (a pointer), "0".
  std::vector<std::string> params;
  unsigned block = 1;  // threads; the first cell is what counts
  bool ftz = false;    // the operations flush subnormal numbers
};

// Bounds of library code in enclosures of what a device computes (symexec/ball/device.cc); no template may claim more.
constexpr double kLibraryUlps = 4;

class IdiomTemplate {
 public:
  // Runs the snippet. Null, and `why` says what is wrong with the text or what of the snippet racer does not model.
  static std::unique_ptr<IdiomTemplate> Load(const std::string& name, std::string_view text, std::string* why);
  // The key alone, without reading the rest.
  static std::optional<uint64_t> KeyOf(std::string_view text);

  const std::string& name() const { return name_; }
  const IdiomHeader& header() const { return header_; }
  const RealFunction& function() const { return *function_; }
  const TermStore& store() const { return store_; }
  TermId root() const { return root_; }
  // Of argument i: a term of kind FpInput or BvInput.
  const std::vector<TermId>& inputs() const { return inputs_; }
  // What the root is made of, operands first, the root last.
  const std::vector<TermId>& order() const { return order_; }
  // The terms in `store` that the snippet makes of these arguments, by the template's own terms; without the root where it is not wanted.
  void Instantiate(TermStore& store, const std::vector<TermId>& arguments, bool with_root, std::vector<TermId>* values) const;
  // Its result on them.
  TermId Instance(TermStore& store, const std::vector<TermId>& arguments) const;

 private:
  explicit IdiomTemplate(std::string name) : name_(std::move(name)) {}
  std::string ReadHeader(const std::vector<std::string>& lines);
  std::string Run(const ir::Module& module);
  void Order();

  std::string name_;
  IdiomHeader header_;
  std::optional<RealFunction> function_;
  TermStore store_;
  TermId root_ = kNoTerm;
  std::vector<TermId> inputs_, order_;
};

}  // namespace racer

#endif  // RACER_IDIOMS_IDIOM_TEMPLATE_H_
