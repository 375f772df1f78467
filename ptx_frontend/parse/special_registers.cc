#include "ptx_frontend/parse/special_registers.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

namespace racer::parse {
namespace {

// Manual: "Special Registers"; widths, versions and targets as ptxas 13.0 has them.
struct Row {
  std::string_view name;
  uint8_t widths;  // of the types that mov takes it with: 1, 16, 32, 64 as bits 0, 1, 2, 3
  Requirement since;
};
constexpr uint8_t kPredicate = 1, k16 = 2, k32 = 4, k64 = 8;
constexpr Requirement kAlways, kFermi{20, {{{20}}}}, kCluster{78, {{{90}}}}, kReserved{76, {{{80}}}};

constexpr Row kVectors[] = {
    {"%tid", k16 | k32, kAlways},  {"%ntid", k16 | k32, kAlways},  {"%ctaid", k16 | k32, kAlways},    {"%nctaid", k16 | k32, kAlways},
    {"%clusterid", k32, kCluster}, {"%nclusterid", k32, kCluster}, {"%cluster_ctaid", k32, kCluster}, {"%cluster_nctaid", k32, kCluster},
};
constexpr Row kScalars[] = {
    {"%laneid", k32, kAlways},
    {"%warpid", k32, kAlways},
    {"%nwarpid", k32, kFermi},
    {"%smid", k32, kAlways},
    {"%nsmid", k32, kFermi},
    {"%gridid", k16 | k32 | k64, kAlways},
    {"%is_explicit_cluster", kPredicate, kCluster},
    {"%cluster_ctarank", k32, kCluster},
    {"%cluster_nctarank", k32, kCluster},
    {"%lanemask_eq", k32, kFermi},
    {"%lanemask_le", k32, kFermi},
    {"%lanemask_lt", k32, kFermi},
    {"%lanemask_ge", k32, kFermi},
    {"%lanemask_gt", k32, kFermi},
    {"%clock", k32, kAlways},
    {"%clock_hi", k32, {50, {{{20}}}}},
    {"%clock64", k64, kFermi},
    {"%globaltimer", k64, {31, {{{30}}}}},
    {"%globaltimer_lo", k32, {31, {{{30}}}}},
    {"%globaltimer_hi", k32, {31, {{{30}}}}},
    {"%reserved_smem_offset_begin", k32, kReserved},
    {"%reserved_smem_offset_end", k32, kReserved},
    {"%reserved_smem_offset_cap", k32, kReserved},
    {"%total_smem_size", k32, {41, {{{20}}}}},
    {"%aggr_smem_size", k32, {81, {{{90}}}}},
    {"%dynamic_smem_size", k32, {41, {{{20}}}}},
    {"%current_graph_exec", k64, {80, {{{50}}}}},
};

const Row* FindRow(std::span<const Row> rows, std::string_view name) {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return it == rows.end() ? nullptr : &*it;
}

// `name` is `prefix` and a number below `limit`, without leading zeros.
std::optional<uint8_t> Numbered(std::string_view name, std::string_view prefix, unsigned limit) {
  if (name.size() <= prefix.size() || name.size() > prefix.size() + 2 || name.substr(0, prefix.size()) != prefix) return std::nullopt;
  unsigned number = 0;
  const std::string_view digits = name.substr(prefix.size());
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  if (number >= limit) return std::nullopt;
  return static_cast<uint8_t>(number);
}

}  // namespace

std::optional<SpecialName> FindSpecialRegister(std::string_view name) {
  if (name.size() < 2 || name[0] != '%') return std::nullopt;
  SpecialName result;
  result.special.name = std::string(name);
  const Row* const vector = FindRow(kVectors, name);
  if (const Row* const row = vector != nullptr ? vector : FindRow(kScalars, name)) {
    result.is_vector = vector != nullptr;
    result.widths = row->widths;
    result.since = row->since;
    return result;
  }
  result.widths = k32;
  if (const auto number = Numbered(name, "%envreg", 32)) {
    result.special.name = "%envreg";
    result.special.component = *number;
    return result;
  }
  std::string_view counter = name;
  const bool wide = counter.size() > 3 && counter.substr(counter.size() - 3) == "_64";
  if (wide) counter.remove_suffix(3);
  if (const auto number = Numbered(counter, "%pm", 8)) {
    if (*number >= 4) result.since = {30, {{{20}}}};
    if (wide) {
      result.widths = k64;  // keeps its whole name: component 0 of %pm is another register
      result.since = {40, {{{50}}}};
      return result;
    }
    result.special.name = "%pm";
    result.special.component = *number;
    return result;
  }
  if (Numbered(name, "%reserved_smem_offset_", 2)) {
    result.since = kReserved;
    return result;
  }
  return std::nullopt;
}

unsigned SpecialName::MaxWidth() const { return (widths & k64) != 0 ? 64 : (widths & k32) != 0 ? 32 : (widths & k16) != 0 ? 16 : 1; }

bool SpecialFits(const SpecialName& special, ScalarType type) {
  switch (BitWidth(type)) {
    case 1: return (special.widths & kPredicate) != 0;
    case 16: return (special.widths & k16) != 0;
    case 32: return (special.widths & k32) != 0;
    case 64: return (special.widths & k64) != 0;
    default: return false;
  }
}

}  // namespace racer::parse
