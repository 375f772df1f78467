#include "symexec/vectors/replay.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>

#include "base/diagnostic.h"
#include "ptx_frontend/isa/all.h"
#include "ptx_frontend/isa/types.h"
#include "ptx_frontend/parse/parse.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/machine/machine.h"
#include "symexec/vectors/error.h"
#include "symexec/vectors/kernel.h"

namespace racer {
namespace {

constexpr size_t kBlock = 32;
constexpr size_t kSlot = 8;  // bytes of an operand or a result

const std::map<std::string, VectorForm>& FormsByName() {
  static const auto* const kForms = [] {
    auto* forms = new std::map<std::string, VectorForm>;
    for (VectorForm& form : VectorForms()) forms->emplace(form.written.Name(), std::move(form));
    return forms;
  }();
  return *kForms;
}

using LeftOpen = bool (*)(const Mods&, std::span<const uint64_t>);

template <class R>
constexpr LeftOpen LeftOpenBy() {
  if constexpr (isa::HasUnspecified<R, BitsDomain>) {
    return [](const Mods& mods, std::span<const uint64_t> in) {
      BitsDomain domain;
      return (R::template Unspecified<BitsDomain>(domain, mods, in) & 1) != 0;
    };
  } else {
    return nullptr;
  }
}

// Whether a record's manual leaves the result for these operands open.
constexpr LeftOpen kLeftOpen[] = {
    nullptr,
#define RACER_INSTRUCTION(name) LeftOpenBy<isa::name>(),
#include "ptx_frontend/isa/instructions.def"
};

// The atomics of global memory pass a signalling .f64 NaN on as it is, additions elsewhere make it quiet; the manual leaves payloads open.
bool IsSignallingSum(const VectorShape& shape, std::span<const uint64_t> in) {
  constexpr uint64_t kInfinity = 0x7ff0000000000000, kQuiet = 0x0008000000000000;
  if (!shape.memory || shape.in[0] != ScalarType::kF64) return false;
  return std::any_of(in.begin(), in.end(), [&](uint64_t x) { return (x & ~(uint64_t{1} << 63)) > kInfinity && (x & kQuiet) == 0; });
}

class Replayer {
 public:
  Replayer(const VectorForm& form, const std::vector<std::vector<uint64_t>>& operands, const FormVectors& golden, FormReplay& out)
      : form_(form), operands_(operands), golden_(golden), out_(out) {}

  void Run(const ir::Module& module, const ir::Function& entry) {
    const size_t count = golden_.results.size();
    const size_t padded = (count + kBlock - 1) / kBlock * kBlock;
    std::vector<uint8_t> in(padded * operands_.size() * kSlot);
    for (size_t i = 0; i < padded; ++i) {
      for (size_t k = 0; k < operands_.size(); ++k) {
        std::memcpy(in.data() + (i * operands_.size() + k) * kSlot, &operands_[k][std::min(i, count - 1)], kSlot);
      }
    }
    RunConfig config;
    config.module = &module;
    config.entry = &entry;
    config.launch.grid = {static_cast<uint32_t>(padded / kBlock), 1, 1};
    config.launch.block = {kBlock, 1, 1};
    config.check_races = false;  // every thread has its own cells
    AddBuffer(config, "in", std::move(in));
    AddBuffer(config, "out", std::vector<uint8_t>(padded * form_.shape.out.size() * kSlot));
    BitsMachine machine;
    const RunResult result = machine.Run(config);
    if (result.status != RunResult::Status::kCompleted) {
      out_.mismatches += count;
      out_.first_wrong = result.findings.empty() ? result.reason : result.findings[0].message;
      return;
    }
    for (size_t i = 0; i < count; ++i) Compare(machine, i);
  }

 private:
  static void AddBuffer(RunConfig& config, const char* name, std::vector<uint8_t> bytes) {
    config.arguments.push_back({.kind = Argument::Kind::kBuffer, .buffer = static_cast<int>(config.buffers.size())});
    config.buffers.push_back({.name = name, .size = bytes.size(), .align = 256});
    config.contents.push_back({.bytes = std::move(bytes), .symbol = {}, .cells = {}});
  }

  void Compare(const BitsMachine& machine, size_t i) {
    const Spec& spec = *form_.written.form.spec;
    std::vector<uint64_t> in;
    for (const std::vector<uint64_t>& column : operands_) in.push_back(column[i]);
    const LeftOpen left_open = kLeftOpen[static_cast<size_t>(form_.written.form.opcode)];
    if ((left_open != nullptr && left_open(form_.written.form.mods, in)) || IsSignallingSum(form_.shape, in)) {
      ++out_.undefined;
      return;
    }
    for (size_t k = 0; k < form_.shape.out.size(); ++k) {
      const ScalarType type = form_.shape.out[k];
      const CellValue cell = machine.ReadCell(1, (i * form_.shape.out.size() + k) * kSlot, kSlot * 8);
      const uint64_t seen = golden_.results[i][k];
      if (cell.state != CellValue::State::kConcrete) {
        Wrong(i, seen, 0);
      } else if (spec.fidelity == Fidelity::kBounded) {
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
    bool wrong = false;
    for (unsigned lo = 0; lo < BitWidth(type); lo += w) {
      std::vector<uint64_t> lanes;
      for (const std::vector<uint64_t>& column : operands_) lanes.push_back(column[i] >> lo & mask);
      const ApproximateError error =
          ErrorOf(*form_.written.form.spec, form_.written.form.mods, element, lanes, seen >> lo & mask, bits >> lo & mask);
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
    for (const std::vector<uint64_t>& column : operands_) text << column[i] << ' ';
    text << "= " << seen << " on the GPU, " << bits << " in Bits (vector " << std::dec << i << ")";
    out_.first_wrong = text.str();
  }

  const VectorForm& form_;
  const std::vector<std::vector<uint64_t>>& operands_;
  const FormVectors& golden_;
  FormReplay& out_;
};

}  // namespace

std::vector<FormReplay> Replay(const VectorFile& file) {
  const std::map<std::string, VectorForm>& forms = FormsByName();
  std::string text = kVectorModuleHeader;
  for (const FormVectors& golden : file.forms) {
    const auto form = forms.find(golden.name);
    if (form != forms.end()) text += VectorKernel(form->second);
  }
  ParseOutcome outcome = ParsePtx(std::make_shared<const SourceFile>("vectors.ptx", std::move(text)));
  std::map<std::string_view, const ir::Function*> entries;
  if (outcome.module != nullptr) {
    for (const ir::Function* entry : outcome.module->Entries()) entries.emplace(entry->name, entry);
  }
  std::vector<FormReplay> replays;
  for (const FormVectors& golden : file.forms) {
    FormReplay& replay = replays.emplace_back();
    replay.name = golden.name;
    replay.vectors = golden.results.size();
    const auto form = forms.find(golden.name);
    if (form == forms.end()) continue;
    replay.opcode = form->second.written.form.opcode;
    const auto entry = entries.find(KernelName(form->second.written));
    if (entry == entries.end()) {
      replay.mismatches = replay.vectors;
      replay.first_wrong = outcome.diagnostics.empty() ? "no kernel" : outcome.diagnostics[0].message;
      continue;
    }
    Replayer(form->second, file.operands[golden.operands], golden, replay).Run(*outcome.module, *entry->second);
  }
  return replays;
}

}  // namespace racer
