#include "symexec/term/sign_operand.h"

#include "base/check.h"

namespace racer {

std::optional<unsigned> SignOperand(const TermStore& store, TermId id) {
  if (store.kind(id) != TermKind::kFpUnary && store.kind(id) != TermKind::kFpBinary) return std::nullopt;
  switch (store.fp_kind(id)) {
    case FpKind::kDiv: return 1;
    case FpKind::kRcp:
    case FpKind::kSqrt:
    case FpKind::kRsqrt:
    case FpKind::kLg2:
    case FpKind::kLog:
    case FpKind::kPow:
    case FpKind::kCopySign: return 0;
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kEx2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kErf:
    case FpKind::kRoundInt: return std::nullopt;
  }
  RACER_UNREACHABLE(static_cast<int>(store.fp_kind(id)));
}

}  // namespace racer
