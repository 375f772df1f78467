#include "symexec/vectors/rerun.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/diagnostic.h"
#include "ptx_frontend/isa/all.h"
#include "ptx_frontend/isa/types.h"
#include "symexec/bits/bits_domain.h"

namespace racer {
namespace {

constexpr size_t kBlock = 32;

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

void AddBuffer(RunConfig& config, const char* name, std::vector<uint8_t> bytes) {
  config.arguments.push_back({.kind = Argument::Kind::kBuffer, .buffer = static_cast<int>(config.buffers.size())});
  config.buffers.push_back({.name = name, .size = bytes.size(), .align = 256});
  config.contents.push_back({.bytes = std::move(bytes), .symbol = {}, .cells = {}});
}

}  // namespace

std::vector<uint64_t> VectorRun::Operands(size_t vector) const {
  std::vector<uint64_t> in;
  in.reserve(operands->size());
  for (const std::vector<uint64_t>& column : *operands) in.push_back(column[vector]);
  return in;
}

bool VectorRun::IsLeftOpen(size_t vector) const {
  const std::vector<uint64_t> in = Operands(vector);
  const LeftOpen left_open = kLeftOpen[static_cast<size_t>(form->written.form.opcode)];
  return (left_open != nullptr && left_open(form->written.form.mods, in)) || IsSignallingSum(form->shape, in);
}

VectorRuns::VectorRuns(const VectorFile& file) {
  const std::map<std::string, VectorForm>& forms = FormsByName();
  std::string text = kVectorModuleHeader;
  for (const FormVectors& golden : file.forms) {
    const auto form = forms.find(golden.name);
    if (form != forms.end()) text += VectorKernel(form->second);
  }
  outcome_ = ParsePtx(std::make_shared<const SourceFile>("vectors.ptx", std::move(text)));
  std::map<std::string_view, const ir::Function*> entries;
  if (outcome_.module != nullptr) {
    for (const ir::Function* entry : outcome_.module->Entries()) entries.emplace(entry->name, entry);
  }
  for (const FormVectors& golden : file.forms) {
    VectorRun& run = runs_.emplace_back();
    run.golden = &golden;
    run.operands = &file.operands[golden.operands];
    const auto form = forms.find(golden.name);
    if (form == forms.end()) continue;
    run.form = &form->second;
    const auto entry = entries.find(KernelName(form->second.written));
    if (entry != entries.end()) run.entry = entry->second;
  }
}

RunConfig VectorRuns::Config(const VectorRun& run) const {
  const size_t count = run.golden->results.size(), width = run.operands->size();
  const size_t padded = (count + kBlock - 1) / kBlock * kBlock;
  std::vector<uint8_t> in(padded * width * kVectorSlot);
  for (size_t i = 0; i < padded; ++i) {
    for (size_t k = 0; k < width; ++k) {
      std::memcpy(in.data() + (i * width + k) * kVectorSlot, &(*run.operands)[k][std::min(i, count - 1)], kVectorSlot);
    }
  }
  RunConfig config;
  config.module = outcome_.module.get();
  config.entry = run.entry;
  config.launch.grid = {static_cast<uint32_t>(padded / kBlock), 1, 1};
  config.launch.block = {kBlock, 1, 1};
  config.check_races = false;  // every thread has its own cells
  AddBuffer(config, "in", std::move(in));
  AddBuffer(config, "out", std::vector<uint8_t>(padded * run.form->shape.out.size() * kVectorSlot));
  return config;
}

}  // namespace racer
