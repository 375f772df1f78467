// The one machine, for any Domain. Instantiated for Bits in bits_machine.cc, for Term in term_machine.cc and for Field in
// field_machine.cc.
#ifndef RACER_SYMEXEC_MACHINE_MACHINE_H_
#define RACER_SYMEXEC_MACHINE_MACHINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symexec/machine/run.h"
#include "symexec/term/term.h"

namespace racer {

class FieldStore;

// Runs a launch bit for bit. Buffers keep their final contents until the next Run.
class BitsMachine {
 public:
  BitsMachine();
  ~BitsMachine();
  RunResult Run(const RunConfig& config);
  // Cell of `width` bits at a byte offset of a buffer after Run; a byte never stored to since the start is kUnwritten
  // if the buffer was uninitialised, else its initial value with written = false.
  CellValue ReadCell(int buffer, uint64_t byte_offset, unsigned width) const;
  bool WasWritten(int buffer, uint64_t byte_offset, unsigned width) const;  // by the kernel, every byte
  // PTX place of a CellValue::writer of the last Run; an empty Where for others.
  Where DescribeOrigin(uint32_t origin) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs a launch symbolically over `store`. Integers, addresses and predicates that are concrete stay so.
class TermMachine {
 public:
  explicit TermMachine(TermStore& store);
  ~TermMachine();
  RunResult Run(const RunConfig& config);
  CellValue ReadCell(int buffer, uint64_t byte_offset, unsigned width) const;
  bool WasWritten(int buffer, uint64_t byte_offset, unsigned width) const;
  // Where the uninitialised read behind an Undef term happened, and of what.
  Finding DescribeUndef(uint32_t cause) const;
  // PTX place of a TermStore origin or CellValue::writer of the last Run; an empty Where for those of others.
  Where DescribeOrigin(uint32_t origin) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs a launch over the values of `store`, all symbols of which have been added. What leaves the domain is kUnsupported, by name;
// BufferContents::symbol and Argument::term are of the store.
class FieldMachine {
 public:
  explicit FieldMachine(FieldStore& store);
  ~FieldMachine();
  RunResult Run(const RunConfig& config);
  CellValue ReadCell(int buffer, uint64_t byte_offset, unsigned width) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The place of an instruction of the module.
Where PlaceOf(const ir::Module& module, const ir::Instruction& instruction);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_MACHINE_H_
