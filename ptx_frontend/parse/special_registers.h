// Special registers by name (manual: "Special Registers").
#ifndef RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_
#define RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/spec.h"
#include "ptx_frontend/isa/types.h"

namespace racer::parse {

// The register called `name` (with its %, without a `.x`); nullopt if there is none. `is_vector` says whether it has
// components. %envreg3 comes out as %envreg with component 3, %pm2 likewise.
struct SpecialName {
  ir::SpecialRegister special;
  bool is_vector = false;
  uint8_t widths = 0;  // see SpecialFits
  Requirement since;

  unsigned MaxWidth() const;
};
std::optional<SpecialName> FindSpecialRegister(std::string_view name);
// Whether `mov` of this type reads it.
bool SpecialFits(const SpecialName& special, ScalarType type);

}  // namespace racer::parse

#endif  // RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_
