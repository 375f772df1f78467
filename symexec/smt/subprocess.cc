#include "symexec/smt/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

#include "base/check.h"

namespace racer {
namespace {

using Clock = std::chrono::steady_clock;

// A busy machine changes no verdict: the limit is of processor time, and of the wall clock this many times as much.
constexpr double kWallFactor = 4;

// Exit statuses of the child. 4 is InternalError's.
constexpr int kAnswered = 0, kThrew = 3, kInternalError = 4;

int g_answer_pipe = -1;  // in the child only

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Bytes of address space in use; the limit below is on address space.
uint64_t AddressSpaceInUse() {
  uint64_t pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    unsigned long long value = 0;
    if (std::fscanf(file, "%llu", &value) == 1) pages = value;
    std::fclose(file);
  }
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void Limit(int resource, uint64_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

[[noreturn]] void RunChild(const std::function<std::string()>& function, const std::string& name, double seconds, uint64_t memory_bytes,
                           int fd) {
  // Dies with the thread that waits for it, and at the latest a second after the limit that the parent keeps.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, name.substr(0, 15).c_str());
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_AS, AddressSpaceInUse() + memory_bytes);
  Limit(RLIMIT_CPU, static_cast<uint64_t>(std::ceil(seconds)) + 1);
  g_answer_pipe = fd;
  SetInternalErrorHandler([](std::string_view message) { WriteAll(g_answer_pipe, message); });
  int status = kAnswered;
  std::string answer;
  try {
    answer = function();
  } catch (const std::exception& error) {
    answer = error.what();
    status = kThrew;
  }
  WriteAll(fd, answer);
  // No destructors and no flushing of what the parent had buffered.
  _exit(status);
}

// Appends what is there to read; false at the end.
bool Drain(int fd, std::string* output) {
  char buffer[16384];
  while (true) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count > 0) {
      output->append(buffer, static_cast<size_t>(count));
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

std::string Describe(int status) {
  if (WIFSIGNALED(status)) return std::string("killed by signal ") + strsignal(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

// 0 where it cannot be told: then the wall clock alone counts.
double ProcessorSeconds(pid_t process) {
  clockid_t clock;
  timespec spent{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

}  // namespace

SubprocessResult RunInSubprocess(const std::function<std::string()>& function, const std::string& name, double seconds,
                                 uint64_t memory_bytes) {
  SubprocessResult result;
  const auto after = [](double s) { return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s)); };
  const Clock::time_point deadline = after(kWallFactor * seconds);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    result.kind = SubprocessResult::Kind::kNotStarted;
    result.detail = std::strerror(errno);
    return result;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    RunChild(function, name, seconds, memory_bytes, ends[1]);
  }
  const int fork_error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    result.kind = SubprocessResult::Kind::kNotStarted;
    result.detail = std::strerror(fork_error);
    return result;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  int status = 0;
  bool open = true;
  while (true) {
    // The end of the pipe alone is no sign: a child forked by another thread may hold its other end. So the wait is short.
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) {
      Drain(ends[0], &result.output);
      if (ended < 0) {
        result.detail = std::strerror(errno);
      } else if (WIFEXITED(status) && WEXITSTATUS(status) == kAnswered) {
        result.kind = SubprocessResult::Kind::kFinished;
      } else if (WIFEXITED(status) && WEXITSTATUS(status) == kInternalError) {
        InternalError(__FILE__, __LINE__, "in the solver process: " + result.output);
      } else {
        result.detail = WIFEXITED(status) && WEXITSTATUS(status) == kThrew ? result.output : Describe(status);
      }
      break;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || ProcessorSeconds(child) >= seconds) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      result.kind = SubprocessResult::Kind::kTimedOut;
      break;
    }
    pollfd wait{ends[0], POLLIN, 0};
    poll(&wait, open ? 1 : 0, static_cast<int>(std::min<long long>(left, open ? 5 : 1)));
    if (open && wait.revents != 0) open = Drain(ends[0], &result.output);
  }
  close(ends[0]);
  return result;
}

}  // namespace racer
