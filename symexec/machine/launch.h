// Starting and ending a launch: checks, memory, CTAs.
#ifndef RACER_SYMEXEC_MACHINE_LAUNCH_H_
#define RACER_SYMEXEC_MACHINE_LAUNCH_H_

#include <algorithm>
#include <utility>

#include "symexec/machine/core.h"
#include "symexec/machine/decode.h"
#include "symexec/machine/launch_limits.h"

namespace racer {

template <class Traits>
RunResult Core<Traits>::Run(const RunConfig& config) {
  config_ = &config;
  module_ = config.module;
  tag_ = uint32_t{config.run_tag} << 24;
  RACER_CHECK(config.module != nullptr && config.entry != nullptr && config.contents.size() == config.buffers.size());
  result_ = {};
  stopped_ = false;
  start_ = std::chrono::steady_clock::now();
  turns_ = 0;
  fences_seen_ = strong_seen_ = rendezvous_ = false;
  causes_.clear();
  race_finding_.reset();
  last_assumed_ = nullptr;
  program_ = {};
  layout_ = {};
  globals_.clear();
  if (Prepare()) {
    const LaunchConfig& launch = config.launch;
    const uint64_t ctas = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    for (uint64_t i = 0; i < ctas && !stopped_; ++i) {
      const uint64_t cta = config.cta_order == RunConfig::CtaOrder::kForward ? i : ctas - 1 - i;
      if (BeginCta(static_cast<uint32_t>(cta))) RunCta();
      AbandonCopies();
      SettleRace();
    }
  }
  if constexpr (kField) {
    if (!stopped_ && store_->has_left()) Unsupported(store_->left(), nullptr);
  }
  if (config.record_signature && signature_.on()) {
    result_.signature = signature_.Hash();
    result_.selections = signature_.Selections();
  }
  if constexpr (kSymbolic) {
    result_.stats.terms = store_->size();
    store_->SetOrigin(0);
  }
  result_.stats.shared_bytes = layout_.shared_bytes;
  result_.stats.peak_bytes = std::max(result_.stats.peak_bytes, MemoryInUse());
  scheduler_.reset();
  config_ = nullptr;
  return std::move(result_);
}

template <class Traits>
uint64_t Core<Traits>::MemoryInUse() const {
  uint64_t bytes = warp_registers_.size() * sizeof(uint64_t) + warp_symbolic_.size() * sizeof(LaneMask);
  bytes += Bytes::kBytesPerByte * (shared_.size() + locals_.size() + call_params_.size() + constants_.size() + params_.size());
  bytes += frame_bytes_;
  // Writers take 4 bytes a byte; the shadow of the race check is counted as 20.
  for (const GlobalObject& object : globals_) {
    bytes +=
        Bytes::kBytesPerByte * object.bytes.size() + 4 * object.writers.size() + (object.race != nullptr ? 20 * object.bytes.size() : 0);
  }
  if constexpr (kSymbolic) bytes += store_->bytes() + open_sums_.size() * (sizeof(OpenSum) + Chain::kLength * sizeof(uint64_t));
  return bytes;
}

template <class Traits>
void Core<Traits>::CollectValues() {
  if constexpr (kField) {
    store_->BeginCollection();
    const auto keep = [this](TermId id) { return store_->Keep(id); };
    for (GlobalObject& object : globals_) {
      if (object.writers.size() != 0) object.bytes.RenameTerms(keep);
    }
    for (Bytes* bytes : {&shared_, &locals_, &call_params_, &params_}) bytes->RenameTerms(keep);
    for (uint32_t row = 0; row < warps_ * program_.row_count; ++row) {
      uint64_t* values = warp_registers_.data() + size_t{row} * kWarpSize;
      ForLanes(warp_symbolic_[row],
               [&](unsigned lane) { values[lane] = static_cast<uint64_t>(keep(TermId{static_cast<uint32_t>(values[lane])})); });
    }
    for (std::vector<Frame>& frames : frames_) {
      for (Frame& frame : frames) {
        frame.params.RenameTerms(keep);
        for (size_t i = 0; i < frame.rows.size(); ++i) {
          if (frame.symbolic[i]) frame.rows[i] = static_cast<uint64_t>(keep(TermId{static_cast<uint32_t>(frame.rows[i])}));
        }
      }
    }
    store_->EndCollection();
  }
}

template <class Traits>
bool Core<Traits>::WithinBudgets() {
  const RunLimits& limits = config_->limits;
  if (race_finding_ && result_.stats.thread_instructions > race_deadline_) {
    OverBudget("the race is reported");
    return false;
  }
  if (result_.stats.thread_instructions > limits.max_thread_instructions) {
    OverBudget("the limit of " + std::to_string(limits.max_thread_instructions) + " thread-instructions");
  }
  if constexpr (kSymbolic && !kField) {
    if (store_->size() > limits.max_terms) OverBudget("the limit of " + std::to_string(limits.max_terms) + " terms");
  }
  const uint64_t bytes = MemoryInUse();
  result_.stats.peak_bytes = std::max(result_.stats.peak_bytes, bytes);
  if (bytes > limits.max_memory_bytes) OverBudget("the limit of " + std::to_string(limits.max_memory_bytes) + " bytes of memory");
  if (limits.deadline_seconds > 0) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (elapsed.count() > limits.deadline_seconds) OverBudget("the deadline of " + DecimalSeconds(limits.deadline_seconds));
  }
  return !stopped_;
}

template <class Traits>
bool Core<Traits>::Prepare() {
  const RunConfig& config = *config_;
  if (LaunchProblem problem = CheckLaunch(config); !problem.message.empty()) {
    if (problem.violation) {
      Violate(Gate::kLaunch, std::move(problem.message), {EntryPlace(config)});
    } else {
      Unsupported(std::move(problem.message), nullptr);
      result_.place = EntryPlace(config);
    }
    return false;
  }
  const std::vector<const ir::Function*> functions = ReachableFunctions(*config.module, *config.entry);
  if (std::optional<LayoutProblem> problem = BuildLayout(config, functions, &layout_)) {
    Unsupported(problem->reason, nullptr);
    result_.place = EntryPlace(config);
    if (problem->variable != nullptr) result_.place->line = problem->variable->location.line;
    return false;
  }
  if (LaunchProblem problem = CheckSharedSize(config, layout_); !problem.message.empty()) {
    Violate(Gate::kLaunch, std::move(problem.message), {EntryPlace(config)});
    return false;
  }
  program_ = Decode(*config.module, functions, layout_);
  if (program_.code.size() >= (size_t{1} << 24)) {
    Unsupported("the kernel has more than 2^24 instructions", nullptr);
    return false;
  }
  values_ = ValueFunctions<Traits>();
  regions_ = std::make_unique<Regions>(&program_);
  conditional_.assign(program_.code.size(), false);
  conditional_tags_.clear();
  explored_visits_.assign(config.record_signature ? program_.code.size() : 0, 0);
  explored_instructions_ = 0;
  path_ = kNoTerm;
  journal_ = nullptr;
  arms_depth_ = explored_depth_ = 0;
  exploring_ = false;
  performers_.clear();
  for (const Decoded& in : program_.code) performers_.push_back(Performer(in));
  constant_rows_.resize(program_.constants.size() * kWarpSize);
  for (size_t i = 0; i < program_.constants.size(); ++i)
    std::fill_n(constant_rows_.data() + i * kWarpSize, kWarpSize, program_.constants[i]);

  threads_ = config.launch.block[0] * config.launch.block[1] * config.launch.block[2];
  warps_ = (threads_ + kWarpSize - 1) / kWarpSize;
  uint64_t need = uint64_t{warps_} * program_.row_count * (kWarpSize * sizeof(uint64_t) + (kSymbolic ? sizeof(LaneMask) : 0));
  need += Bytes::kBytesPerByte * (layout_.shared.dense_size() + uint64_t{threads_} * (layout_.local_bytes + layout_.call_param_bytes));
  for (const Segment& segment : layout_.global.segments()) need += segment.size * (Bytes::kBytesPerByte + (segment.writable ? 4 : 0));
  if constexpr (kSymbolic) need += store_->bytes();
  result_.stats.peak_bytes = need;
  if (need > config.limits.max_memory_bytes) {
    pc_ = 0;
    OverBudget("the limit of " + std::to_string(config.limits.max_memory_bytes) + " bytes of memory (" + std::to_string(need) +
               " are needed)");
    return false;
  }
  warp_registers_.assign(size_t{warps_} * program_.row_count * kWarpSize, 0);
  if constexpr (kSymbolic) warp_symbolic_.assign(size_t{warps_} * program_.row_count, 0);
  return_pcs_.assign(program_.functions.size() * warps_ * kWarpSize, 0);
  const bool uses_paths =
      std::any_of(program_.code.begin(), program_.code.end(), [](const Decoded& in) { return in.action == Action::kActiveMask; });
  paths_.assign(uses_paths ? size_t{warps_} * kWarpSize : 0, 0);
  last_path_ = 0;
  const auto performs = [&](Action action) {
    return std::any_of(program_.code.begin(), program_.code.end(), [&](const Decoded& in) { return in.action == action; });
  };
  const bool copies =
      performs(Action::kCopyAsync) || performs(Action::kWaitCopies) || performs(Action::kCommitCopies) || performs(Action::kWaitAllCopies);
  copies_.assign(copies ? size_t{warps_} * kWarpSize : 0, {});
  const bool recursive = std::any_of(program_.calls.begin(), program_.calls.end(), [](const CallSite& site) { return site.recursive; });
  frames_.clear();
  if (recursive) frames_.resize(size_t{warps_} * kWarpSize);
  stacks_.assign(layout_.stack() != nullptr ? size_t{warps_} * kWarpSize : 0, {});
  stack_tops_.assign(stacks_.empty() ? 0 : return_pcs_.size(), 0);
  inexact_atomic_sum_ = false;
  value_pairs_.clear();
  if (layout_.reserved_shared) AssumeOnce("the 288 bytes from %reserved_smem_offset_1 on are used by nobody but this kernel");
  SetUpBuffers();
  SetUpVariables();
  SetUpArguments();
  shared_.Reset(layout_.shared.dense_size());
  locals_.Reset(uint64_t{threads_} * layout_.local_bytes);
  call_params_.Reset(uint64_t{threads_} * layout_.call_param_bytes);
  shared_race_.reset();
  if (config.check_races && shared_.size() != 0) shared_race_ = MakeRaceDetector(shared_.size());
  signature_.Start(config.record_signature ? &program_ : nullptr, threads_);
  return true;
}

template <class Traits>
std::unique_ptr<RaceDetector> Core<Traits>::MakeRaceDetector(uint64_t bytes) {
  auto detector = std::make_unique<RaceDetector>(bytes);
  if (kSymbolic && config_->equal_values) {
    detector->SetSameValue([this](uint64_t a, uint64_t b, uint32_t pc) { return EqualValues(a, b, pc); });
  }
  return detector;
}

template <class Traits>
void Core<Traits>::SetUpBuffers() {
  const std::vector<Segment>& segments = layout_.global.segments();
  globals_.resize(segments.size());
  for (size_t i = 0; i < segments.size(); ++i) {
    GlobalObject& object = globals_[i];
    object.bytes.Reset(segments[i].size);
    if (segments[i].writable) {
      object.writers.Reset(segments[i].size);
      if (config_->check_races) object.race = MakeRaceDetector(segments[i].size);
    }
    if (segments[i].buffer < 0) continue;
    const BufferSpec& spec = config_->buffers[static_cast<size_t>(segments[i].buffer)];
    const BufferContents& contents = config_->contents[static_cast<size_t>(segments[i].buffer)];
    object.initialised = spec.initialised;
    RACER_CHECK(contents.bytes.empty() || !contents.symbol);
    if (!contents.bytes.empty()) {
      RACER_CHECK(contents.bytes.size() == spec.size);
      object.bytes.SetBytes(0, contents.bytes.data(), spec.size);
      object.initialised = true;
    } else if (contents.symbol) {
      object.initialised = true;
      if constexpr (kSymbolic) {
        const unsigned width = BitWidth(contents.dtype), size = width / 8;
        RACER_CHECK(width % 8 == 0 && size != 0 && size <= 8);
        for (uint64_t element = 0; element < spec.size / size; ++element) {
          uint32_t cell = static_cast<uint32_t>(element);
          if (!contents.cells.empty()) cell = element < contents.cells.size() ? contents.cells[element] : 0xffffffff;
          if (cell == 0xffffffff) continue;
          TermId term;
          if constexpr (kField) {
            term = store_->Input(*contents.symbol, cell);
          } else {
            term = IsFloat(contents.dtype) ? store_->FpToBits(store_->FpInput(*contents.symbol, cell))
                                           : store_->BvInput(*contents.symbol, cell);
          }
          object.bytes.Store(element * size, size, {.term = term});
        }
      }
    } else if (spec.initialised) {
      // Without contents an initialised buffer is all zeros, which only a run that ignores data may ask for.
      RACER_CHECK(!kSymbolic || spec.size == 0);
    }
  }
}

template <class Traits>
void Core<Traits>::InitialiseVariable(const ir::Variable& variable, Bytes* bytes, uint64_t offset) {
  // PTX ISA, "Initializers": what is not initialised explicitly is zero, for .global and .const alike.
  std::vector<uint8_t> data(variable.SizeBytes(), 0);
  if (variable.initializer) {
    std::copy_n(variable.initializer->bytes.begin(), std::min(variable.initializer->bytes.size(), data.size()), data.begin());
    for (const ir::Initializer::Relocation& relocation : variable.initializer->relocations) {
      const ir::Variable* target = nullptr;
      for (const auto& candidate : config_->module->variables) {
        if (candidate->name == relocation.symbol) target = candidate.get();
      }
      auto place = target == nullptr ? layout_.places.end() : layout_.places.find(target);
      const auto function = layout_.function_addresses.find(relocation.symbol);
      if (place == layout_.places.end() && function == layout_.function_addresses.end()) {
        Unsupported("the initialiser of `" + variable.name + "` names `" + relocation.symbol + "`, which has no address", nullptr);
        return;
      }
      const bool is_function = place == layout_.places.end();
      uint64_t address = (is_function ? function->second : place->second.address) + static_cast<uint64_t>(relocation.addend);
      if (relocation.generic && !is_function && place->second.space != Space::kGlobal) address += WindowBase(place->second.space);
      if (relocation.mask != 0) address = (address & relocation.mask) >> std::countr_zero(relocation.mask);
      for (unsigned i = 0; i < relocation.width && relocation.offset + i < data.size(); ++i) {
        data[relocation.offset + i] = static_cast<uint8_t>(address >> 8 * i);
      }
    }
  }
  bytes->SetBytes(offset, data.data(), data.size());
}

template <class Traits>
void Core<Traits>::SetUpVariables() {
  const std::vector<Segment>& segments = layout_.global.segments();
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].variable == nullptr) continue;
    globals_[i].initialised = true;
    InitialiseVariable(*segments[i].variable, &globals_[i].bytes, 0);
  }
  constants_.Reset(layout_.constant.dense_size());
  for (const Segment& segment : layout_.constant.segments()) InitialiseVariable(*segment.variable, &constants_, segment.dense);
}

template <class Traits>
void Core<Traits>::SetUpArguments() {
  params_.Reset(layout_.param.dense_size());
  const std::vector<Segment>& segments = layout_.param.segments();
  for (size_t i = 0; i < segments.size(); ++i) {
    const Argument& argument = config_->arguments[i];
    const uint64_t size = segments[i].size;
    if (argument.kind != Argument::Kind::kFields) {
      SetUpArgument(argument, segments[i].dense, size);
      continue;
    }
    for (const Argument& field : argument.fields) SetUpArgument(field, segments[i].dense + field.field_offset, field.field_bytes);
  }
}

template <class Traits>
void Core<Traits>::SetUpArgument(const Argument& argument, uint64_t at, uint64_t size) {
  switch (argument.kind) {
    case Argument::Kind::kBuffer: {
      const uint64_t address = layout_.buffer_base[static_cast<size_t>(argument.buffer)] + argument.buffer_offset;
      params_.Store(at, 8, {.bits = address});
      return;
    }
    case Argument::Kind::kBits: params_.Store(at, static_cast<unsigned>(size), {.bits = argument.bits}); return;
    case Argument::Kind::kTerm:
      if constexpr (kSymbolic) {
        RACER_CHECK(store_->width(argument.term) == 8 * size);
        params_.Store(at, static_cast<unsigned>(size), FromTerm(argument.term));
        return;
      }
      break;
    case Argument::Kind::kFields: break;
  }
  RACER_UNREACHABLE(static_cast<int>(argument.kind));
}

template <class Traits>
bool Core<Traits>::BeginCta(uint32_t cta) {
  if (!WithinBudgets()) return false;
  cta_ = cta;
  shared_.Undefine(0, shared_.size());
  locals_.Undefine(0, locals_.size());
  call_params_.Undefine(0, call_params_.size());
  if (shared_race_ != nullptr) shared_race_->Reset();
  std::fill(warp_registers_.begin(), warp_registers_.end(), 0);
  open_sums_.clear();
  std::fill(paths_.begin(), paths_.end(), 0);
  stacks_.assign(stacks_.size(), {});
  for (std::vector<Frame>& frames : frames_) frames.clear();
  frame_bytes_ = 0;
  if constexpr (kSymbolic) {
    // A register that holds no term is one that was never written.
    for (uint32_t warp = 0; warp < warps_; ++warp) {
      LaneMask* masks = warp_symbolic_.data() + size_t{warp} * program_.row_count;
      std::fill_n(masks, program_.register_rows, kAllLanes);
      std::fill(masks + program_.register_rows, masks + program_.row_count, 0);
    }
  }
  const Dim3& grid = config_->launch.grid;
  const Dim3& block = config_->launch.block;
  const Dim3 ctaid{cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]};
  for (uint32_t warp = 0; warp < warps_; ++warp) {
    for (const SpecialUse& use : program_.specials) {
      uint64_t* row = warp_registers_.data() + (size_t{warp} * program_.row_count + use.row) * kWarpSize;
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const uint32_t thread = warp * kWarpSize + lane;
        row[lane] = use.kind == Special::kReservedSmem
                        ? *layout_.reserved_shared
                        : SpecialValue(use, lane, thread, ctaid, grid, block, config_->launch.dynamic_shared);
      }
    }
  }
  return true;
}

template <class Traits>
void Core<Traits>::RunCta() {
  scheduler_ = std::make_unique<CtaScheduler>(threads_, program_.rank_of_pc, program_.functions[0].entry_pc,
                                              CtaScheduler::Options{.partings = &program_.partings});
  if (signature_.on()) signature_.StartCta();
  LaneGroup group;
  while (!stopped_) {
    const CtaScheduler::Step step = scheduler_->Next(&group);
    if (step == CtaScheduler::Step::kDone) break;
    if (step == CtaScheduler::Step::kFault) return ReportSchedulerFault();
    RunGroup(group);
    if (stopped_) return;
    if (rendezvous_) {
      rendezvous_ = false;
      for (const Completion& completion : scheduler_->TakeCompletions()) {
        if (!stopped_) Complete(completion);
      }
    }
    if ((++turns_ & 0xff) == 0) WithinBudgets();
    if constexpr (kField) {
      if (store_->WantsCollection()) CollectValues();
    }
  }
  if (signature_.on()) signature_.FinishCta();
}

template <class Traits>
CellValue Core<Traits>::ReadCell(int buffer, uint64_t byte_offset, unsigned width) const {
  const GlobalObject& object = globals_[static_cast<size_t>(buffer)];
  const unsigned size = width / 8;
  RACER_CHECK(width % 8 == 0 && size >= 1 && size <= 8 && byte_offset + size <= object.bytes.size());
  CellValue cell;
  bool all_written = true;
  for (unsigned i = 0; i < size; ++i) {
    const uint32_t writer = object.writers.size() == 0 ? 0 : object.writers[byte_offset + i] & ~kNonCoherentRead;
    all_written &= writer != 0;
    if (writer != 0) cell.writer = Tag() | writer;
  }
  if (!all_written && !object.initialised) return cell;
  bool undefined = false;
  const Value value = object.bytes.Peek(store_, byte_offset, size, &undefined);
  if (undefined) return cell;  // padding of an input
  if (value.symbolic()) {
    cell.term = value.term;
    cell.state = store_->ContainsUndef(value.term) ? CellValue::State::kUndefined : CellValue::State::kSymbolic;
  } else {
    cell.bits = value.bits;
    cell.state = CellValue::State::kConcrete;
    if constexpr (kSymbolic) cell.term = store_->BvConst(width, value.bits);
  }
  return cell;
}

template <class Traits>
bool Core<Traits>::WasWritten(int buffer, uint64_t byte_offset, unsigned width) const {
  const GlobalObject& object = globals_[static_cast<size_t>(buffer)];
  for (unsigned i = 0; i < width / 8; ++i) {
    if (object.writers.size() == 0 || (object.writers[byte_offset + i] & ~kNonCoherentRead) == 0) return false;
  }
  return true;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_LAUNCH_H_
