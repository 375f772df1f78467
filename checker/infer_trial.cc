#include "checker/infer_trial.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "symexec/machine/machine.h"
#include "symexec/term/term.h"

namespace racer {
namespace {

constexpr uint64_t kMaxRuns = 20000;
constexpr size_t kStepsPerShape = 4;                         // of Miss::steps
constexpr uint64_t kMaxInstructions = uint64_t{1} << 29;     // of all runs together
constexpr uint64_t kMaxRunInstructions = uint64_t{1} << 26;  // of one run

// Bits of exponent and mantissa of the formats that trials use.
struct Layout {
  int exponent, mantissa;
};
std::optional<Layout> LayoutOf(ScalarType type) {
  if (type == ScalarType::kF16) return Layout{5, 10};
  if (type == ScalarType::kBF16) return Layout{8, 7};
  if (type == ScalarType::kF32) return Layout{8, 23};
  if (type == ScalarType::kF64) return Layout{11, 52};
  return std::nullopt;
}

bool IsIntegerElement(ScalarType type) {
  const TypeClass type_class = ClassOf(type);
  return (type_class == TypeClass::kSigned || type_class == TypeClass::kUnsigned || type_class == TypeClass::kBits) &&
         BitWidth(type) >= 8 && BitWidth(type) <= 64 && PackedElement(type) == ScalarType::kNone;
}

// Nonzero multiples of 1/4 from -2 to 2, or integers from 1 to 16, the same ones every time.
std::vector<uint8_t> Contents(ScalarType type, int64_t elements, uint64_t seed) {
  size_t bytes = BitWidth(type) / 8;
  std::vector<uint8_t> contents(static_cast<size_t>(elements) * bytes);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int64_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto quarter = static_cast<int>(state >> 60);  // 0 to 15
    const uint64_t bits =
        IsIntegerElement(type) ? static_cast<uint64_t>(quarter) + 1 : EncodeFloat(type, (quarter < 8 ? quarter - 8 : quarter - 7) * 0.25);
    std::memcpy(&contents[static_cast<size_t>(i) * bytes], &bits, bytes);
  }
  return contents;
}

}  // namespace

bool CanTry(ScalarType type) { return LayoutOf(type).has_value() || IsIntegerElement(type); }

double DecodeFloat(ScalarType type, uint64_t bits) {
  std::optional<Layout> layout = LayoutOf(type);
  RACER_CHECK(layout.has_value());
  if (type == ScalarType::kF64) return std::bit_cast<double>(bits);
  int bias = (1 << (layout->exponent - 1)) - 1;
  auto exponent = static_cast<int>(bits >> layout->mantissa & ((uint64_t{1} << layout->exponent) - 1));
  auto mantissa = static_cast<double>(bits & ((uint64_t{1} << layout->mantissa) - 1));
  double sign = (bits >> (layout->exponent + layout->mantissa) & 1) != 0 ? -1 : 1;
  if (exponent == (1 << layout->exponent) - 1) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - layout->mantissa);
  return sign * std::ldexp(std::ldexp(mantissa, -layout->mantissa) + 1, exponent - bias);
}

uint64_t EncodeFloat(ScalarType type, double value) {
  std::optional<Layout> layout = LayoutOf(type);
  RACER_CHECK(layout.has_value() && value != 0 && std::isfinite(value));
  int exponent = 0;
  double fraction = std::frexp(std::fabs(value), &exponent) * 2 - 1;  // value = (1 + fraction) * 2^(exponent - 1)
  auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, layout->mantissa));
  auto biased = static_cast<uint64_t>(exponent - 1 + (1 << (layout->exponent - 1)) - 1);
  uint64_t sign = value < 0 ? 1 : 0;
  return (sign << layout->exponent | biased) << layout->mantissa | mantissa;
}

int64_t ProductOf(SizeMask mask, const Sizes& sizes) { return ((mask & 1) != 0 ? sizes[0] : 1) * ((mask & 2) != 0 ? sizes[1] : 1); }

int64_t GridForm::Evaluate(const Sizes& sizes) const {
  int64_t value = (ProductOf(over, sizes) + divisor - 1) / divisor;
  return (most != 0 ? std::min(value, most) : value) - drop;
}

std::string GridForm::ToText(const std::array<std::string, 2>& names) const {
  std::string product = over == 0 ? "1" : over == 1 ? names[0] : over == 2 ? names[1] : names[0] + " * " + names[1];
  if (divisor != 1) product = "ceildiv(" + product + ", " + std::to_string(divisor) + ")";
  return most != 0 ? "min(" + product + ", " + std::to_string(most) + ")" : product;
}

std::string SharedForm::ToText(const std::array<std::string, 2>& names) const {
  std::string text = fixed != 0 ? std::to_string(fixed) : "";
  for (size_t i = 0; i < per.size(); ++i) {
    if (per[i] != 0) text += (text.empty() ? "" : " + ") + std::to_string(per[i]) + " * " + names[i];
  }
  return text.empty() ? "0" : text;
}

std::string LaunchForm::GridText(const std::array<std::string, 2>& names) const {
  std::string text = grid.ToText(names);
  return grid_y.over == 0 ? text : text + ", " + grid_y.ToText(names);
}

namespace {

template <class Machine>
TrialOutcome RunOn(Machine& machine, const RunConfig& config, const std::vector<unsigned>& element_bits) {
  TrialOutcome outcome;
  outcome.run = machine.Run(config);
  if (!outcome.Clean()) return outcome;
  for (size_t i = 0; i < config.buffers.size(); ++i) {
    std::vector<CellValue> cells;
    uint64_t bytes = element_bits[i] / 8;
    for (uint64_t at = 0; at + bytes <= config.buffers[i].size; at += bytes) {
      CellValue cell = machine.ReadCell(static_cast<int>(i), at, element_bits[i]);
      if (!machine.WasWritten(static_cast<int>(i), at, element_bits[i])) cell.state = CellValue::State::kUnwritten;
      cells.push_back(cell);
    }
    outcome.cells.push_back(std::move(cells));
  }
  return outcome;
}

// With the file that the line is of.
std::string StopText(const RunResult& run) {
  if (!run.place.has_value()) return run.reason;
  const std::string line = " at line " + std::to_string(run.place->line);
  const std::string reason = run.reason.ends_with(line) ? run.reason.substr(0, run.reason.size() - line.size()) : run.reason;
  return reason + " at " + run.place->file + ":" + std::to_string(run.place->line);
}

}  // namespace

TrialRunner MachineTrialRunner() {
  auto bits = std::make_shared<BitsMachine>();
  return [bits](const RunConfig& config, const std::vector<unsigned>& element_bits, bool track_undefined) {
    if (!track_undefined) return RunOn(*bits, config, element_bits);
    TermStore store;
    TermMachine terms(store);
    return RunOn(terms, config, element_bits);
  };
}

size_t LaunchSearch::size_count() const {
  size_t count = 0;
  for (const ParameterFacts& parameter : subject_.facts->parameters) count += parameter.kind == ParameterFacts::Kind::kInteger ? 1 : 0;
  return count;
}

const std::string& LaunchSearch::PointerName(size_t pointer) const {
  for (const ParameterFacts& parameter : subject_.facts->parameters) {
    if (parameter.kind == ParameterFacts::Kind::kPointer && pointer-- == 0) return parameter.name;
  }
  RACER_UNREACHABLE(pointer);
}

LaunchSearch::RunOptions LaunchSearch::Roomy(const Sizes& sizes) const {
  size_t pointers = subject_.dtypes.size();
  return {std::vector<int64_t>(pointers, 2 * ProductOf(3, sizes) + 64), std::vector<bool>(pointers, true),
          std::vector<bool>(pointers, true), false, true};
}

LaunchSearch::RunOptions LaunchSearch::Exact(const Reading& reading, const Sizes& sizes) const {
  RunOptions options;
  for (size_t i = 0; i < reading.extents.size(); ++i) {
    options.elements.push_back(ProductOf(reading.extents[i], sizes));
    options.writable.push_back(reading.roles[i] != Role::kIn);
    options.initialised.push_back(reading.roles[i] != Role::kOut);
  }
  return options;
}

TrialOutcome LaunchSearch::Run(const LaunchForm& launch, const Sizes& sizes, const RunOptions& options) {
  RunConfig config;
  config.module = subject_.module;
  config.entry = subject_.entry;
  config.launch.grid = {static_cast<uint32_t>(launch.grid.Evaluate(sizes)), static_cast<uint32_t>(launch.grid_y.Evaluate(sizes)), 1};
  config.launch.block = launch.block;
  config.launch.dynamic_shared = options.dynamic_shared ? *options.dynamic_shared : static_cast<uint64_t>(launch.shared.Evaluate(sizes));
  config.limits.max_thread_instructions = kMaxRunInstructions;
  config.check_races = options.check_races;
  std::vector<unsigned> element_bits;
  size_t next_size = 0;
  for (const ParameterFacts& parameter : subject_.facts->parameters) {
    Argument argument;
    switch (parameter.kind) {
      case ParameterFacts::Kind::kPointer: {
        size_t i = config.buffers.size();
        ScalarType dtype = subject_.dtypes[i];
        BufferSpec buffer;
        buffer.name = std::string(kBufferMark) + parameter.name;
        buffer.size = static_cast<uint64_t>(options.elements[i]) * (BitWidth(dtype) / 8);
        buffer.align = subject_.aligns[i];
        buffer.writable = options.writable[i];
        buffer.initialised = options.initialised[i];
        BufferContents contents;
        contents.dtype = dtype;
        if (options.initialised[i]) contents.bytes = Contents(dtype, options.elements[i], i + 1);
        config.buffers.push_back(std::move(buffer));
        config.contents.push_back(std::move(contents));
        element_bits.push_back(BitWidth(dtype));
        argument.kind = Argument::Kind::kBuffer;
        argument.buffer = static_cast<int>(i);
        break;
      }
      case ParameterFacts::Kind::kInteger: argument.bits = static_cast<uint64_t>(sizes[next_size++]); break;
      case ParameterFacts::Kind::kFloat: argument.bits = EncodeFloat(parameter.type, 0.5); break;
      case ParameterFacts::Kind::kUnused: break;
    }
    config.arguments.push_back(argument);
  }
  TrialOutcome outcome = runner_(config, element_bits, options.track_undefined);
  ++runs_;
  thread_instructions_ += outcome.run.stats.thread_instructions;
  // Races on tensors are work done twice: such a launch is not meant.
  for (const Finding& finding : outcome.run.findings) {
    if (finding.gate == Gate::kRace && finding.message.find(" " + std::string(kBufferMark)) == std::string::npos) race_ = finding;
  }
  if (outcome.run.status == RunResult::Status::kUnsupported) {
    stopped_ = StopText(outcome.run);
    // What a trial puts into its tensors are constants to it; under a contract they are any values.
    unmodelled_ = !outcome.run.reason.starts_with(kSumOfConstants);
    if (!unmodelled_) stopped_ += ": no trial with numbers can tell; under a contract the inputs are any numbers";
  }
  if (runs_ >= kMaxRuns || thread_instructions_ >= kMaxInstructions) stopped_ = "too many launches to try";
  return outcome;
}

// What a run with roomy buffers writes must be prefixes whose lengths are products of sizes.
bool LaunchSearch::WriteOutputs(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading) {
  RunOptions options = Roomy(sizes);
  options.check_races = check_races;
  TrialOutcome outcome = Run(launch, sizes, options);
  NoteFault(outcome);
  miss_ = {};
  if (!outcome.Clean()) {
    miss_.what = FaultText(outcome, sizes);
    return false;
  }
  size_t pointers = subject_.dtypes.size();
  reading->extents.assign(pointers, 0);
  reading->roles.assign(pointers, Role::kIn);
  bool any_output = false;
  for (size_t i = 0; i < pointers; ++i) {
    const std::vector<CellValue>& cells = outcome.cells[i];
    auto written = [](const CellValue& cell) { return cell.state != CellValue::State::kUnwritten; };
    int64_t count = std::count_if(cells.begin(), cells.end(), written);
    if (count == 0) continue;
    const bool whole = std::all_of(cells.begin(), cells.begin() + count, written);
    miss_ = {1, std::abs(count - ProductOf(3, sizes)),
             "writes " + std::to_string(count) + (count == 1 ? " element of " : " elements of ") + PointerName(i) +
                 (whole ? "" : ", with gaps,") + " at " + SizesText(sizes) + (whole ? ", which is no product of the sizes" : "")};
    if (!whole) return false;
    bool known = false;
    for (unsigned bits = 0; bits < (1u << size_count()); ++bits) {
      const auto mask = static_cast<SizeMask>(bits);
      if (ProductOf(mask, sizes) != count) continue;
      reading->extents[i] = mask;
      known = true;
    }
    if (!known) return false;
    reading->roles[i] = Role::kOut;
    any_output = true;
  }
  return any_output;
}

// CTAs that repeat what others have written break no rule if they write the same values, but nobody launches them.
LaunchSearch::Coverage LaunchSearch::Cover(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading) {
  if (!WriteOutputs(launch, sizes, check_races, reading)) return Coverage::kNo;
  if (launch.grid.most != 0) return Coverage::kYes;
  for (GridForm LaunchForm::* axis : {&LaunchForm::grid, &LaunchForm::grid_y}) {
    if ((launch.*axis).Evaluate(sizes) < 2) continue;
    LaunchForm fewer = launch;
    (fewer.*axis).drop = 1;
    Reading same;
    if (WriteOutputs(fewer, sizes, check_races, &same) && same == *reading) return Coverage::kRedundant;
  }
  return Coverage::kYes;
}

std::string LaunchSearch::SizesText(const Sizes& sizes) const {
  return "N=" + std::to_string(sizes[0]) + (size_count() == 2 ? ",H=" + std::to_string(sizes[1]) : "");
}

// Each input alone shrinks until something is missed.
bool LaunchSearch::ShrinkInputs(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading) {
  std::vector<SizeMask> order(size_t{1} << size_count());
  std::iota(order.begin(), order.end(), SizeMask{0});
  std::sort(order.begin(), order.end(), [&](SizeMask a, SizeMask b) { return ProductOf(a, sizes) < ProductOf(b, sizes); });
  for (size_t i = 0; i < reading->extents.size(); ++i) {
    if (reading->roles[i] != Role::kIn) continue;
    miss_ = {0, 0, "reads a part of " + PointerName(i) + " at " + SizesText(sizes) + " that is no product of the sizes"};
    RunOptions options = Roomy(sizes);
    options.check_races = check_races;
    bool found = false;
    for (SizeMask mask : order) {
      options.elements[i] = ProductOf(mask, sizes);
      if (!Run(launch, sizes, options).Clean()) continue;
      reading->extents[i] = mask;
      found = true;
      break;
    }
    if (!found) return false;
    if (options.elements[i] == 1) continue;
    // One element fewer must be missed: else the extent is some other number.
    options.elements[i] -= 1;
    if (Run(launch, sizes, options).Clean()) return false;
  }
  return true;
}

// Outputs start undefined; where that shows, the kernel reads them: one alone if that explains it, else all.
bool LaunchSearch::FindRoles(const LaunchForm& launch, const Sizes& sizes, Reading* reading) {
  std::vector<std::vector<size_t>> attempts{{}};
  std::vector<size_t> outputs;
  for (size_t i = 0; i < reading->roles.size(); ++i) {
    if (reading->roles[i] == Role::kIn) continue;
    outputs.push_back(i);
    attempts.push_back({i});
  }
  attempts.push_back(outputs);
  for (const std::vector<size_t>& attempt : attempts) {
    Reading with = *reading;
    for (size_t i : attempt) with.roles[i] = Role::kInout;
    RunOptions options = Exact(with, sizes);
    options.track_undefined = true;
    TrialOutcome outcome = Run(launch, sizes, options);
    if (!outcome.Clean()) continue;
    bool defined = true;
    for (size_t i : outputs) {
      for (const CellValue& cell : outcome.cells[i]) {
        defined = defined && (cell.state == CellValue::State::kConcrete || cell.state == CellValue::State::kSymbolic);
      }
    }
    if (!defined) continue;
    *reading = std::move(with);
    return true;
  }
  // Not even with all outputs filled beforehand.
  if (!fault_) fault_ = Fault{Gate::kInit, 0, {"init: an undefined value reaches an output", 0}};
  return false;
}

bool LaunchSearch::Confirm(const LaunchForm& launch, const Sizes& sizes, const Reading& reading, std::vector<double>* values) {
  TrialOutcome outcome = Run(launch, sizes, Exact(reading, sizes));
  if (!outcome.Clean()) return false;
  values->clear();
  for (size_t i = 0; i < reading.roles.size(); ++i) {
    if (reading.roles[i] == Role::kIn) continue;
    for (const CellValue& cell : outcome.cells[i]) {
      if (cell.state != CellValue::State::kConcrete) return false;
      const ScalarType dtype = subject_.dtypes[i];
      values->push_back(IsIntegerElement(dtype) ? static_cast<double>(cell.bits) : DecodeFloat(dtype, cell.bits));
    }
  }
  return true;
}

// Cheap questions first: most launches write too little or too much.
std::optional<Survivor> LaunchSearch::Try(const LaunchForm& launch, bool* redundant) {
  std::vector<Sizes> shapes = ShapesFor(launch);
  Survivor survivor;
  survivor.launch = launch;
  survivor.ctas = launch.Ctas(shapes[1]);
  Reading& reading = survivor.reading;
  // CTAs that one shape has no use for may be what another needs: a launch is redundant only if it covers all shapes.
  bool idle = false;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Reading here;
    Coverage coverage = Cover(launch, shapes[i], /*check_races=*/true, &here);
    idle = idle || coverage == Coverage::kRedundant;
    if (coverage == Coverage::kNo) {
      NoteMiss(launch, i * kStepsPerShape);
      return std::nullopt;
    }
    if (i > 0 && here != reading) {
      miss_ = {2, 0, "writes other parts of its tensors at " + SizesText(shapes[i]) + " than at " + SizesText(shapes[0])};
      // One cell at every size is what a single CTA of many leaves.
      const bool one_cell = std::all_of(reading.extents.begin(), reading.extents.end(), [](SizeMask extent) { return extent == 0; });
      if (!one_cell) NoteMiss(launch, i * kStepsPerShape);
      return std::nullopt;
    }
    reading = std::move(here);
  }
  if (idle) {
    *redundant = true;
    return std::nullopt;
  }
  Reading outputs = reading;
  for (size_t i = 0; i < shapes.size(); ++i) {
    Reading here = outputs;
    if (!ShrinkInputs(launch, shapes[i], /*check_races=*/true, &here) || (i > 0 && here.extents != reading.extents)) {
      NoteMiss(launch, shapes.size() * kStepsPerShape);
      return std::nullopt;
    }
    if (i == 0) reading = std::move(here);
  }
  // A size that no tensor has is not understood.
  SizeMask used = 0;
  for (SizeMask extent : reading.extents) used |= extent;
  if (used != (1u << size_count()) - 1) return std::nullopt;
  if (!FindRoles(launch, shapes.front(), &reading)) return std::nullopt;
  for (size_t i = shapes.size(); i-- > 0;) {
    std::vector<double> values;
    if (!Confirm(launch, shapes[i], reading, &values)) return std::nullopt;
    if (i == 1) survivor.values = std::move(values);
  }
  if (subject_.facts->dynamic_shared && !FindShared(&survivor)) return std::nullopt;
  survivor.slow = SlowSizes(survivor.launch, reading);
  return survivor;
}

bool LaunchSearch::FindShared(Survivor* survivor) {
  std::vector<Sizes> shapes = ShapesFor(survivor->launch);
  std::vector<int64_t> needs;
  for (const Sizes& sizes : shapes) {
    RunOptions options = Exact(survivor->reading, sizes);
    int64_t low = 0, high = kRoomyShared;  // the least that is enough lies in [low, high]
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      options.dynamic_shared = static_cast<uint64_t>(middle);
      if (Run(survivor->launch, sizes, options).Clean()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    needs.push_back(low);
  }
  std::vector<SharedForm> forms{{needs.front(), {0, 0}}};
  for (size_t k = 0; k < size_count(); ++k) {
    for (size_t j = 1; j < shapes.size(); ++j) {
      int64_t more = shapes[j][k] - shapes[0][k];
      if (more == 0 || (needs[j] - needs[0]) % more != 0) continue;
      SharedForm form;
      form.per[k] = (needs[j] - needs[0]) / more;
      form.fixed = needs[0] - form.per[k] * shapes[0][k];
      if (form.per[k] > 0 && form.fixed >= 0) forms.push_back(form);
    }
  }
  for (const SharedForm& form : forms) {
    bool fits = true;
    for (size_t j = 0; j < shapes.size(); ++j) fits = fits && form.Evaluate(shapes[j]) == needs[j];
    if (!fits) continue;
    survivor->launch.shared = form;
    return true;
  }
  shared_unclear_ = true;
  return false;
}

std::vector<Survivor> LaunchSearch::Survivors() {
  std::vector<Survivor> survivors;
  std::optional<Dim3> done;  // of the grids that work with one block the first will do: more CTAs idle or repeat
  std::vector<DoubtfulLaunch> raced;
  std::vector<LaunchForm> failed_loops;  // loops over few CTAs that did not work with the present block
  for (const LaunchForm& launch : Launches()) {
    if (done == launch.block) continue;
    if (!failed_loops.empty() && failed_loops.front().block != launch.block) failed_loops.clear();
    bool redundant = false;
    race_.reset();
    fault_.reset();
    std::optional<Survivor> survivor = Try(launch, &redundant);
    if (!stopped_.empty()) return survivors;
    ++tried_;
    if (!survivor && !redundant) CountFault();
    if (redundant || survivor) done = launch.block;
    if (!survivor && !redundant) {
      if (race_) raced.push_back({launch, "has a data race" + PlacesOf(*race_), true, race_->where});
      if (launch.grid.most != 0) failed_loops.push_back(launch);
    }
    if (!survivor) continue;
    for (const LaunchForm& failed : failed_loops) {
      if (failed.grid.over == launch.grid.over && launch.grid.most == 0) {
        doubtful_.push_back({failed, "does not work although the kernel reads %nctaid", false, {}});
      }
    }
    survivors.push_back(std::move(*survivor));
  }
  // Blocks below one that loops as it should are too small for this kernel; above it a failure would tell.
  auto threads = [](const LaunchForm& launch) { return uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]; };
  uint64_t loops = 0;
  for (const Survivor& survivor : survivors) {
    if (survivor.launch.grid.most != 0) loops = std::max(loops, threads(survivor.launch));
  }
  std::erase_if(doubtful_, [&](const DoubtfulLaunch& launch) { return !launch.race && threads(launch.launch) < loops; });
  // With several warps a CTA a missing barrier shows, with one it cannot: then a race under larger CTAs counts.
  bool one_warp = std::all_of(survivors.begin(), survivors.end(), [&](const Survivor& survivor) { return threads(survivor.launch) <= 32; });
  for (const DoubtfulLaunch& launch : raced) {
    Reading reading;
    const bool shown = !doubtful_.empty() && doubtful_.back().race && doubtful_.back().launch.block == launch.launch.block;
    if (one_warp && stopped_.empty() && !shown && OnlyRaces(launch.launch, &reading)) doubtful_.push_back(launch);
  }
  return survivors;
}

}  // namespace racer
