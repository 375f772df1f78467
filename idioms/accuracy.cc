#include "idioms/accuracy.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "symexec/ball/decode.h"
#include "symexec/machine/bits_of_operation.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

// Enough for 1 - erf(x) far out and exp(x) - 1 near zero, where that leaves nothing of the bits of 1.
slong PrecisionFor(FpFormat format) { return format == FpFormat::kF64 ? 1200 : 320; }

size_t Index(TermId id) { return static_cast<size_t>(id); }

bool IsSubnormal(FpFormat format, uint64_t bits) {
  const FormatLayout layout = LayoutOf(format);
  const uint64_t magnitude = bits & ((uint64_t{1} << layout.sign_bit()) - 1);
  return magnitude != 0 && magnitude >> layout.fraction_bits == 0;
}

}  // namespace

IdiomAccuracy::IdiomAccuracy(const IdiomTemplate& idiom) : idiom_(idiom), bits_(idiom.store().size()), result_(kNoTerm) {
  for (const ScalarType type : idiom.header().inputs) {
    const SymbolId symbol = formula_.AddSymbol({"x", type, {}});
    arguments_.push_back(formula_.FpInput(symbol, 0));
  }
  result_ = idiom.function().Build(formula_, FormatOf(idiom.header().output), idiom.header().ftz, arguments_);
  values_.resize(formula_.size());
}

uint64_t IdiomAccuracy::Run(const std::vector<uint64_t>& inputs) {
  const TermStore& graph = idiom_.store();
  for (const TermId node : idiom_.order()) {
    const auto input = std::find(idiom_.inputs().begin(), idiom_.inputs().end(), node);
    if (input != idiom_.inputs().end()) {
      bits_[Index(node)] = inputs[static_cast<size_t>(input - idiom_.inputs().begin())];
      continue;
    }
    uint64_t operands[3] = {};
    for (unsigned i = 0; i < graph.arity(node); ++i) operands[i] = bits_[Index(graph.operand(node, i))];
    bits_[Index(node)] = BitsOfOperation(graph, node, operands);
  }
  return bits_[Index(idiom_.root())];
}

const RealValue& IdiomAccuracy::True(const std::vector<uint64_t>& inputs) {
  const RealValue none;
  for (size_t i = 1; i < formula_.size(); ++i) {
    const TermId id{static_cast<uint32_t>(i)};
    RealValue& value = values_[i];
    if (formula_.IsClosed(id) && value.kind != RealValue::Kind::kEmpty) continue;
    const auto operand = [&](unsigned k) -> const RealValue& {
      return k < formula_.arity(id) ? values_[Index(formula_.operand(id, k))] : none;
    };
    switch (formula_.kind(id)) {
      case TermKind::kFpInput: RealFromBits(formula_.format(id), inputs[Index(id) - Index(arguments_[0])], &value); break;
      case TermKind::kFpConst: RealFromBits(formula_.format(id), formula_.const_bits(id), &value); break;
      case TermKind::kFpConvert: value = operand(0); break;
      case TermKind::kFpUnary:
      case TermKind::kFpBinary:
        ApplyFp(formula_.fp_kind(id), formula_.fp_attr(id), operand(0), operand(1), operand(2),
                PrecisionFor(FormatOf(idiom_.header().output)), &value);
        break;
      default: RACER_UNREACHABLE(static_cast<int>(formula_.kind(id)));
    }
  }
  return values_[Index(result_)];
}

IdiomAccuracy::Point IdiomAccuracy::At(const std::vector<uint64_t>& inputs) {
  Point point;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const FpFormat format = FormatOf(idiom_.header().inputs[i]);
    if (DecodeFp(format, inputs[i]).kind != DecodedFp::Kind::kFinite) return point;
    if (idiom_.header().ftz && IsSubnormal(format, inputs[i])) return point;
  }
  const RealValue& exact = True(inputs);
  if (exact.kind == RealValue::Kind::kUnknown || exact.kind == RealValue::Kind::kInfinite) return point;
  const FpFormat format = FormatOf(idiom_.header().output);
  point.bits = Run(inputs);
  const bool number = DecodeFp(format, point.bits).kind == DecodedFp::Kind::kFinite;
  if (exact.kind == RealValue::Kind::kUndefined) {
    point.kind = number ? Point::Kind::kWrong : Point::Kind::kUndefined;
    return point;
  }
  const FormatLayout layout = LayoutOf(format);
  mag_t size;
  mag_init(size);
  arb_get_mag_lower(size, exact.ball);
  const bool zero = arb_is_zero(exact.ball) != 0;
  const bool overflows = mag_cmp_2exp_si(size, layout.bias + 1) >= 0, underflows = !zero && mag_cmp_2exp_si(size, 1 - layout.bias) < 0;
  const double magnitude = mag_get_d(size);
  mag_clear(size);
  if (overflows || underflows) return point;
  if (!number) {
    // The last binade may round up to an infinity.
    const bool near = !zero && magnitude >= std::ldexp(2 - std::ldexp(1.0, 2 - static_cast<int>(layout.fraction_bits)), layout.bias);
    if (!near) point.kind = Point::Kind::kWrong;
    return point;
  }
  RealValue computed;
  RealFromBits(format, point.bits, &computed);
  arb_sub(computed.ball, computed.ball, exact.ball, PrecisionFor(format));
  mag_t error;
  mag_init(error);
  arb_get_mag(error, computed.ball);
  const int exponent = zero ? 1 - layout.bias : std::ilogb(magnitude);
  mag_mul_2exp_si(error, error, static_cast<slong>(layout.fraction_bits) - exponent);
  point.ulps = mag_get_d(error);
  mag_clear(error);
  point.kind = Point::Kind::kMeasured;
  return point;
}

}  // namespace racer
