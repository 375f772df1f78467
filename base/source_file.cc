#include "base/source_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace racer {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Diagnostic FileError(DiagnosticKind kind, const std::string& path, std::string message) {
  SourceLocation location;
  location.file = std::make_shared<const SourceFile>(path, "");
  return MakeError(kind, std::move(location), std::move(message));
}

}  // namespace

Result<std::shared_ptr<const SourceFile>> LoadSourceFile(const std::string& path, size_t max_bytes) {
  // O_NONBLOCK: opening a pipe without a writer must not hang.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return FileError(DiagnosticKind::kFileNotFound, path, "no such file");
    return FileError(DiagnosticKind::kFileUnreadable, path, std::string("cannot be opened: ") + std::strerror(error));
  }
  struct stat status{};
  if (fstat(file.number(), &status) != 0) {
    return FileError(DiagnosticKind::kFileUnreadable, path, std::string("cannot be examined: ") + std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) return FileError(DiagnosticKind::kFileNotRegular, path, "is a directory");
  if (!S_ISREG(status.st_mode)) return FileError(DiagnosticKind::kFileNotRegular, path, "is not a regular file");
  const auto too_large = [&](const std::string& size) {
    return FileError(DiagnosticKind::kFileTooLarge, path, size + " bytes are more than the limit of " + std::to_string(max_bytes));
  };
  const size_t size = static_cast<size_t>(status.st_size);
  if (size > max_bytes) return too_large(std::to_string(size));
  std::string text(size + 1, '\0');  // one more byte shows that the file has grown meanwhile
  size_t used = 0;
  while (true) {
    if (used == text.size()) {
      if (used > max_bytes) return too_large("more than " + std::to_string(max_bytes));
      text.resize(text.size() * 2);
    }
    const ssize_t got = read(file.number(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(DiagnosticKind::kFileUnreadable, path, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  if (used > max_bytes) return too_large(std::to_string(used));
  text.resize(used);
  if (used == 0) return FileError(DiagnosticKind::kFileEmpty, path, "is empty");
  if (const size_t nul = text.find('\0'); nul != std::string::npos) {
    return FileError(DiagnosticKind::kFileBinary, path, "holds binary data: a NUL byte at offset " + std::to_string(nul));
  }
  return std::shared_ptr<const SourceFile>(std::make_shared<const SourceFile>(path, std::move(text)));
}

}  // namespace racer
