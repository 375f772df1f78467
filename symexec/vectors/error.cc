#include "symexec/vectors/error.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/check.h"
#include "ptx_frontend/isa/fp.h"
#include "symexec/bits/fp_round.h"

namespace racer {
namespace {

// In 64 bits of precision, far finer than what is measured.
long double Exact(std::string_view mnemonic, long double a, long double b) {
  if (mnemonic == "rcp") return 1 / a;
  if (mnemonic == "sqrt") return std::sqrt(a);
  if (mnemonic == "rsqrt") return 1 / std::sqrt(a);
  if (mnemonic == "sin") return std::sin(a);
  if (mnemonic == "cos") return std::cos(a);
  if (mnemonic == "lg2") return std::log2(a);
  if (mnemonic == "ex2") return std::exp2(a);
  if (mnemonic == "tanh") return std::tanh(a);
  if (mnemonic == "div") return a / b;
  InternalError(__FILE__, __LINE__, "no exact function for " + std::string(mnemonic));
}

const Bound* BoundFor(const Spec& spec, ScalarType type, double magnitude) {
  for (const Bound& bound : spec.bounds) {
    if (bound.type != type) continue;
    if ((bound.low == 0 && bound.high == 0) || (magnitude >= bound.low && magnitude <= bound.high)) return &bound;
  }
  return nullptr;
}

}  // namespace

ApproximateError ErrorOf(const Spec& spec, const Mods& mods, ScalarType type, std::span<const uint64_t> in, uint64_t result,
                         uint64_t bits) {
  ApproximateError error;
  const FpFormat format = FormatOf(type);
  bits::Layout layout = bits::LayoutOf(format);
  // rcp and rsqrt.approx.ftz.f64 work on the upper halves of doubles.
  const bool gross = type == ScalarType::kF64 && mods.ftz;
  const auto operand = [&](size_t i) {
    uint64_t pattern = mods.ftz && (type == ScalarType::kF32 || gross || type == ScalarType::kBF16) ? layout.Flush(in[i]) : in[i];
    if (gross) pattern &= ~uint64_t{0xffffffff};
    return bits::Decode(format, pattern);
  };
  const double a = operand(0);
  const double b = in.size() > 1 ? operand(1) : 0;
  const Bound* bound = BoundFor(spec, type, std::fabs(in.size() > 1 ? b : a));
  error.promised = bound != nullptr;
  if (result == bits && (layout.IsNan(bits) || std::isinf(bits::Decode(format, bits)) || bits::Decode(format, bits) == 0)) return error;
  const double seen = bits::Decode(format, result);
  const long double exact = Exact(spec.mnemonic, a, b);
  if (std::isnan(seen) || std::isnan(static_cast<double>(exact)) || std::isinf(exact)) {
    error.special_differs = true;
    return error;
  }
  const unsigned precision = gross ? 21 : layout.precision;
  const int exponent = exact == 0 ? layout.emin : std::max(std::ilogb(exact), layout.emin);
  const double ulp = std::ldexp(1.0, exponent - static_cast<int>(precision) + 1);
  // Beyond the largest number an infinity is as far away as the next number would be.
  const long double value = std::isinf(seen) ? std::copysign(std::ldexp(1.0L, -layout.emin + 2), seen) : seen;
  const long double difference = std::fabs(value - exact);
  // A subnormal result is flushed to zero.
  const long double least = std::ldexp(1.0L, layout.emin);
  if (mods.ftz && seen == 0 && std::fabs(exact) < least) return error;
  const double in_ulp = static_cast<double>(difference / ulp);
  const bool any_promise = std::any_of(spec.bounds.begin(), spec.bounds.end(), [&](const Bound& other) { return other.type == type; });
  if (bound == nullptr ? !any_promise : bound->measure != Bound::Measure::kAbsolute) error.ulp = in_ulp;
  if (bound == nullptr) return error;
  switch (bound->measure) {
    case Bound::Measure::kUlp: error.share = in_ulp / bound->error; break;
    case Bound::Measure::kAbsolute: error.share = static_cast<double>(difference) / bound->error; break;
    case Bound::Measure::kRelative:
      // No subnormal number is that precise: there the bound is that of the least normal number.
      error.share = static_cast<double>(difference / std::max(std::fabs(exact), least)) / bound->error;
      break;
  }
  return error;
}

}  // namespace racer
