// Side conditions: where a form is defined.
#ifndef RACER_SYMEXEC_NORMAL_CONDITIONS_H_
#define RACER_SYMEXEC_NORMAL_CONDITIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "symexec/normal/algebra.h"
#include "symexec/normal/sets.h"

namespace racer::normal {

enum class ConditionKind : uint8_t {
  kNonZero,      // of a form, up to a rational factor
  kNonNegative,  // of a form, up to a positive factor
  kPositive,     // the same
  kOpaque,       // an integer term holds an operation that may be undefined
  kGuarded,      // one set where a predicate holds, another where it does not
};

class Conditions {
 public:
  explicit Conditions(Algebra& algebra) : algebra_(algebra) {}

  // The conditions that are left of "a != 0", "a >= 0", "a > 0" after sign analysis. False if the algebra gave up.
  bool NonZero(PolyId a, SetId* set);
  bool NonNegative(PolyId a, SetId* set) { return Ordered(a, ConditionKind::kNonNegative, set); }
  bool Positive(PolyId a, SetId* set) { return Ordered(a, ConditionKind::kPositive, set); }
  SetId Opaque(uint32_t term) { return sets_.Intern({Intern(ConditionKind::kOpaque, term, 0, 0)}); }
  SetId Guarded(uint32_t predicate, SetId then, SetId otherwise);
  SetId Union(SetId a, SetId b) { return sets_.Union(a, b); }

  // The same set in its simplest form: what another member implies is dropped, >= 0 and != 0 join to > 0.
  SetId Simplify(SetId set);
  std::string Describe(SetId set, const std::function<std::string(PolyId)>& print) const;

 private:
  using Key = std::tuple<ConditionKind, uint32_t, uint32_t, uint32_t>;
  uint32_t Intern(ConditionKind kind, uint32_t a, uint32_t b, uint32_t c);
  bool Holds(ConditionKind kind, uint32_t poly);
  bool Ordered(PolyId a, ConditionKind kind, SetId* set);
  void AddTo(SetId* set, uint32_t condition) { *set = sets_.Union(*set, sets_.Intern({condition})); }

  Algebra& algebra_;
  SetTable sets_;
  std::vector<Key> conditions_;
  std::map<Key, uint32_t> ids_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_CONDITIONS_H_
