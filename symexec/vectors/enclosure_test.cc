// What a real GPU made of every written form, against the Term machine on the same constants: what it folds to bits must be the GPU's
// bits, and what stays a term must enclose them (BallEvaluator::View::kDevice), the rounded ones and the approximate ones alike.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>

#include "ptx_frontend/isa/types.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/decode.h"
#include "symexec/machine/machine.h"
#include "symexec/vectors/goldens.h"
#include "symexec/vectors/rerun.h"

namespace racer {
namespace {

using Kind = BallEvaluator::Value::Kind;

struct Counts {
  uint64_t folded = 0, enclosed = 0, open = 0, wrong = 0;
  std::string first_wrong;
};

class Enclosures {
 public:
  Enclosures(const VectorRun& run, Counts& counts) : run_(run), counts_(counts) {}

  void Run(const RunConfig& config) {
    TermMachine machine(store_);
    // Atomics whose results depend on an order, and what is not modelled for terms, stop a run.
    if (machine.Run(config).status != RunResult::Status::kCompleted) return;
    for (size_t i = 0; i < run_.golden->results.size(); ++i) {
      if (run_.IsLeftOpen(i)) continue;
      for (size_t k = 0; k < run_.form->shape.out.size(); ++k) {
        const CellValue cell = machine.ReadCell(1, run_.OffsetOf(i, k), kVectorSlot * 8);
        Compare(cell, run_.form->shape.out[k], i, run_.golden->results[i][k]);
      }
    }
  }

 private:
  void Compare(const CellValue& cell, ScalarType type, size_t vector, uint64_t seen) {
    if (cell.state == CellValue::State::kConcrete) {
      ++counts_.folded;
      if (cell.bits != seen) Wrong(vector, seen, "folded to other bits");
      return;
    }
    if (cell.state != CellValue::State::kSymbolic) return;
    const BallEvaluator::Value whole = ball_.Evaluate(cell.term, /*with_decimal=*/false);
    if (whole.kind == Kind::kBits) {
      ++counts_.enclosed;
      if (whole.bits != seen) Wrong(vector, seen, "certain of other bits");
      return;
    }
    const ScalarType element = PackedElement(type) == ScalarType::kNone ? type : PackedElement(type);
    if (!IsFloatScalar(element) || BitWidth(element) < 16) return void(++counts_.open);
    for (unsigned lo = 0; lo < BitWidth(type); lo += BitWidth(element)) {
      const uint64_t bits = seen >> lo & ~uint64_t{0} >> (64 - BitWidth(element));
      CompareReal(store_.BitsToFp(FormatOf(element), store_.Extract(BitWidth(element), cell.term, lo)), bits, vector, seen);
    }
  }

  void CompareReal(TermId value, uint64_t bits, size_t vector, uint64_t seen) {
    if (ball_.Evaluate(value, /*with_decimal=*/false).kind != Kind::kReal) return void(++counts_.open);
    ++counts_.enclosed;
    const FpFormat format = store_.format(value);
    if (!FiniteValue(format, bits).has_value()) return Wrong(vector, seen, "certain of a number");
    // Every comparison with the GPU's number that is certain says that it is that number.
    for (const CompareOp op : {CompareOp::kLt, CompareOp::kGt}) {
      const BallEvaluator::Value order = ball_.Evaluate(store_.FpCompare(op, false, value, store_.FpConst(format, bits)), false);
      if (order.kind == Kind::kBits && order.bits != 0) return Wrong(vector, seen, "certain of other numbers");
    }
  }

  void Wrong(size_t vector, uint64_t seen, const char* what) {
    if (counts_.wrong++ > 0) return;
    std::ostringstream text;
    text << run_.golden->name << std::hex;
    for (const uint64_t operand : run_.Operands(vector)) text << ' ' << operand;
    text << " = " << seen << " on the GPU: " << what;
    counts_.first_wrong = text.str();
  }

  const VectorRun& run_;
  Counts& counts_;
  TermStore store_;
  const InputPoint nowhere_;
  BallEvaluator ball_{store_, nowhere_, 96, BallEvaluator::View::kDevice};
};

class EnclosureTest : public ::testing::TestWithParam<const char*> {};

// Seen to fail with an eighth of the errors of approximations, without any of rounding, and with nothing flushed.
TEST_P(EnclosureTest, TermsEncloseWhatTheGpuComputed) {
  const VectorFile file = ReadVectors(std::string("symexec/vectors/testdata/") + GetParam() + ".txt");
  const VectorRuns recorded(file);
  Counts counts;
  for (const VectorRun& run : recorded.runs()) {
    if (run.entry != nullptr) Enclosures(run, counts).Run(recorded.Config(run));
  }
  EXPECT_EQ(counts.wrong, 0u) << counts.first_wrong;
  std::printf("%s: folded to the GPU's bits %llu, enclosing them %llu, open %llu\n", GetParam(),
              static_cast<unsigned long long>(counts.folded), static_cast<unsigned long long>(counts.enclosed),
              static_cast<unsigned long long>(counts.open));
  // No vacuous truth.
  EXPECT_GT(counts.folded + counts.enclosed, 2 * counts.open);
}

INSTANTIATE_TEST_SUITE_P(Files, EnclosureTest,
                         ::testing::Values("approximate", "comparison", "conversion", "float", "integer", "memory", "warp"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace racer
