#include "checker/supervise.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>

#include "base/check.h"

namespace racer {
namespace {

#if defined(__SANITIZE_ADDRESS__)
#define RACER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RACER_ADDRESS_SANITIZER 1
#endif
#endif

// What malloc may hold beyond what is used.
constexpr uint64_t kAddressSpaceSlack = uint64_t{16} << 20;
constexpr int kOutOfMemoryStatus = 121;

bool WriteAll(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

void AppendString(std::string& out, const std::string& text) {
  uint64_t size = text.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));
  out += text;
}

bool TakeString(std::string_view& in, std::string& text) {
  uint64_t size = 0;
  if (in.size() < sizeof(size)) return false;
  std::memcpy(&size, in.data(), sizeof(size));
  in.remove_prefix(sizeof(size));
  if (in.size() < size) return false;
  text.assign(in.substr(0, size));
  in.remove_prefix(size);
  return true;
}

#ifndef RACER_ADDRESS_SANITIZER
// Address space that the program and its libraries took before any work; a guess of the same size where the kernel does not tell.
uint64_t AddressSpaceInUse() {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages > 0 ? pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : uint64_t{256} << 20;
}
#endif

// What goes through the pipe: messages of a kind and a string.
enum class Message : uint8_t { kKept, kResult };

void AppendMessage(std::string& out, Message kind, const std::string& text) {
  out += static_cast<char>(kind);
  AppendString(out, text);
}

// Takes whole messages only.
bool TakeMessage(std::string& in, Message& kind, std::string& text) {
  if (in.empty()) return false;
  std::string_view rest(in);
  kind = static_cast<Message>(rest.front());
  rest.remove_prefix(1);
  if (!TakeString(rest, text)) return false;
  in.erase(0, in.size() - rest.size());
  return true;
}

[[noreturn]] void RunChild(const std::function<WorkResult(const Keep&)>& work, const SupervisionLimits& limits, int fd, pid_t parent) {
  setpgid(0, 0);  // so that a deadline also ends the child's own children
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kOutOfMemoryStatus);
#ifndef RACER_ADDRESS_SANITIZER  // its shadow takes terabytes of address space
  if (limits.memory_bytes > 0) {
    const uint64_t bytes = AddressSpaceInUse() + limits.memory_bytes + kAddressSpaceSlack;
    rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
#endif
  std::string message;
  try {
    const Keep keep = [fd](const std::string& what) {
      std::string kept;
      AppendMessage(kept, Message::kKept, what);
      WriteAll(fd, kept.data(), kept.size());
    };
    WorkResult result = work(keep);
    std::string whole(reinterpret_cast<const char*>(&result.exit_status), sizeof(result.exit_status));
    AppendString(whole, result.output);
    AppendString(whole, result.json);
    AppendMessage(message, Message::kResult, whole);
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemoryStatus);
  }
  bool sent = WriteAll(fd, message.data(), message.size());
  std::fflush(nullptr);
  _exit(sent ? 0 : 1);
}

}  // namespace

SupervisedResult RunSupervised(const std::function<WorkResult(const Keep& keep)>& work, const SupervisionLimits& limits) {
  int pipe_fds[2];
  RACER_CHECK(pipe(pipe_fds) == 0);
  std::fflush(nullptr);
  pid_t parent = getpid();
  pid_t child = fork();
  RACER_CHECK(child >= 0);
  if (child == 0) {
    close(pipe_fds[0]);
    RunChild(work, limits, pipe_fds[1], parent);
  }
  setpgid(child, child);
  close(pipe_fds[1]);

  SupervisedResult result;
  std::string pending, text, whole;
  Message kind = Message::kKept;
  auto start = std::chrono::steady_clock::now();
  bool timed_out = false;
  for (;;) {
    int wait_ms = -1;
    if (limits.seconds > 0) {
      double left = limits.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (left <= 0) {
        timed_out = true;
        break;
      }
      wait_ms = static_cast<int>(left * 1000) + 1;
    }
    pollfd ready{pipe_fds[0], POLLIN, 0};
    int n = poll(&ready, 1, wait_ms);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) continue;
    char buffer[1 << 16];
    ssize_t got = read(pipe_fds[0], buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    pending.append(buffer, static_cast<size_t>(got));
    while (TakeMessage(pending, kind, text)) (kind == Message::kKept ? result.kept : whole) = std::move(text);
  }
  close(pipe_fds[0]);
  if (timed_out) kill(-child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // whatever the child left behind
  result.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;

  std::string_view view = whole;
  if (timed_out) {
    result.end = SupervisedResult::End::kTimeout;
    return result;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && view.size() >= sizeof(int)) {
    std::memcpy(&result.work.exit_status, view.data(), sizeof(int));
    view.remove_prefix(sizeof(int));
    if (TakeString(view, result.work.output) && TakeString(view, result.work.json) && view.empty()) return result;
  }
  bool near_limit = limits.memory_bytes > 0 && result.peak_bytes > limits.memory_bytes / 10 * 8;
  if ((WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryStatus) || (near_limit && WIFSIGNALED(status))) {
    result.end = SupervisedResult::End::kMemory;
    return result;
  }
  result.end = SupervisedResult::End::kCrash;
  result.detail = WIFSIGNALED(status) ? std::string("signal ") + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"
                                      : "exit status " + std::to_string(WEXITSTATUS(status));
  return result;
}

uint64_t PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace racer
