// Monotone Boolean functions as reduced ordered decision diagrams: what maxima of minima of maxima are.
#ifndef RACER_SYMEXEC_NORMAL_LATTICE_H_
#define RACER_SYMEXEC_NORMAL_LATTICE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace racer::normal {

// A value made of maxima and minima of leaves is at least t exactly where the same "or" and "and" of "leaf >= t" is true. So two of them
// are equal if these functions are, and a function has one diagram.
class Diagrams {
 public:
  static constexpr uint32_t kFalse = 0, kTrue = 1;
  static constexpr size_t kMostNodes = 1 << 13;
  struct Node {
    uint32_t variable, low, high;  // where the variable is false, and where it is true
  };

  Diagrams() : nodes_{{~0U, 0, 0}, {~0U, 1, 1}} {}
  uint32_t Variable(uint32_t variable) { return Make(variable, kFalse, kTrue); }
  uint32_t And(uint32_t a, uint32_t b) { return Apply(true, a, b); }
  uint32_t Or(uint32_t a, uint32_t b) { return Apply(false, a, b); }
  const Node& node(uint32_t id) const { return nodes_[id]; }
  // Past this, answers are wrong.
  bool overflow() const { return nodes_.size() > kMostNodes; }
  // Whether the function is nothing but the "or" (the "and") of some variables.
  bool IsPure(uint32_t id, bool disjunction) const;

 private:
  uint32_t Make(uint32_t variable, uint32_t low, uint32_t high);
  uint32_t Apply(bool conjunction, uint32_t a, uint32_t b);

  std::vector<Node> nodes_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> ids_;
  std::map<std::tuple<bool, uint32_t, uint32_t>, uint32_t> applied_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_LATTICE_H_
