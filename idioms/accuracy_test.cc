// A sample of every template's inputs: the code stays within its bound of the real function, and has no value exactly where that has none.
// idioms:accuracy_main looks at as many as one likes.
#include "idioms/accuracy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "idioms/idiom_template.h"
#include "idioms/templates.h"
#include "ptx_frontend/isa/types.h"

namespace racer {
namespace {

// Every so many patterns, and around every power of two and literal of the code.
std::vector<uint64_t> Sample(const IdiomTemplate& idiom, ScalarType type, uint64_t count) {
  const unsigned width = BitWidth(type);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  std::set<uint64_t> points;
  const auto add_around = [&](uint64_t bits) {
    for (uint64_t step : {uint64_t{0}, uint64_t{1}, uint64_t{2}}) {
      points.insert((bits + step) & mask);
      points.insert((bits - step) & mask);
    }
  };
  const uint64_t stride = mask / count;
  for (uint64_t i = 0; i < count; ++i) points.insert(i * stride + i * 0x9e3779b97f4a7c15 % stride);
  const unsigned fraction = width == 16 ? (type == ScalarType::kF16 ? 10 : 7) : width == 32 ? 23 : 52;
  for (uint64_t exponent = 0; exponent >> (width - fraction) == 0; exponent += width == 64 ? 17 : 1) add_around(exponent << fraction);
  for (const TermId node : idiom.order()) {
    const TermKind kind = idiom.store().kind(node);
    if (kind != TermKind::kFpConst || FormatWidth(idiom.store().format(node)) != width) continue;
    add_around(idiom.store().const_bits(node));
    add_around(idiom.store().const_bits(node) ^ (mask / 2 + 1));
  }
  return {points.begin(), points.end()};
}

// Broken once by exp(-(-x)) in the header of expf_neg, and by a bound of 1 ulp for erfcf.
TEST(AccuracyTest, EveryTemplateKeepsItsBound) {
  for (const IdiomTemplate* idiom : AllTemplates()) {
    IdiomAccuracy accuracy(*idiom);
    const std::vector<ScalarType>& inputs = idiom->header().inputs;
    std::vector<std::vector<uint64_t>> points;
    const std::vector<uint64_t> first = Sample(*idiom, inputs[0], inputs[0] == ScalarType::kF64 ? 256 : 1024);
    for (size_t i = 0; i < first.size(); ++i) {
      std::vector<uint64_t>& point = points.emplace_back(1, first[i]);
      for (size_t k = 1; k < inputs.size(); ++k) point.push_back(first[(i * 7919 + k) % first.size()]);
    }
    double worst = 0;
    unsigned measured = 0;
    for (const std::vector<uint64_t>& point : points) {
      const IdiomAccuracy::Point at = accuracy.At(point);
      ASSERT_NE(at.kind, IdiomAccuracy::Point::Kind::kWrong) << idiom->name() << " at 0x" << std::hex << point[0] << ": 0x" << at.bits;
      if (at.kind != IdiomAccuracy::Point::Kind::kMeasured) continue;
      ++measured;
      worst = std::max(worst, at.ulps);
      ASSERT_LE(at.ulps, idiom->header().ulps) << idiom->name() << " at 0x" << std::hex << point[0] << ": 0x" << at.bits;
    }
    EXPECT_GT(measured, 100U) << idiom->name();
    std::printf("%-28s %-28s worst %.3f ulp of %u\n", idiom->name().c_str(), idiom->header().function.c_str(), worst, measured);
  }
}

}  // namespace
}  // namespace racer
