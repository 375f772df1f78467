// What a kernel's text says about its parameters, before anything runs.
#ifndef RACER_CHECKER_KERNEL_FACTS_H_
#define RACER_CHECKER_KERNEL_FACTS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"

namespace racer {

struct ParameterFacts {
  enum class Kind : uint8_t { kPointer, kInteger, kFloat, kUnused } kind = Kind::kInteger;  // kUnused: a pointer never read
  std::string name;
  ScalarType type = ScalarType::kNone;  // as declared; of a __half or __nv_bfloat16 by value what it is used as
  uint64_t declared_align = 0;          // .ptr .align
  bool uncertain = false;               // a 64-bit integer that addresses depend on beside others, or never read: a pointer or a size
  bool unread = false;                  // uncertain because it is never read
  // Pointers. Accesses whose address depends on this pointer alone.
  bool loaded = false, stored = false;
  bool atomic = false;                            // by atom or red
  unsigned widest_access = 0;                     // bytes, of a whole vector; also of accesses that may go through another pointer
  unsigned narrowest_element = 0;                 // bits
  std::set<ScalarType> element_types;             // floating types that loaded values are used as and stored values are made as
  bool signed_use = false, unsigned_use = false;  // by integer arithmetic, of loaded values or to make stored ones
};

struct KernelFacts {
  std::vector<ParameterFacts> parameters;
  bool block_y = false, block_z = false, grid_y = false, grid_z = false;  // reads %tid.y, .z, %ctaid.y, .z
  bool grid_size = false;                                                 // reads %nctaid.x
  bool grid_index = false;                                                // reads %ctaid or %nctaid
  bool dynamic_shared = false;                                            // uses an unsized .shared variable
  bool floating = false;                                                  // has an instruction on floating-point values
  // Why inference cannot say anything about this kernel; empty if it can try.
  std::string refusal;
};

// Flow-insensitive: follows copies of pointers and of loaded and stored values through registers.
KernelFacts StudyKernel(const ir::Function& function);

// The floating type of the pointer's elements, if what is known leaves exactly one.
std::optional<ScalarType> ElementTypeOf(const ParameterFacts& pointer);

// The integer type of a pointer's elements where no floating type shows: as wide as the narrowest access of either kernel; untyped where
// no arithmetic shows a sign. Only where arithmetic on integers shows, or neither kernel computes with floating-point values at all, which
// might take another way (through shared memory) than what is followed here.
std::optional<ScalarType> IntegerTypeOf(const std::vector<const ParameterFacts*>& pointers, bool floating);

}  // namespace racer

#endif  // RACER_CHECKER_KERNEL_FACTS_H_
