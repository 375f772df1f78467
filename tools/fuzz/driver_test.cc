// Reached only if the driver really mutates: a bracket and a newline that the corpus lacks, around an intact piece of it.
#include <cstdint>
#include <string_view>

namespace {
bool g_reached = false;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("{arg") != std::string_view::npos && text.find('\n') != std::string_view::npos) g_reached = true;
  return 0;
}

extern "C" int RacerFuzzGoalReached() { return g_reached ? 1 : 0; }
