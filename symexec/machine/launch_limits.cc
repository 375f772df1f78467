#include "symexec/machine/launch_limits.h"

#include <cmath>

#include "base/check.h"

namespace racer {
namespace {

constexpr uint64_t kMaxThreads = 1024;
constexpr Dim3 kMaxBlock{1024, 1024, 64};
constexpr Dim3 kMaxGrid{0x7fffffff, 65535, 65535};
constexpr uint64_t kMaxStaticShared = 48 << 10;

std::string Show(const Dim3& d) { return std::to_string(d[0]) + "x" + std::to_string(d[1]) + "x" + std::to_string(d[2]); }

LaunchProblem Violation(std::string message) { return {.message = std::move(message), .violation = true}; }

}  // namespace

LaunchProblem CheckLaunch(const RunConfig& config) {
  const ir::Function& entry = *config.entry;
  const Dim3 &block = config.launch.block, &grid = config.launch.grid;
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (block[i] == 0 || grid[i] == 0) return Violation("grid " + Show(grid) + " with block " + Show(block) + " has an extent of 0");
    if (block[i] > kMaxBlock[i]) return Violation("block " + Show(block) + " exceeds the hardware limit of " + Show(kMaxBlock));
    if (grid[i] > kMaxGrid[i]) return Violation("grid " + Show(grid) + " exceeds the hardware limit of " + Show(kMaxGrid));
    threads *= block[i];
  }
  if (threads > kMaxThreads)
    return Violation("block " + Show(block) + " has " + std::to_string(threads) + " threads, the hardware limit is 1024");
  const uint64_t ctas = uint64_t{grid[0]} * grid[1];  // below 2^47
  if (ctas * grid[2] > 0xffffffff) return {.message = "a grid of " + Show(grid) + " CTAs is too large to run"};
  if (entry.bounds.reqntid) {
    const Dim3& required = *entry.bounds.reqntid;
    for (int i = 0; i < 3; ++i) {
      if (block[i] != (required[i] == 0 ? 1 : required[i]))
        return Violation("block " + Show(block) + " differs from .reqntid of the kernel");
    }
  }
  if (entry.bounds.maxntid) {
    uint64_t most = 1;
    for (uint32_t extent : *entry.bounds.maxntid) most *= extent == 0 ? 1 : extent;
    if (threads > most) {
      return Violation("block " + Show(block) + " has " + std::to_string(threads) + " threads, .maxntid of the kernel allows " +
                       std::to_string(most));
    }
  }
  if (entry.bounds.reqnctapercluster || entry.bounds.explicitcluster) return {.message = "cluster launches are not modelled"};
  if (config.module->address_size != 64) return {.message = "32-bit addresses are not modelled"};
  if (config.arguments.size() != entry.params.size()) {
    return Violation("the launch has " + std::to_string(config.arguments.size()) + " arguments, `" + entry.name + "` takes " +
                     std::to_string(entry.params.size()));
  }
  for (size_t i = 0; i < entry.params.size(); ++i) {
    const uint64_t size = entry.params[i]->SizeBytes();
    const Argument& argument = config.arguments[i];
    if (argument.kind == Argument::Kind::kFields) {
      for (const Argument& field : argument.fields) {
        if (field.kind == Argument::Kind::kFields || field.field_bytes > 8 || field.field_offset + field.field_bytes > size) {
          return {.message = "parameter `" + entry.params[i]->name + "` of " + std::to_string(size) + " bytes does not hold its fields"};
        }
      }
      continue;
    }
    if (size == 0 || size > 8)
      return {.message = "parameter `" + entry.params[i]->name + "` of " + std::to_string(size) + " bytes is not modelled"};
    if (argument.kind == Argument::Kind::kBuffer && size != 8) {
      return Violation("parameter `" + entry.params[i]->name + "` of " + std::to_string(size) + " bytes cannot hold a pointer");
    }
  }
  return {};
}

uint64_t MaxSharedBytes(int sm) {
  switch (sm) {
    case 70:
    case 72: return 96 << 10;
    case 75: return 64 << 10;
    case 80:
    case 87: return 163 << 10;
    case 86:
    case 89:
    case 120:
    case 121: return 99 << 10;
    case 90:
    case 100:
    case 101:
    case 103:
    case 110: return 227 << 10;
    default: break;
  }
  return 48 << 10;  // a target that this table does not know gets what every target has
}

LaunchProblem CheckSharedSize(const RunConfig& config, const Layout& layout) {
  if (layout.static_shared > kMaxStaticShared) {
    return Violation("the kernel declares " + std::to_string(layout.static_shared) + " bytes of static shared memory, the limit is 49152");
  }
  const uint64_t most = MaxSharedBytes(config.module->sm);
  if (layout.shared_bytes > most) {
    return Violation("the launch needs " + std::to_string(layout.shared_bytes) + " bytes of shared memory, the limit of sm_" +
                     std::to_string(config.module->sm) + " is " + std::to_string(most));
  }
  return {};
}

Where EntryPlace(const RunConfig& config) {
  Where where;
  where.line = config.entry->location.line;
  if (config.entry->location.file != nullptr) {
    where.file = config.entry->location.file->name();
    where.text = std::string(config.entry->location.file->Line(where.line));
  }
  return where;
}

uint32_t SpecialValue(const SpecialUse& use, uint32_t lane, uint32_t thread, const Dim3& ctaid, const Dim3& grid, const Dim3& block,
                      uint64_t dynamic_shared) {
  switch (use.kind) {
    case Special::kTid:
      switch (use.component) {
        case 0: return thread % block[0];
        case 1: return thread / block[0] % block[1];
        case 2: return thread / block[0] / block[1];
        default: RACER_UNREACHABLE(use.component);
      }
    case Special::kNtid: return block[use.component];
    case Special::kCtaid:
    case Special::kClusterId: return ctaid[use.component];
    case Special::kNctaid:
    case Special::kNclusterId: return grid[use.component];
    case Special::kLaneId: return lane;
    case Special::kLaneMaskEq: return uint32_t{1} << lane;
    case Special::kLaneMaskLt: return (uint32_t{1} << lane) - 1;
    case Special::kLaneMaskLe: return (uint32_t{2} << lane) - 1;
    case Special::kLaneMaskGe: return ~((uint32_t{1} << lane) - 1);
    case Special::kLaneMaskGt: return ~((uint32_t{2} << lane) - 1);
    case Special::kDynamicSmemSize: return static_cast<uint32_t>(dynamic_shared);
    case Special::kReservedSmem: break;  // an address of the layout
    case Special::kZero: return 0;
    case Special::kOne: return 1;
  }
  RACER_UNREACHABLE(static_cast<int>(use.kind));
}

std::string DecimalSeconds(double seconds) {
  const long long tenths = std::llround(seconds * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

}  // namespace racer
