#include "ptx_frontend/isa/spec.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "base/check.h"
#include "ptx_frontend/isa/all.h"

namespace racer {
namespace {

struct KnownTarget {
  Target target;
  unsigned version;
};

// Manual, "Target ISA Notes" and the release history; from sm_75 on as ptxas 13.0 has it.
constexpr KnownTarget kTargets[] = {
    {{10}, 10},       {{11}, 10},       {{12}, 12},       {{13}, 12},       {{20}, 20},       {{21}, 20},       {{30}, 31},
    {{32}, 40},       {{35}, 31},       {{37}, 41},       {{50}, 40},       {{52}, 41},       {{53}, 42},       {{60}, 50},
    {{61}, 50},       {{62}, 50},       {{70}, 60},       {{72}, 61},       {{75}, 63},       {{80}, 70},       {{86}, 71},
    {{87}, 74},       {{88}, 74},       {{89}, 78},       {{90}, 78},       {{90, 'a'}, 80},  {{100}, 86},      {{100, 'a'}, 86},
    {{100, 'f'}, 88}, {{101}, 86},      {{101, 'a'}, 86}, {{101, 'f'}, 88}, {{103}, 88},      {{103, 'a'}, 88}, {{103, 'f'}, 88},
    {{110}, 90},      {{110, 'a'}, 90}, {{110, 'f'}, 90}, {{120}, 87},      {{120, 'a'}, 87}, {{120, 'f'}, 88}, {{121}, 88},
    {{121, 'a'}, 88}, {{121, 'f'}, 88},
};

// Manual: "Target Properties": sm_101 became sm_110, which is why they are of one family.
unsigned FamilyOf(unsigned number) { return number == 101 ? 11 : number / 10; }

// Reads digits at the start of `text`.
bool TakeNumber(std::string_view& text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

// Reads "sm_90a" at the start of `text`.
bool TakeTarget(std::string_view& text, Target& target) {
  unsigned number = 0;
  if (!text.starts_with("sm_")) return false;
  text.remove_prefix(3);
  if (!TakeNumber(text, number) || number == 0 || number > 9999) return false;
  target.number = static_cast<uint16_t>(number);
  if (text.starts_with("a") || text.starts_with("f")) {
    target.suffix = text[0];
    text.remove_prefix(1);
  }
  return true;
}

}  // namespace

const Spec& SpecOf(Opcode opcode) {
  static constexpr const Spec* kSpecs[] = {
      nullptr,  // kUnknown
#define RACER_INSTRUCTION(name) &isa::name::kSpec,
#include "ptx_frontend/isa/instructions.def"
  };
  const size_t index = static_cast<size_t>(opcode);
  RACER_CHECK(index > 0 && index < std::size(kSpecs));
  return *kSpecs[index];
}

bool Admits(Target required, Target module) {
  switch (required.suffix) {
    case 0: return module.number >= required.number;
    case 'a': return module == required;
    default: return module.suffix != 0 && module.number >= required.number && FamilyOf(module.number) == FamilyOf(required.number);
  }
}

std::string Spelling(Target target) {
  std::string text = "sm_" + std::to_string(target.number);
  if (target.suffix != 0) text += target.suffix;
  return text;
}

std::optional<Target> TargetFromSpelling(std::string_view text) {
  if (text.starts_with("compute_")) return TargetFromSpelling("sm_" + std::string(text.substr(8)));
  Target target;
  if (!TakeTarget(text, target) || !text.empty()) return std::nullopt;
  return target;
}

std::optional<unsigned> FirstVersionOf(Target target) {
  const auto it = std::find_if(std::begin(kTargets), std::end(kTargets), [&](const KnownTarget& k) { return k.target == target; });
  if (it == std::end(kTargets)) return std::nullopt;
  return it->version;
}

bool Requirement::MeetsTarget(Target module) const {
  return any_target() || std::any_of(targets.begin(), targets.end(), [&](Target t) { return t.number != 0 && Admits(t, module); });
}

bool Applies(const Rule& rule, std::span<const std::string> modifiers) {
  std::string_view groups = rule.when;
  while (!groups.empty()) {
    const size_t end = groups.find(" & ");
    std::string_view group = groups.substr(0, end);
    groups = end == std::string_view::npos ? std::string_view() : groups.substr(end + 3);
    const bool none = group.starts_with("!");
    if (none) group.remove_prefix(1);
    bool written = false;
    while (!group.empty()) {
      const size_t bar = group.find('|');
      std::string_view option = group.substr(1, bar == std::string_view::npos ? bar : bar - 1);  // without its dot
      group = bar == std::string_view::npos ? std::string_view() : group.substr(bar + 1);
      const bool prefix = option.ends_with("*");
      if (prefix) option.remove_suffix(1);
      written |= std::any_of(modifiers.begin(), modifiers.end(),
                             [&](const std::string& m) { return prefix ? m.starts_with(option) : m == option; });
    }
    if (written == none) return false;
  }
  return true;
}

std::optional<Requirement> TakeRequirement(std::string_view& text) {
  Requirement requirement;
  if (!text.starts_with("@")) return std::nullopt;
  text.remove_prefix(1);
  unsigned major = 0, minor = 0;
  if (TakeNumber(text, major)) {
    if (!text.starts_with(".")) return std::nullopt;
    text.remove_prefix(1);
    if (!TakeNumber(text, minor) || minor > 9) return std::nullopt;
    requirement.version = 10 * major + minor;
  }
  if (!text.starts_with("/")) return requirement.any_version() ? std::nullopt : std::optional(requirement);
  for (Target& target : requirement.targets) {
    text.remove_prefix(1);
    if (!TakeTarget(text, target)) return std::nullopt;
    if (!text.starts_with("|")) return requirement;
  }
  return std::nullopt;  // more targets than there is room for
}

std::string Describe(const Requirement& requirement) {
  std::string text;
  if (!requirement.any_version()) {
    text = ".version " + std::to_string(requirement.version / 10) + "." + std::to_string(requirement.version % 10) + " or later";
  }
  if (requirement.any_target()) return text;
  if (!text.empty()) text += " and ";
  text += ".target ";
  for (size_t i = 0; i < requirement.targets.size() && requirement.targets[i].number != 0; ++i) {
    const Target target = requirement.targets[i];
    if (i > 0) text += " or ";
    text += Spelling(target);
    if (target.suffix == 0) text += " or later";
    if (target.suffix == 'f') text += " or later of its family";
  }
  return text;
}

}  // namespace racer
