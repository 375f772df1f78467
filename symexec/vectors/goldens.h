// Reading the files of hardware vectors (README.md has the notation).
#ifndef RACER_SYMEXEC_VECTORS_GOLDENS_H_
#define RACER_SYMEXEC_VECTORS_GOLDENS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace racer {

struct FormVectors {
  std::string name;                            // WrittenForm::Name
  size_t operands = 0;                         // index into VectorFile::operands
  std::vector<std::vector<uint64_t>> results;  // of each vector, in the order of the form's destinations
};

struct VectorFile {
  std::vector<std::vector<std::vector<uint64_t>>> operands;  // [set][operand][vector]
  std::vector<FormVectors> forms;
};

// The files are committed beside the code that reads them: one that breaks the notation is a bug and ends the process.
VectorFile ReadVectors(const std::string& path);

}  // namespace racer

#endif  // RACER_SYMEXEC_VECTORS_GOLDENS_H_
