#include "checker/readings.h"

#include <cctype>
#include <optional>
#include <utility>

namespace racer {
namespace {

constexpr int64_t kBlocks[] = {32, 64, 128, 256, 512, 1024};
constexpr int64_t kWarp = 32;

// The expression's text with integer literals equal to `from` replaced.
std::string WithLiteral(const std::string& text, int64_t from, int64_t to) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    bool in_word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (!digit || in_word) {
      result += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    std::string number = text.substr(i, end - i);
    result += number == std::to_string(from) ? std::to_string(to) : number;
    i = end;
  }
  return result;
}

std::optional<CallSpec> WithBlock(const Contract& contract, const CallSpec& call, int64_t from, int64_t to) {
  CallSpec changed = call;
  changed.block[0] = Expression::Integer(to, call.block[0].where());
  for (Expression& extent : changed.grid) {
    std::string text = extent.text();
    std::string other = WithLiteral(text, from, to);
    if (other == text && from > kWarp) other = WithLiteral(text, from / kWarp, to / kWarp);
    if (other == text) continue;
    Result<Expression> parsed = Expression::ParseNumber({other, extent.where(), false}, contract.Names());
    if (!parsed.ok()) return std::nullopt;
    extent = std::move(parsed).value();
  }
  return changed;
}

}  // namespace

std::vector<OtherLaunch> OtherLaunches(const Contract& contract) {
  std::vector<OtherLaunch> launches;
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const std::optional<CallSpec>& call = contract.call(side);
    if (call.has_value() && call->grid.size() == 1 && call->grid[0].text().starts_with("min(")) {
      for (const char* ctas : {"1", "3", "5"}) {
        std::string text = call->grid[0].text();
        const size_t last = text.rfind(", 2)");
        if (last == std::string::npos || last + 4 != text.size()) break;
        text.replace(last + 2, 1, ctas);
        Result<Expression> parsed = Expression::ParseNumber({text, call->grid[0].where(), false}, contract.Names());
        if (!parsed.ok()) break;
        OtherLaunch launch{contract, std::string(SideName(side)) + " with grid = [\"" + text + "\"]", true};
        (side == Side::kCandidate ? launch.contract.candidate : launch.contract.reference)->grid[0] = std::move(parsed).value();
        launches.push_back(std::move(launch));
      }
    }
    if (!call.has_value() || call->block.size() != 1) continue;
    std::optional<int64_t> block = call->block[0].AsLiteral();
    if (!block.has_value()) continue;
    for (int64_t other : kBlocks) {
      if (other == *block) continue;
      std::optional<CallSpec> changed = WithBlock(contract, *call, *block, other);
      if (!changed.has_value()) continue;
      OtherLaunch launch{contract, std::string(SideName(side)) + " with block = [" + std::to_string(other) + "]", false};
      (side == Side::kCandidate ? launch.contract.candidate : launch.contract.reference) = std::move(changed);
      launches.push_back(std::move(launch));
    }
  }
  return launches;
}

}  // namespace racer
