// Reading an input file whole, with the checks that every input gets.
#ifndef RACER_BASE_SOURCE_FILE_H_
#define RACER_BASE_SOURCE_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"

namespace racer {

// The text of `path`. Errors: FileNotFound, FileNotRegular (directories, devices, sockets), FileUnreadable,
// FileTooLarge (more than `max_bytes` bytes), FileEmpty (white space only), FileBinary (holds a zero byte).
// Pipes are read to their end, so that a shell's <(...) works.
Result<std::shared_ptr<const SourceFile>> LoadSourceFile(const std::string& path, size_t max_bytes);

}  // namespace racer

#endif  // RACER_BASE_SOURCE_FILE_H_
