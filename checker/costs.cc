#include "checker/costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace racer {
namespace {

constexpr double kFar = 16;  // so many times what was expected
constexpr double kCube = 3;

}  // namespace

void Costs::Ended(DimAssignment dims, uint64_t thread_instructions) {
  seen_.emplace_back(std::move(dims), std::max<uint64_t>(thread_instructions, 1));
}

// From the shape that promises the least.
double Costs::Expected(const DimAssignment& dims, double exponent) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [known, cost] : seen_) {
    double expected = static_cast<double>(cost);
    for (size_t i = 0; i < dims.size(); ++i) {
      const double ratio = static_cast<double>(dims[i]) / static_cast<double>(known[i]);
      expected *= ratio >= 1 ? std::pow(ratio, exponent) : 1 / ratio;
    }
    least = std::min(least, expected);
  }
  return least;
}

// The largest exponent between two shapes of which one is at least twice as large as the other and in no dim smaller; at least linear.
double Costs::Growth() const {
  double exponent = 1;
  for (const auto& [small, less] : seen_) {
    for (const auto& [large, more] : seen_) {
      double product = 1;
      for (size_t i = 0; i < small.size(); ++i) {
        product = large[i] < small[i] ? 0 : product * static_cast<double>(large[i]) / static_cast<double>(small[i]);
      }
      if (product < 2) continue;
      exponent = std::max(exponent, std::log(static_cast<double>(more) / static_cast<double>(less)) / std::log(product));
    }
  }
  return exponent;
}

std::optional<uint64_t> Costs::Unexpected(const DimAssignment& dims, uint64_t limit, std::optional<uint64_t> other) const {
  if (seen_.empty()) return std::nullopt;
  double expected = Expected(dims, kCube);
  const bool other_ended = other.has_value() && static_cast<double>(*other) * kFar <= static_cast<double>(limit);
  if (other_ended) expected = std::min(expected, Expected(dims, Growth()));
  if (expected * kFar > static_cast<double>(limit)) return std::nullopt;
  return static_cast<uint64_t>(expected);
}

}  // namespace racer
