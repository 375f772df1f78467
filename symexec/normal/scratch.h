// An accumulator on loan: its table is as long as there are monomials, so it is not made anew for every sum.
#ifndef RACER_SYMEXEC_NORMAL_SCRATCH_H_
#define RACER_SYMEXEC_NORMAL_SCRATCH_H_

#include <memory>
#include <utility>

#include "symexec/normal/algebra.h"

namespace racer::normal {

class Algebra::Scratch {
 public:
  explicit Scratch(Algebra& algebra) : algebra_(algebra) {
    if (algebra.free_accumulators_.empty()) algebra.free_accumulators_.push_back(std::make_unique<Accumulator>());
    sum_ = std::move(algebra.free_accumulators_.back());
    algebra.free_accumulators_.pop_back();
  }
  ~Scratch() {
    sum_->Clear();
    algebra_.free_accumulators_.push_back(std::move(sum_));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Accumulator& operator*() { return *sum_; }

 private:
  Algebra& algebra_;
  std::unique_ptr<Accumulator> sum_;
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_SCRATCH_H_
