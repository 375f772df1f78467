#include "base/check.h"

#include <unistd.h>

#include <cstdio>

namespace racer {
namespace {
InternalErrorHandler g_handler = nullptr;
}  // namespace

void SetInternalErrorHandler(InternalErrorHandler handler) { g_handler = handler; }

void InternalError(const char* file, int line, std::string_view message) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": " + std::string(message);
  std::fprintf(stderr,
               "racer: internal error: %s\n"
               "This is a bug in racer and says nothing about the kernels. Please report it with the command line and both files.\n",
               text.c_str());
  InternalErrorHandler handler = g_handler;
  g_handler = nullptr;
  if (handler != nullptr) handler(text);
  std::fflush(nullptr);
  _exit(4);
}

}  // namespace racer
