// Finds library code in the terms of a kernel and puts the real functions in
// its place.
#ifndef RACER_IDIOMS_MATCHER_H_
#define RACER_IDIOMS_MATCHER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "idioms/idiom_template.h"
#include "symexec/term/term.h"

namespace racer {

// An instance of a template is the very term that its snippet would have made
// of the arguments: once the arguments are found, the template's graph is built
// again on them by the constructors of the store, and has to come out as the
// same term. So nothing is matched loosely, and what constructors simplify,
// they simplify on both sides.
//
// Compilers contract the last multiplication of a template with an addition
// that follows: fma(a, b, c) counts as the instance of a * b, plus c. Over the
// reals that is what it is; one rounding is left out.
class IdiomMatcher {
 public:
  // Templates in order of preference where several match.
  IdiomMatcher(TermStore& store, std::vector<const IdiomTemplate*> templates);
  IdiomMatcher(const IdiomMatcher&) = delete;
  IdiomMatcher& operator=(const IdiomMatcher&) = delete;

  // The term with its outermost instances replaced, and what is below their
  // arguments in turn. Itself where it has none.
  TermId Replaced(TermId term);

  // Every instance that was replaced: the template, and the origin of the term
  // that was its result.
  struct Use {
    const IdiomTemplate* idiom;
    uint32_t origin;
    friend bool operator<(const Use& a, const Use& b) { return std::pair(a.idiom, a.origin) < std::pair(b.idiom, b.origin); }
  };
  const std::set<Use>& uses() const { return uses_; }

  struct Instance {
    const IdiomTemplate* idiom = nullptr;
    std::vector<TermId> arguments;
    // Of fma(a, b, c): c, and whether the product counts negative.
    TermId addend = kNoTerm;
    bool negative = false;
  };
  // The instance whose result the term is.
  std::optional<Instance> Find(TermId term);

 private:
  // From a template's root down to one of its inputs.
  struct Step {
    TermId node;
    unsigned operand;
  };
  using Path = std::vector<Step>;
  struct Entry {
    const IdiomTemplate* idiom;
    std::vector<Path> paths;  // by input
  };

  static Path PathTo(const IdiomTemplate& idiom, TermId input);
  bool Alike(const IdiomTemplate& idiom, TermId node, TermId term) const;
  // What may stand for the input at the end of the path, from terms that may
  // stand for its node at `start`.
  std::vector<TermId> Follow(const Entry& entry, const Path& path, size_t start, std::vector<TermId> terms);
  // Arguments among the choices under which the nodes of the graph come out as
  // these terms.
  using Wanted = std::vector<std::pair<TermId, TermId>>;
  std::optional<std::vector<TermId>> Arguments(const IdiomTemplate& idiom, const std::vector<std::vector<TermId>>& choices,
                                               const Wanted& wanted);
  std::optional<Instance> FindFused(TermId term);
  TermId Real(TermId id, const Instance& instance);
  // Looks at what the store has got since.
  void Extend();
  bool MayBeInstance(TermId id) const;
  bool MayBe(const Entry& entry, TermId id) const;
  bool MayBeFactors(const Entry& entry, TermId id) const;
  // kNoTerm: not yet.
  TermId Known(TermId id);

  TermStore& store_;
  std::map<uint32_t, std::vector<Entry>> by_root_;             // by what a term like the root is
  std::vector<Entry> products_;                                // whose root is a product that may be contracted
  std::vector<TermId> values_;                                 // of the template's terms, while one is instantiated
  std::vector<bool> within_;                                   // by TermId: an instance may be at or below it
  std::unordered_map<TermId, TermId> done_;                    // of those within which there may be one
  std::unordered_map<TermId, std::optional<Instance>> found_;  // of those in work
  std::set<Use> uses_;
};

}  // namespace racer

#endif  // RACER_IDIOMS_MATCHER_H_
