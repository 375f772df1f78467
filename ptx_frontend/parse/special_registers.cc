#include "ptx_frontend/parse/special_registers.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

namespace racer {
namespace {

constexpr std::string_view kNames[] = {
    "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid", "%gridid", "%is_explicit_cluster",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank", "%lanemask_eq",
    "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo",
    "%globaltimer_hi", "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap", "%reserved_smem_offset_0",
    "%reserved_smem_offset_1", "%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size", "%current_graph_exec",
};

// `stem` N `tail` with N < count.
std::optional<uint8_t> Numbered(std::string_view name, std::string_view stem, std::string_view tail, int count) {
  if (!name.starts_with(stem) || !name.ends_with(tail) || name.size() <= stem.size() + tail.size()) return std::nullopt;
  const std::string_view digits = name.substr(stem.size(), name.size() - stem.size() - tail.size());
  if (digits.size() > 2 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value >= count) return std::nullopt;
  return static_cast<uint8_t>(value);
}

}  // namespace

std::optional<ir::SpecialRegister> FindSpecialRegister(std::string_view name) {
  ir::SpecialRegister special;
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) {
    special.name = name;
    return special;
  }
  struct Family {
    std::string_view stem, tail;
    int count;
  };
  static constexpr Family kFamilies[] = {{"%envreg", "", 32}, {"%pm", "_64", 8}, {"%pm", "", 8}};
  for (const Family& family : kFamilies) {
    const std::optional<uint8_t> number = Numbered(name, family.stem, family.tail, family.count);
    if (!number) continue;
    special.name = std::string(family.stem) + std::string(family.tail);
    special.component = *number;
    return special;
  }
  return std::nullopt;
}

}  // namespace racer
