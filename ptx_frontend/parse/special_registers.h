// Names of the special registers (manual: "Special Registers").
#ifndef RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_
#define RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_

#include <optional>
#include <string_view>

#include "ptx_frontend/ir/module.h"

namespace racer {

// `name` with its %, without a component. nullopt: none of this name.
std::optional<ir::SpecialRegister> FindSpecialRegister(std::string_view name);

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_PARSE_SPECIAL_REGISTERS_H_
