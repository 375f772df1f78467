#include "base/source_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace racer {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Diagnostic FileError(DiagnosticKind kind, const std::string& path, const std::string& what, std::string expected = "") {
  SourceLocation location;
  location.file = std::make_shared<const SourceFile>(path, "");
  return MakeError(kind, std::move(location), what, std::move(expected));
}

}  // namespace

Result<std::shared_ptr<const SourceFile>> LoadSourceFile(const std::string& path, size_t max_bytes) {
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (fd.get() < 0) {
    const int error = errno;
    const bool missing = error == ENOENT || error == ENOTDIR;
    return FileError(missing ? DiagnosticKind::kFileNotFound : DiagnosticKind::kFileUnreadable, path,
                     std::string(missing ? "no such file" : "the file cannot be opened: ") + (missing ? "" : std::strerror(error)));
  }
  struct stat info = {};
  if (fstat(fd.get(), &info) != 0) {
    return FileError(DiagnosticKind::kFileUnreadable, path, std::string("the file cannot be examined: ") + std::strerror(errno));
  }
  if (S_ISDIR(info.st_mode)) return FileError(DiagnosticKind::kFileNotRegular, path, "this is a directory", "a file");
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
    return FileError(DiagnosticKind::kFileNotRegular, path, "this is a device or socket", "a file");
  }
  const auto too_large = [&] {
    return FileError(DiagnosticKind::kFileTooLarge, path, "the file is larger than the limit of " + std::to_string(max_bytes) + " bytes");
  };
  if (S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) > max_bytes) return too_large();

  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError(DiagnosticKind::kFileUnreadable, path, std::string("the file cannot be read: ") + std::strerror(errno));
    if (count == 0) break;
    // Files can grow while being read, and pipes have no size.
    if (static_cast<size_t>(count) > max_bytes - text.size()) return too_large();
    text.append(buffer, static_cast<size_t>(count));
  }
  if (text.find_first_not_of(" \t\r\n\f\v") == std::string::npos) return FileError(DiagnosticKind::kFileEmpty, path, "the file is empty");
  if (const size_t nul = text.find('\0'); nul != std::string::npos) {
    return FileError(DiagnosticKind::kFileBinary, path, "the file holds a zero byte at offset " + std::to_string(nul), "text");
  }
  return std::shared_ptr<const SourceFile>(std::make_shared<const SourceFile>(path, std::move(text)));
}

}  // namespace racer
