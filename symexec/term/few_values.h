// The patterns that an integer term may come to, where they are few.
#ifndef RACER_SYMEXEC_TERM_FEW_VALUES_H_
#define RACER_SYMEXEC_TERM_FEW_VALUES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "symexec/term/term.h"

namespace racer {

// (x > 0) - (x < 0) is 0, 1 or -1: conditions are 0 or 1, selections are one of their arms, four bits are one of
// 16 patterns, and arithmetic on few patterns gives few.
class FewValues {
 public:
  static constexpr size_t kMost = 16;
  explicit FewValues(const TermStore& store) : store_(store) {}
  // Ascending; empty: more than kMost, or unknown. The term may come to fewer.
  const std::vector<uint64_t>& Of(TermId term);

 private:
  std::vector<uint64_t> Make(TermId term);

  const TermStore& store_;
  std::unordered_map<TermId, std::vector<uint64_t>> known_;
};

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_FEW_VALUES_H_
