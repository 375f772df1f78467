#include "symexec/bits/fp_directed64.h"

#include <mpfr.h>

#include <string>

#include "base/check.h"

namespace racer::bits {
namespace {

mpfr_rnd_t ModeOf(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRn: return MPFR_RNDN;
    case Rounding::kRz: return MPFR_RNDZ;
    case Rounding::kRm: return MPFR_RNDD;
    case Rounding::kRp: return MPFR_RNDU;
    case Rounding::kNone:
    case Rounding::kRna:
    case Rounding::kRs:
    case Rounding::kRni:
    case Rounding::kRzi:
    case Rounding::kRmi:
    case Rounding::kRpi: break;
  }
  RACER_UNREACHABLE(static_cast<int>(rounding));
}

// MPFR's exponent range (of this thread) set to that of binary64, whose significands it takes in [1/2, 1).
class Binary64Range {
 public:
  Binary64Range() : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
  }
  ~Binary64Range() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }
  Binary64Range(const Binary64Range&) = delete;
  Binary64Range& operator=(const Binary64Range&) = delete;

 private:
  mpfr_exp_t emin_, emax_;
};

class Number {
 public:
  explicit Number(double value) {
    mpfr_init2(value_, 53);
    mpfr_set_d(value_, value, MPFR_RNDN);  // exact
  }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_t& get() { return value_; }

 private:
  mpfr_t value_;
};

int Run(FpKind kind, mpfr_rnd_t mode, mpfr_t& result, mpfr_t& a, mpfr_t& b, mpfr_t& c) {
  switch (kind) {
    case FpKind::kAdd: return mpfr_add(result, a, b, mode);
    case FpKind::kSub: return mpfr_sub(result, a, b, mode);
    case FpKind::kMul: return mpfr_mul(result, a, b, mode);
    case FpKind::kFma: return mpfr_fma(result, a, b, c, mode);
    case FpKind::kDiv: return mpfr_div(result, a, b, mode);
    case FpKind::kRcp: return mpfr_ui_div(result, 1, a, mode);
    case FpKind::kSqrt: return mpfr_sqrt(result, a, mode);
    case FpKind::kNeg:
    case FpKind::kAbs:
    case FpKind::kMin:
    case FpKind::kMax:
    case FpKind::kCopySign:
    case FpKind::kRsqrt:
    case FpKind::kEx2:
    case FpKind::kLg2:
    case FpKind::kSin:
    case FpKind::kCos:
    case FpKind::kTanh:
    case FpKind::kExp:
    case FpKind::kLog:
    case FpKind::kErf:
    case FpKind::kPow:
    case FpKind::kRoundInt: break;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

}  // namespace

double Directed64(FpKind kind, Rounding rounding, double a, double b, double c) {
  const mpfr_rnd_t mode = ModeOf(rounding);
  Number x(a), y(b), z(c), result(0);
  const Binary64Range range;
  int ternary = Run(kind, mode, result.get(), x.get(), y.get(), z.get());
  ternary = mpfr_check_range(result.get(), ternary, mode);
  mpfr_subnormalize(result.get(), ternary, mode);
  return mpfr_get_d(result.get(), mode);
}

}  // namespace racer::bits
