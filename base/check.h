// Checks that stay on in every build. A failed one is a bug in racer, never a verdict.
#ifndef RACER_BASE_CHECK_H_
#define RACER_BASE_CHECK_H_

#include <string>
#include <string_view>

namespace racer {

// Called once with the message before the process ends with exit status 4. The
// command installs one that also writes the `internal_error` JSON report.
using InternalErrorHandler = void (*)(std::string_view message);
void SetInternalErrorHandler(InternalErrorHandler handler);

// Ends the process with exit status 4 after naming the place and the message.
[[noreturn]] void InternalError(const char* file, int line, std::string_view message);

}  // namespace racer

#define RACER_CHECK(condition)                                                 \
  do {                                                                         \
    if (!(condition)) [[unlikely]]                                             \
      ::racer::InternalError(__FILE__, __LINE__, "check failed: " #condition); \
  } while (false)

// For values that an exhaustive switch has ruled out; `value` is printed.
#define RACER_UNREACHABLE(value) \
  ::racer::InternalError(__FILE__, __LINE__, "unexpected value of " #value ": " + std::to_string(static_cast<long long>(value)))

#endif  // RACER_BASE_CHECK_H_
