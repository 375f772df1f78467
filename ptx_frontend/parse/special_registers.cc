#include "ptx_frontend/parse/special_registers.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace racer::parse {
namespace {

constexpr std::string_view kVectors[] = {"%tid",       "%ntid",       "%ctaid",         "%nctaid",
                                         "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

constexpr std::string_view kScalars[] = {
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
};

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
  if (std::find(std::begin(kVectors), std::end(kVectors), name) != std::end(kVectors)) {
    result.is_vector = true;
    return result;
  }
  if (std::find(std::begin(kScalars), std::end(kScalars), name) != std::end(kScalars)) return result;
  if (const auto number = Numbered(name, "%envreg", 32)) {
    result.special.name = "%envreg";
    result.special.component = *number;
    return result;
  }
  std::string_view counter = name;
  const bool wide = counter.size() > 3 && counter.substr(counter.size() - 3) == "_64";
  if (wide) counter.remove_suffix(3);
  if (const auto number = Numbered(counter, "%pm", 8)) {
    if (wide) return result;  // keeps its whole name: component 0 of %pm is another register
    result.special.name = "%pm";
    result.special.component = *number;
    return result;
  }
  if (Numbered(name, "%reserved_smem_offset_", 2)) return result;
  return std::nullopt;
}

}  // namespace racer::parse
