#include "symexec/vectors/replay.h"

#include <algorithm>
#include <sstream>

#include "ptx_frontend/isa/types.h"
#include "symexec/machine/machine.h"
#include "symexec/vectors/error.h"
#include "symexec/vectors/rerun.h"

namespace racer {
namespace {

class Replayer {
 public:
  Replayer(const VectorRun& run, FormReplay& out) : run_(run), out_(out) {}

  void Run(const RunConfig& config) {
    BitsMachine machine;
    const RunResult result = machine.Run(config);
    const size_t count = run_.golden->results.size();
    if (result.status != RunResult::Status::kCompleted) {
      out_.mismatches += count;
      out_.first_wrong = result.findings.empty() ? result.reason : result.findings[0].message;
      return;
    }
    for (size_t i = 0; i < count; ++i) Compare(machine, i);
  }

 private:
  void Compare(const BitsMachine& machine, size_t i) {
    if (run_.IsLeftOpen(i)) {
      ++out_.undefined;
      return;
    }
    for (size_t k = 0; k < run_.form->shape.out.size(); ++k) {
      const ScalarType type = run_.form->shape.out[k];
      const CellValue cell = machine.ReadCell(1, run_.OffsetOf(i, k), kVectorSlot * 8);
      const uint64_t seen = run_.golden->results[i][k];
      if (cell.state != CellValue::State::kConcrete) {
        Wrong(i, seen, 0);
      } else if (run_.form->written.form.spec->fidelity == Fidelity::kBounded) {
        CompareBounded(i, type, seen, cell.bits);
      } else if (cell.bits != seen) {
        Wrong(i, seen, cell.bits);
      }
    }
  }

  void CompareBounded(size_t i, ScalarType type, uint64_t seen, uint64_t bits) {
    const ScalarType element = PackedElement(type) == ScalarType::kNone ? type : PackedElement(type);
    const unsigned w = BitWidth(element);
    const uint64_t mask = ~uint64_t{0} >> (64 - w);
    const WrittenForm& written = run_.form->written;
    bool wrong = false;
    for (unsigned lo = 0; lo < BitWidth(type); lo += w) {
      std::vector<uint64_t> lanes = run_.Operands(i);
      for (uint64_t& lane : lanes) lane = lane >> lo & mask;
      const ApproximateError error = ErrorOf(*written.form.spec, written.form.mods, element, lanes, seen >> lo & mask, bits >> lo & mask);
      out_.worst_ulp = std::max(out_.worst_ulp, error.ulp);
      out_.worst_share = std::max(out_.worst_share, error.share);
      if (!error.promised) ++out_.unpromised;
      wrong |= error.special_differs || error.share > 1;
    }
    if (wrong) Wrong(i, seen, bits);
  }

  void Wrong(size_t i, uint64_t seen, uint64_t bits) {
    if (out_.mismatches++ > 0) return;
    std::ostringstream text;
    text << std::hex;
    for (const uint64_t operand : run_.Operands(i)) text << operand << ' ';
    text << "= " << seen << " on the GPU, " << bits << " in Bits (vector " << std::dec << i << ")";
    out_.first_wrong = text.str();
  }

  const VectorRun& run_;
  FormReplay& out_;
};

}  // namespace

std::vector<FormReplay> Replay(const VectorFile& file) {
  const VectorRuns recorded(file);
  std::vector<FormReplay> replays;
  for (const VectorRun& run : recorded.runs()) {
    FormReplay& replay = replays.emplace_back();
    replay.name = run.golden->name;
    replay.vectors = run.golden->results.size();
    if (run.form == nullptr) continue;
    replay.opcode = run.form->written.form.opcode;
    if (run.entry == nullptr) {
      replay.mismatches = replay.vectors;
      replay.first_wrong = recorded.problem();
      continue;
    }
    Replayer(run, replay).Run(recorded.Config(run));
  }
  return replays;
}

}  // namespace racer
