// Result<T>: a value, or the diagnostics that say why there is none.
#ifndef RACER_BASE_RESULT_H_
#define RACER_BASE_RESULT_H_

#include <utility>
#include <variant>

#include "base/check.h"
#include "base/diagnostic.h"

namespace racer {

// Anything a user can cause returns a Result; RACER_CHECK is for what only a bug can cause.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}           // NOLINT(google-explicit-constructor)
  Result(Diagnostic error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    RACER_CHECK(ok());
    return std::get<0>(state_);
  }
  T& value() & {
    RACER_CHECK(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    RACER_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  const Diagnostic& error() const {
    RACER_CHECK(!ok());
    return std::get<1>(state_);
  }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, Diagnostic> state_;
};

}  // namespace racer

#endif  // RACER_BASE_RESULT_H_
