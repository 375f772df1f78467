#include "checker/infer_trial.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "base/check.h"
#include "symexec/machine/machine.h"

namespace racer {
namespace {

constexpr uint64_t kMaxRuns = 20000;
constexpr uint64_t kMaxInstructions = uint64_t{1} << 30;     // of all runs together
constexpr uint64_t kMaxRunInstructions = uint64_t{1} << 26;  // of one run
constexpr std::array<uint32_t, 6> kBlocks = {256, 128, 512, 64, 1024, 32};  // in order of preference
constexpr std::array<uint32_t, 3> kBlockWidths = {32, 64, 128};
constexpr std::array<uint32_t, 3> kBlockHeights = {4, 2, 8};

constexpr Sizes kReferenceSizes = {37, 67};

int64_t RoundUp(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

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

// Nonzero multiples of 1/4 from -2 to 2, the same ones every time.
std::vector<uint8_t> Contents(ScalarType type, int64_t elements, uint64_t seed) {
  size_t bytes = BitWidth(type) / 8;
  std::vector<uint8_t> contents(static_cast<size_t>(elements) * bytes);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int64_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto quarter = static_cast<int>(state >> 60);  // 0 to 15
    uint64_t bits = EncodeFloat(type, (quarter < 8 ? quarter - 8 : quarter - 7) * 0.25);
    std::memcpy(&contents[static_cast<size_t>(i) * bytes], &bits, bytes);
  }
  return contents;
}

}  // namespace

bool CanTry(ScalarType type) { return LayoutOf(type).has_value(); }

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
  return most != 0 ? std::min(value, most) : value;
}

std::string GridForm::ToText(const std::array<std::string, 2>& names) const {
  std::string product = over == 0 ? "1" : over == 1 ? names[0] : over == 2 ? names[1] : names[0] + " * " + names[1];
  if (divisor != 1) product = "ceildiv(" + product + ", " + std::to_string(divisor) + ")";
  return most != 0 ? "min(" + product + ", " + std::to_string(most) + ")" : product;
}

TrialRunner BitsTrialRunner() {
  auto machine = std::make_shared<BitsMachine>();
  return [machine](const RunConfig& config, const std::vector<unsigned>& element_bits) {
    TrialOutcome outcome;
    outcome.run = machine->Run(config);
    if (!outcome.Clean()) return outcome;
    for (size_t i = 0; i < config.buffers.size(); ++i) {
      std::vector<CellValue> cells;
      uint64_t bytes = element_bits[i] / 8;
      for (uint64_t at = 0; at + bytes <= config.buffers[i].size; at += bytes) {
        CellValue cell = machine->ReadCell(static_cast<int>(i), at, element_bits[i]);
        if (!machine->WasWritten(static_cast<int>(i), at, element_bits[i])) cell.state = CellValue::State::kUnwritten;
        cells.push_back(cell);
      }
      outcome.cells.push_back(std::move(cells));
    }
    return outcome;
  };
}

size_t LaunchSearch::size_count() const {
  size_t count = 0;
  for (const ParameterFacts& parameter : subject_.facts->parameters) count += parameter.kind == ParameterFacts::Kind::kInteger ? 1 : 0;
  return count;
}

std::vector<LaunchForm> LaunchSearch::Launches() const {
  const KernelFacts& facts = *subject_.facts;
  const ir::LaunchBounds& bounds = subject_.entry->bounds;
  std::vector<Dim3> blocks;
  if (bounds.reqntid) {
    blocks.push_back(*bounds.reqntid);
  } else if (facts.block_y) {
    for (uint32_t height : kBlockHeights) {
      for (uint32_t width : kBlockWidths) blocks.push_back({width, height, 1});
    }
  } else {
    if (bounds.maxntid) blocks.push_back({(*bounds.maxntid)[0] * (*bounds.maxntid)[1] * (*bounds.maxntid)[2], 1, 1});
    for (uint32_t width : kBlocks) blocks.push_back({width, 1, 1});
  }
  std::vector<LaunchForm> launches;
  std::set<std::vector<int64_t>> seen;
  auto add = [&](const GridForm& grid, const Dim3& block) {
    uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
    if (bounds.maxntid && threads > uint64_t{(*bounds.maxntid)[0]} * (*bounds.maxntid)[1] * (*bounds.maxntid)[2]) return;
    if (threads > 1024 || threads == 0 || grid.divisor < 1) return;
    if (seen.insert({grid.over, grid.divisor, grid.most, block[0], block[1], block[2]}).second) launches.push_back({grid, block});
  };
  size_t sizes = size_count();
  for (const Dim3& block : blocks) {
    auto threads = static_cast<int64_t>(uint64_t{block[0]} * block[1] * block[2]);
    for (SizeMask over = 1; over < (1u << sizes); ++over) {
      if (facts.grid_size) add({over, 1, 2}, block);
      // A size or all sizes an element a thread, or a vector of elements a thread.
      for (int64_t per_thread : {1, 2, 4, 8}) add({over, threads * per_thread, 0}, block);
      if (over == 3) continue;
      // A row an item of the CTA: a warp, half a warp, a row of threads, a fixed number.
      for (int64_t rows : {int64_t{1}, threads / 32, threads / 16, static_cast<int64_t>(block[1]), int64_t{2}, int64_t{4}, int64_t{8}}) {
        add({over, rows, 0}, block);
      }
    }
    add({0, 1, 0}, block);
  }
  // Blocks in the order above; for each, a loop over a few CTAs first where the kernel can do that, then few CTAs before many.
  size_t at = 0;
  while (at < launches.size()) {
    size_t end = at;
    while (end < launches.size() && launches[end].block == launches[at].block) ++end;
    std::stable_sort(launches.begin() + static_cast<ptrdiff_t>(at), launches.begin() + static_cast<ptrdiff_t>(end),
                     [](const LaunchForm& a, const LaunchForm& b) {
                       auto rank = [](const LaunchForm& launch) {
                         return std::pair(launch.grid.most == 0 ? 1 : 0, launch.grid.Evaluate(kReferenceSizes));
                       };
                       return rank(a) < rank(b);
                     });
    at = end;
  }
  return launches;
}

TrialOutcome LaunchSearch::Run(const LaunchForm& launch, const Sizes& sizes, const std::vector<int64_t>& elements,
                               const std::vector<bool>& writable, const std::vector<bool>& initialised) {
  RunConfig config;
  config.module = subject_.module;
  config.entry = subject_.entry;
  config.launch.grid = {static_cast<uint32_t>(launch.grid.Evaluate(sizes)), 1, 1};
  config.launch.block = launch.block;
  config.limits.max_thread_instructions = kMaxRunInstructions;
  std::vector<unsigned> element_bits;
  size_t next_size = 0;
  for (const ParameterFacts& parameter : subject_.facts->parameters) {
    Argument argument;
    switch (parameter.kind) {
      case ParameterFacts::Kind::kPointer: {
        size_t i = config.buffers.size();
        ScalarType dtype = subject_.dtypes[i];
        BufferSpec buffer;
        buffer.name = parameter.name;
        buffer.size = static_cast<uint64_t>(elements[i]) * (BitWidth(dtype) / 8);
        buffer.align = subject_.aligns[i];
        buffer.writable = writable[i];
        buffer.initialised = initialised[i];
        BufferContents contents;
        contents.dtype = dtype;
        if (initialised[i]) contents.bytes = Contents(dtype, elements[i], i + 1);
        config.buffers.push_back(std::move(buffer));
        config.contents.push_back(std::move(contents));
        element_bits.push_back(BitWidth(dtype));
        argument.kind = Argument::Kind::kBuffer;
        argument.buffer = static_cast<int>(i);
        break;
      }
      case ParameterFacts::Kind::kInteger: argument.bits = static_cast<uint64_t>(sizes[next_size++]); break;
      case ParameterFacts::Kind::kFloat: argument.bits = EncodeFloat(parameter.type, 0.5); break;
    }
    config.arguments.push_back(argument);
  }
  TrialOutcome outcome = runner_(config, element_bits);
  ++runs_;
  thread_instructions_ += outcome.run.stats.thread_instructions;
  if (outcome.run.status == RunResult::Status::kUnsupported) stopped_ = outcome.run.reason;
  if (runs_ >= kMaxRuns || thread_instructions_ >= kMaxInstructions) stopped_ = "too many launches to try";
  return outcome;
}

// Roomy buffers first: what is written there is the output's extent. Then each input shrinks until something is missing. At
// last everything has its extent and role, and must still work.
std::optional<LaunchSearch::Measured> LaunchSearch::Measure(const LaunchForm& launch, const Sizes& sizes) {
  size_t pointers = subject_.dtypes.size();
  size_t masks = size_t{1} << size_count();
  const int64_t roomy = 2 * ProductOf(3, sizes) + 64;
  std::vector<int64_t> elements(pointers, roomy);
  std::vector<bool> all(pointers, true);
  TrialOutcome first = Run(launch, sizes, elements, all, all);
  if (!first.Clean()) return std::nullopt;
  Measured measured;
  Reading& reading = measured.reading;
  reading.extents.assign(pointers, 0);
  reading.roles.assign(pointers, Role::kIn);
  bool any_output = false;
  for (size_t i = 0; i < pointers; ++i) {
    const std::vector<CellValue>& cells = first.cells[i];
    auto written = [](const CellValue& cell) { return cell.state != CellValue::State::kUnwritten; };
    int64_t count = std::count_if(cells.begin(), cells.end(), written);
    if (count == 0) continue;
    // A prefix whose length is a product of sizes.
    if (!std::all_of(cells.begin(), cells.begin() + count, written)) return std::nullopt;
    bool known = false;
    for (SizeMask mask = 0; mask < masks; ++mask) {
      if (ProductOf(mask, sizes) != count) continue;
      reading.extents[i] = mask;
      known = true;
    }
    if (!known) return std::nullopt;
    reading.roles[i] = Role::kOut;
    any_output = true;
  }
  if (!any_output) return std::nullopt;
  std::vector<SizeMask> order;
  for (SizeMask mask = 0; mask < masks; ++mask) order.push_back(mask);
  std::sort(order.begin(), order.end(), [&](SizeMask a, SizeMask b) { return ProductOf(a, sizes) < ProductOf(b, sizes); });
  for (size_t i = 0; i < pointers; ++i) {
    if (reading.roles[i] != Role::kIn) continue;
    std::vector<int64_t> tight = elements;
    bool found = false;
    for (SizeMask mask : order) {
      tight[i] = ProductOf(mask, sizes);
      if (!Run(launch, sizes, tight, all, all).Clean()) continue;
      reading.extents[i] = mask;
      found = true;
      break;
    }
    if (!found) return std::nullopt;
    if (tight[i] == 1) continue;
    // One element fewer must be missed: else the extent is some other number.
    tight[i] -= 1;
    if (Run(launch, sizes, tight, all, all).Clean()) return std::nullopt;
  }
  std::vector<bool> writable(pointers), initialised(pointers);
  for (size_t i = 0; i < pointers; ++i) {
    elements[i] = ProductOf(reading.extents[i], sizes);
    writable[i] = reading.roles[i] == Role::kOut;
    initialised[i] = reading.roles[i] == Role::kIn;
  }
  auto complete = [&](const TrialOutcome& outcome) {
    if (!outcome.Clean()) return false;
    for (size_t i = 0; i < pointers; ++i) {
      for (const CellValue& cell : outcome.cells[i]) {
        if (writable[i] && cell.state != CellValue::State::kConcrete) return false;
      }
    }
    return true;
  };
  // Outputs start undefined; where that shows, the kernel reads them: alone if one explains it, else all.
  TrialOutcome last = Run(launch, sizes, elements, writable, initialised);
  if (!complete(last)) {
    std::vector<std::vector<size_t>> attempts;
    std::vector<size_t> outputs;
    for (size_t i = 0; i < pointers; ++i) {
      if (!writable[i]) continue;
      outputs.push_back(i);
      attempts.push_back({i});
    }
    attempts.push_back(outputs);
    bool works = false;
    for (const std::vector<size_t>& attempt : attempts) {
      std::vector<bool> with = initialised;
      for (size_t i : attempt) with[i] = true;
      last = Run(launch, sizes, elements, writable, with);
      if (!complete(last)) continue;
      for (size_t i : attempt) reading.roles[i] = Role::kInout;
      works = true;
      break;
    }
    if (!works) return std::nullopt;
  }
  for (size_t i = 0; i < pointers; ++i) {
    if (!writable[i]) continue;
    for (const CellValue& cell : last.cells[i]) measured.values.push_back(DecodeFloat(subject_.dtypes[i], cell.bits));
  }
  return measured;
}

std::vector<Survivor> LaunchSearch::Survivors(const Sizes& multiples) {
  std::vector<Survivor> survivors;
  bool two = size_count() == 2;
  auto sized = [&](int64_t a, int64_t b) {
    return Sizes{RoundUp(a, multiples[0]), two ? RoundUp(b, multiples[1]) : 1};
  };
  for (const LaunchForm& launch : Launches()) {
    // Of the grids that work with one block the first will do: more CTAs idle or share the same work.
    if (!survivors.empty() && survivors.back().launch.block == launch.block) continue;
    const GridForm& grid = launch.grid;
    auto threads = static_cast<int64_t>(uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]);
    // Sizes whose products are all different. The first weeds out; then enough rows for three CTAs, and rows for three passes.
    std::vector<Sizes> shapes;
    if (two) {
      shapes.push_back({5 * multiples[0], 7 * multiples[1]});
      shapes.push_back({kReferenceSizes[0] * multiples[0], kReferenceSizes[1] * multiples[1]});
      int64_t many = 2 * grid.divisor + 1;
      if (grid.over == 1) shapes.push_back(sized(many, 3 * multiples[1]));
      if (grid.over == 2) shapes.push_back(sized(3 * multiples[0], many));
      if (grid.over == 3) shapes.push_back(sized(3 * multiples[0], many / 3 + 5));
      shapes.push_back(sized(3 * multiples[0], 2 * threads + 5));
      if (grid.over == 2) shapes.push_back(sized(2 * threads + 5, 3 * multiples[1]));
    } else {
      shapes.push_back(sized(kReferenceSizes[0], 1));
      shapes.push_back(sized(2 * std::max(grid.divisor, threads) + 5, 1));
      shapes.push_back(sized(3, 1));
    }
    std::optional<Measured> kept;
    bool survives = true;
    for (size_t i = 0; i < shapes.size() && survives; ++i) {
      if (shapes[i][0] == shapes[i][1]) shapes[i][0] += multiples[0];
      std::optional<Measured> measured = Measure(launch, shapes[i]);
      if (!stopped_.empty()) return survivors;
      survives = measured.has_value() && (!kept || kept->reading == measured->reading);
      // Values of the second shape (of two sizes) or the first: the same one for every launch.
      if (survives && (i == 0 || (two && i == 1))) kept = std::move(measured);
    }
    if (!survives) continue;
    survivors.push_back({launch, kept->reading, grid.Evaluate(shapes[two ? 1 : 0]), std::move(kept->values)});
  }
  return survivors;
}

}  // namespace racer
