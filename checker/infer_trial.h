// Trying launches and extents on a kernel, bit for bit.
#ifndef RACER_CHECKER_INFER_TRIAL_H_
#define RACER_CHECKER_INFER_TRIAL_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/contract.h"
#include "checker/kernel_facts.h"
#include "ptx_frontend/ir/module.h"
#include "symexec/machine/run.h"

namespace racer {

constexpr std::string_view kBufferMark = "tensor:";  // before the names of tensors in trials; no PTX name has a colon

// What one run left behind.
struct TrialOutcome {
  RunResult run;
  std::vector<std::vector<CellValue>> cells;  // by buffer, by element of `element_bits`
  bool Clean() const { return run.status == RunResult::Status::kCompleted && run.findings.empty(); }
};
// Runs a launch; buffer i has elements of element_bits[i]. Cells are read only if the run was clean. Cells that an undefined
// value reaches are kUndefined if `track_undefined`.
using TrialRunner = std::function<TrialOutcome(const RunConfig& config, const std::vector<unsigned>& element_bits, bool track_undefined)>;
// The Bits machine, and the Term machine (on concrete contents) to track what is undefined.
TrialRunner MachineTrialRunner();

// One or two sizes, as the integer parameters give them. Bit i of a mask: size i.
using Sizes = std::array<int64_t, 2>;
using SizeMask = uint8_t;
int64_t ProductOf(SizeMask mask, const Sizes& sizes);

// The x extent of a grid: ceildiv(product of the sizes in `over`, divisor), at most `most` unless that is 0.
struct GridForm {
  SizeMask over = 0;  // 0: a single CTA
  int64_t divisor = 1;
  int64_t most = 0;
  int64_t drop = 0;  // the last CTAs left out, to see whether they are missed

  int64_t Evaluate(const Sizes& sizes) const;
  std::string ToText(const std::array<std::string, 2>& names) const;
};

// Bytes of dynamic shared memory: fixed + per[0] * sizes[0] + per[1] * sizes[1].
struct SharedForm {
  int64_t fixed = 0;
  Sizes per{0, 0};

  int64_t Evaluate(const Sizes& sizes) const { return fixed + per[0] * sizes[0] + per[1] * sizes[1]; }
  std::string ToText(const std::array<std::string, 2>& names) const;
};

struct LaunchForm {
  GridForm grid;
  Dim3 block{1, 1, 1};
  GridForm grid_y = {};
  SharedForm shared = {};

  int64_t Ctas(const Sizes& sizes) const { return grid.Evaluate(sizes) * grid_y.Evaluate(sizes); }
  std::string GridText(const std::array<std::string, 2>& names) const;  // "ceildiv(H, 128), N"
};

// What a kernel turns out to take under a launch.
struct Reading {
  std::vector<SizeMask> extents;  // by pointer parameter, in order
  std::vector<Role> roles;
  friend bool operator==(const Reading&, const Reading&) = default;
};

struct Survivor {
  LaunchForm launch;
  Reading reading;
  int64_t ctas = 0;            // at the shape that `values` are from
  std::vector<double> values;  // of all outputs
  std::vector<int> slow;       // by pointer parameter: the size that counts its rows; -1 if that does not show
};

// A launch that may be meant although the kernel is wrong under it: its rejection must not hide that.
struct DoubtfulLaunch {
  LaunchForm launch;
  std::string what;           // "has a data race on ..."
  bool race = false;          // in shared memory; else a loop over CTAs that fails
  std::vector<Where> places;  // of the race
};

// " at a.ptx:7 `...` against a.ptx:9 `...`".
std::string PlacesOf(const Finding& finding);

// The launch that comes closest where none works.
struct NearMiss {
  LaunchForm launch;
  std::string what;  // "leaves a tensor at ..."
};

// What the tried launches ran into: the fault that most of them met first.
struct CommonFault {
  std::string what;  // "race at a.ptx:7 `...`: data race on ..."
  uint64_t launches = 0;
};

// What all trials of one kernel share.
struct TrialSubject {
  const ir::Module* module = nullptr;
  const ir::Function* entry = nullptr;
  const KernelFacts* facts = nullptr;
  std::vector<ScalarType> dtypes;  // by pointer parameter
  std::vector<uint64_t> aligns;    // by pointer parameter, bytes
  Sizes multiples{1, 1};           // only multiples of these are tried as sizes
};

class LaunchSearch {
 public:
  LaunchSearch(TrialSubject subject, TrialRunner runner) : subject_(std::move(subject)), runner_(std::move(runner)) {}

  // For each block that may be meant, the first grid under which the kernel writes its outputs exactly, leaves no tensor and uses
  // no undefined value, at all sizes. Preferred blocks first.
  std::vector<Survivor> Survivors();
  // Loops over few CTAs that fail where other grids work. And launches that do the same but for a race in shared memory, if all
  // survivors have CTAs of one warp: with more warps a missing barrier shows, with one it cannot.
  const std::vector<DoubtfulLaunch>& doubtful() const { return doubtful_; }

  // Without survivors: the first launch that is right but for a race, if every such launch has it at one line, and not only at odd
  // sizes. Its values are none.
  std::optional<Survivor> RacesAlways();
  // Without survivors: a launch under which the outputs are off by a few cells, or by one row.
  std::optional<NearMiss> Nearest();
  // Else the launch that came furthest, with what came in its way; none if all failed at once.
  std::optional<NearMiss> Furthest() const;

  // The two faults that most launches met first, if at least half of all that were tried broke a rule. Wrong launches break rules that the
  // right one keeps, so one may hide what is wrong with the kernel.
  std::vector<CommonFault> Common() const;
  uint64_t tried() const { return tried_; }

  // A launch failed only because no simple amount of dynamic shared memory is what it needs.
  bool shared_unclear() const { return shared_unclear_; }

  bool unmodelled() const { return unmodelled_; }  // what ended the search is something that racer does not model
  // Set once something ended the search: an instruction that is not modelled, the budget.
  const std::string& stopped() const { return stopped_; }

 private:
  static constexpr int64_t kRoomyShared = 24 << 10;  // bytes, while it is not known how much dynamic shared memory a kernel needs

  size_t size_count() const;
  std::vector<LaunchForm> Launches() const;
  enum class Coverage : uint8_t { kNo, kYes, kRedundant };
  // Whether the outputs are written as they should be; redundant if one CTA fewer does it too. Fills the outputs' extents.
  Coverage Cover(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading);
  bool WriteOutputs(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading);
  // Extents of the inputs.
  bool ShrinkInputs(const LaunchForm& launch, const Sizes& sizes, bool check_races, Reading* reading);
  // Which outputs are read: nothing may be undefined.
  bool FindRoles(const LaunchForm& launch, const Sizes& sizes, Reading* reading);
  // Everything with its extent and role must still work; values of the outputs.
  bool Confirm(const LaunchForm& launch, const Sizes& sizes, const Reading& reading, std::vector<double>* values);
  std::vector<Sizes> ShapesFor(const LaunchForm& launch) const;
  std::optional<Survivor> Try(const LaunchForm& launch, bool* redundant);
  // How much dynamic shared memory a launch that works with plenty of it needs: a number or linear in one size.
  bool FindShared(Survivor* survivor);
  // Whether the launch covers its outputs at all shapes if races are ignored.
  bool OnlyRaces(const LaunchForm& launch, Reading* reading);
  std::vector<SizeMask> NearlyWritten(const LaunchForm& launch, const Sizes& sizes, int64_t* off);
  std::vector<int> SlowSizes(const LaunchForm& launch, const Reading& reading);
  struct RunOptions {
    std::vector<int64_t> elements;  // by buffer
    std::vector<bool> writable, initialised;
    bool track_undefined = false;
    bool check_races = true;
    std::optional<uint64_t> dynamic_shared = std::nullopt;  // instead of what the launch says
  };
  TrialOutcome Run(const LaunchForm& launch, const Sizes& sizes, const RunOptions& options);
  void NoteFault(const TrialOutcome& outcome);
  // What a launch failed at; `steps`: how far it came, then how many cells it was off a whole matrix.
  struct Miss {
    size_t steps = 0;
    int64_t off = 0;
    std::string what;
  };
  void NoteMiss(const LaunchForm& launch, size_t steps);
  std::string FaultText(const TrialOutcome& outcome, const Sizes& sizes) const;
  std::string SizesText(const Sizes& sizes) const;
  const std::string& PointerName(size_t pointer) const;
  void CountFault();
  // Roomy buffers that may be read and written; exact ones as the reading says.
  RunOptions Roomy(const Sizes& sizes) const;
  RunOptions Exact(const Reading& reading, const Sizes& sizes) const;

  TrialSubject subject_;
  TrialRunner runner_;
  std::string stopped_;
  bool unmodelled_ = false;
  Miss miss_;  // of the last question that was answered with no
  std::optional<std::pair<Miss, LaunchForm>> furthest_;
  std::optional<Finding> race_;  // of the last run that had one
  std::vector<DoubtfulLaunch> doubtful_;
  struct Fault {
    Gate gate = Gate::kBounds;
    int line = 0;
    CommonFault common;
  };
  std::optional<Fault> fault_;  // the first one of the present launch
  std::vector<Fault> faults_;   // one a gate and line
  uint64_t tried_ = 0;
  bool shared_unclear_ = false;
  uint64_t runs_ = 0;
  uint64_t thread_instructions_ = 0;
};

// The value of a bit pattern of f16, bf16, f32 or f64.
double DecodeFloat(ScalarType type, uint64_t bits);
// The pattern of a small multiple of 1/4 in one of these types.
uint64_t EncodeFloat(ScalarType type, double value);
bool CanTry(ScalarType type);

}  // namespace racer

#endif  // RACER_CHECKER_INFER_TRIAL_H_
