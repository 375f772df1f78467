// Reading input files, with every way in which that goes wrong as a diagnostic.
#ifndef RACER_BASE_SOURCE_FILE_H_
#define RACER_BASE_SOURCE_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"

namespace racer {

// Reads a regular file of at most `max_bytes` bytes of text. Errors: FileNotFound, FileNotRegular (a directory, a pipe),
// FileUnreadable, FileTooLarge, FileEmpty, FileBinary (holds a NUL byte). The whole file is the location.
Result<std::shared_ptr<const SourceFile>> LoadSourceFile(const std::string& path, size_t max_bytes);

}  // namespace racer

#endif  // RACER_BASE_SOURCE_FILE_H_
