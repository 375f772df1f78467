// The machine over one domain. A Traits class gives the domain, the memory representation and
// whether lanes can be symbolic; everything else is the same code.
#ifndef RACER_SYMEXEC_MACHINE_CORE_H_
#define RACER_SYMEXEC_MACHINE_CORE_H_

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "scheduler/copy_groups.h"
#include "scheduler/cta_scheduler.h"
#include "scheduler/race_detector.h"
#include "symexec/bits/bits_domain.h"
#include "symexec/machine/bytes.h"
#include "symexec/machine/closed_terms.h"
#include "symexec/machine/layout.h"
#include "symexec/machine/open_sum.h"
#include "symexec/machine/program.h"
#include "symexec/machine/regions.h"
#include "symexec/machine/run.h"
#include "symexec/machine/signature.h"
#include "symexec/term/term.h"

namespace racer {

constexpr LaneMask kAllLanes = ~LaneMask{0};

// The lowest lane of a set that is not empty.
inline unsigned FirstLane(LaneMask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)) & (kWarpSize - 1); }

// std::popcount is a library call on a host of which nothing is assumed.
constexpr unsigned PopCount(LaneMask lanes) {
  lanes -= lanes >> 1 & 0x55555555;
  lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
  return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

// Calls body(lane) for every set bit, lowest first.
template <class F>
inline void ForLanes(LaneMask lanes, F&& body) {
  if (lanes == kAllLanes) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) body(lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) body(FirstLane(lanes));
}

// Bit l: the lowest bit of row[l].
inline LaneMask LowestBits(const uint64_t* row) {
#ifdef __SSE2__
  const auto four = [row](unsigned lane) {  // as signs
    const __m128 low = _mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + lane)));
    const __m128 high = _mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + lane + 2)));
    return _mm_slli_epi32(_mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0))), 31);
  };
  // Packing with saturation keeps signs.
  const auto sixteen = [four](unsigned lane) {
    const __m128i low = _mm_packs_epi32(four(lane), four(lane + 4)), high = _mm_packs_epi32(four(lane + 8), four(lane + 12));
    return static_cast<LaneMask>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return sixteen(0) | sixteen(16) << 16;
#else
  LaneMask set = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) set |= static_cast<LaneMask>(row[lane] & 1) << lane;
  return set;
#endif
}

constexpr uint64_t LowMask(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

// Sign-extends the low `from` bits to `to` bits.
constexpr uint64_t SignExtend(uint64_t bits, unsigned from, unsigned to) {
  const uint64_t sign = uint64_t{1} << (from - 1);
  return (((bits & LowMask(from)) ^ sign) - sign) & LowMask(to);
}

struct FragmentAccess;
struct MatrixTile;

struct MatrixCell;
namespace bits {
struct MatrixNumber;
}

template <class Traits>
class Core {
 public:
  static constexpr bool kSymbolic = Traits::kSymbolic, kField = Traits::kField;
  using Names = typename Traits::Store;
  using Bytes = typename Traits::Bytes;
  // Performs an instruction that is over once it is done for each active lane (not empty).
  using ValueFunction = void (*)(Core& core, const Decoded& in, LaneMask active);

  explicit Core(Names* store) : store_(store) {
    if constexpr (kSymbolic && !kField) closed_ = std::make_unique<ClosedTerms>(*store);
  }

  RunResult Run(const RunConfig& config);
  CellValue ReadCell(int buffer, uint64_t byte_offset, unsigned width) const;
  bool WasWritten(int buffer, uint64_t byte_offset, unsigned width) const;
  Finding DescribeUndef(uint32_t cause) const;
  Where DescribeOrigin(uint32_t origin) const;

  // --- registers; used by the instantiations of the value instructions
  const uint64_t* Row(const Source& source) const {
    return (source.constant ? constant_rows_.data() : registers_) + size_t{source.row} * kWarpSize;
  }
  uint64_t* Row(const Dest& dest) { return registers_ + size_t{dest.row} * kWarpSize; }
  void SetSymbolic(const Dest& dest, LaneMask lanes) {
    if constexpr (kSymbolic) symbolic_[dest.row] |= lanes;
  }
  LaneMask Symbolic(const Source& source) const {
    if constexpr (!kSymbolic) return 0;
    return source.constant ? 0 : symbolic_[source.row];
  }
  void SetConcrete(const Dest& dest, LaneMask lanes) {
    if constexpr (kSymbolic) symbolic_[dest.row] &= ~lanes;
  }
  // One lane of an operand, cut to its width and negated as written. A register never written becomes an Undef (Term) or
  // reads as zero (Bits).
  Value Read(const Source& source, unsigned lane);
  TermId ReadTerm(const Source& source, unsigned lane) { return ToTerm(Read(source, lane), source.width); }
  // Writes one lane of a result of dest.width bits, extended to the register.
  void Write(const Dest& dest, unsigned lane, const Value& value);
  void WriteTerm(const Dest& dest, unsigned lane, TermId term) { Write(dest, lane, FromTerm(term)); }
  void WriteBits(const Dest& dest, unsigned lane, uint64_t bits) { Write(dest, lane, {.bits = bits}); }
  TermId ToTerm(const Value& value, unsigned width) {
    return value.symbolic() ? value.term : store_->BvConst(width, value.bits & LowMask(width));
  }
  Value FromTerm(TermId term) const {
    if (store_->IsConst(term)) return {.bits = store_->const_bits(term)};
    return {.term = term};
  }
  Names& store() { return *store_; }
  // What value instructions compute in where an operand is symbolic.
  auto Domain() {
    if constexpr (!kSymbolic) {
      return BitsDomain();
    } else if constexpr (kField) {
      return typename Traits::Domain{*store_};
    } else {
      return typename Traits::Domain{{*store_}, *closed_};
    }
  }
  // A result that the manual leaves open: an Undef (Term) or zero (Bits).
  void WriteUnspecified(const Dest& dest, unsigned lane);
  // The result where the width-1 term `open` is 0, else an Undef.
  TermId UnlessUnspecified(TermId open, TermId result, unsigned width, unsigned lane);
  // --- exec_sums.h
  LaneMask ContinueSums(const Decoded& in, const FpAttr& attr, LaneMask lanes);
  // A kValue instruction by its record, whatever its modifiers and operands.
  void PerformByRecord(const Decoded& in, LaneMask active) { values_[static_cast<size_t>(in.opcode)](*this, in, active); }
  // Registers and value functions for instructions that are performed outside a launch (tests).
  void UseRegisters(uint64_t* rows, std::vector<ValueFunction> values) {
    registers_ = rows;
    values_ = std::move(values);
  }
  // Before making terms for the instruction being executed.
  void MarkOrigin() {
    if constexpr (kSymbolic) store_->SetOrigin(Tag() | (pc_ + 1));
  }

 private:
  TermId TermOfSum(uint64_t handle);
  // --- launch.h
  bool Prepare();
  void SetUpBuffers();
  void SetUpVariables();
  void SetUpArguments();
  void SetUpArgument(const Argument& argument, uint64_t at, uint64_t size);
  void InitialiseVariable(const ir::Variable& variable, Bytes* bytes, uint64_t offset);
  bool BeginCta(uint32_t cta);
  void RunCta();
  void ReportSchedulerFault();
  bool WithinBudgets();
  uint64_t MemoryInUse() const;
  // Field: gives back the values that no register and no memory holds.
  void CollectValues();

  // --- exec_control.h
  void RunGroup(const LaneGroup& group);
  LaneMask GuardLanes(const Decoded& in, LaneMask lanes, LaneMask* symbolic);
  void ConvertGuarded(const Decoded& in, LaneMask lanes);
  // The function that performs an instruction; null for what ends or may end the group's turn.
  ValueFunction Performer(const Decoded& in) const;
  template <auto kMember>
  static void Call(Core& core, const Decoded& in, LaneMask active) {
    (core.*kMember)(in, active);
  }
  void Perform(const Decoded& in, LaneMask active) { performers_[static_cast<size_t>(&in - program_.code.data())](*this, in, active); }
  void PerformRare(const Decoded& in, LaneMask active);
  void PerformWatched(const Decoded& in, LaneMask active);
  // Both return whether the turn goes on at the next pc.
  bool PerformControl(const Decoded& in, LaneMask lanes, LaneMask active);
  void Branch(const Decoded& in, LaneMask lanes, LaneMask taken);
  void BranchIndexed(const Decoded& in, LaneMask lanes, LaneMask active);
  void Goto(uint32_t pc);
  void ActiveMask(const Decoded& in, LaneMask active);
  void SplitPaths(LaneMask lanes, const uint32_t* ways);
  void SplitPaths(LaneMask lanes, LaneMask taken, uint32_t target);

  // --- exec_region.h
  // Bytes that an arm has stored to.
  static constexpr unsigned kMostStored = 8;
  struct Stored {
    Bytes* bytes = nullptr;
    uint64_t offset = 0;
    unsigned size = 0;
    typename Bytes::Saved old;
    uint32_t* writers = nullptr;
    std::array<uint32_t, kMostStored> old_writers;
  };
  using Journal = std::vector<Stored>;
  struct Arm {
    uint32_t pc = 0;
    bool performs = false;  // the guard of the first instruction holds
  };
  static constexpr uint64_t kMostArmInstructions = uint64_t{1} << 16;  // of one lane, from one branch
  static constexpr unsigned kMostArms = 64;                            // within one another
  static constexpr unsigned kMostExplored = 4;
  static constexpr uint32_t kMostExploredVisits = 4096;                     // of one branch in a run
  static constexpr uint64_t kMostExploredInstructions = uint64_t{1} << 20;  // in a run
  void NoteStore(Bytes* bytes, uint64_t offset, uint64_t size, uint32_t* writers);
  void Undo(const Journal& journal);
  Journal PlacesOf(const Journal& a, const Journal& b) const;
  std::vector<uint64_t> LaneRows(const Region& region, unsigned lane, std::vector<bool>* symbolic) const;
  void SetLaneRow(uint32_t row, unsigned lane, uint64_t value, bool symbolic);
  bool Refuse(const char* what, const Decoded& in);
  uint32_t ReturnInArm(const Decoded& in, unsigned lane);
  bool RunArm(Arm arm, uint32_t meeting, unsigned lane);
  bool PerformGuarded(const Decoded& in, unsigned lane);
  bool TakeBothWays(const Decoded& in, unsigned lane, const char* what);
  void PartOnData(const Decoded& in, LaneMask lanes, LaneMask taken, LaneMask symbolic);
  void Explore(const Decoded& in, LaneMask lanes, LaneMask taken);

  // --- exec_call.h
  // What a function's running activation holds in one thread, set aside while another one runs.
  struct Frame {
    uint32_t function = 0, return_pc = 0;
    uint64_t stack_top = 0;
    std::vector<uint64_t> rows;  // of the function's registers, the thread's lane
    std::vector<bool> symbolic;  // Term only
    Bytes params;
  };
  struct Carried {
    Value value;
    Bytes bytes;
  };
  void Call(const Decoded& in, LaneMask lanes, LaneMask active);
  void CallIndirect(const Decoded& in, LaneMask lanes, LaneMask active);
  void Enter(const CallSite& site, LaneMask active);
  void Return(const Decoded& in, LaneMask lanes, LaneMask active);
  void Pass(const Transfer& transfer, LaneMask active);
  Value LoadPassed(Bytes* bytes, uint64_t offset, unsigned size, unsigned lane);
  void Take(const std::vector<Transfer>& transfers, LaneMask active);
  void Give(const std::vector<Transfer>& transfers, LaneMask active);
  void SaveFrame(const CallSite& site, unsigned lane);
  void RestoreFrame(const CallSite& site, unsigned lane);
  bool AtOneDepth(LaneMask lanes) const;

  // --- exec_value.h
  void Move(const Decoded& in, LaneMask active);
  void Pack(const Decoded& in, LaneMask active);
  void Unpack(const Decoded& in, LaneMask active);
  void MoveWide(const Decoded& in, LaneMask active);
  void ConvertAddress(const Decoded& in, LaneMask active);
  void IsSpace(const Decoded& in, LaneMask active);

  // --- exec_memory.h
  struct GlobalObject;
  struct Target {
    Bytes* bytes = nullptr;
    uint64_t offset = 0;
    RaceDetector* race = nullptr;
    uint64_t race_offset = 0;
    uint32_t* writers = nullptr;  // of the first byte
    Space space = Space::kGlobal;
    uint64_t address = 0;  // in the space
  };
  // --- exec_access.h
  // Where the active lanes of a load or store go: to one object, by offsets in it.
  struct LaneTargets {
    Bytes* bytes = nullptr;
    RaceDetector* race = nullptr;
    uint32_t* writers = nullptr;  // of the object's first byte
    bool consecutive = false;     // all lanes are active and each goes right behind the one below
    uint64_t offset[kWarpSize];
  };
  bool AddressLanes(const Decoded& in, LaneMask active, unsigned size, LaneTargets* to, uint64_t* low, uint64_t* high);
  bool LocateLanes(const Decoded& in, LaneMask active, unsigned size, bool write, LaneTargets* to);
  bool CheckRaces(const Decoded& in, LaneMask active, const LaneTargets& to, unsigned parts, unsigned size, const uint64_t* value_tags);
  // False: nothing has been done, go lane by lane.
  bool LoadLanes(const Decoded& in, LaneMask active);
  bool StoreLanes(const Decoded& in, LaneMask active);
  bool LoadQuick(const Decoded& in, unsigned lane, unsigned size, const Bytes& bytes, uint64_t offset);
  void LoadLane(const Decoded& in, unsigned lane, unsigned size, Bytes* bytes, uint64_t offset);

  // --- exec_memory.h, lane by lane
  void Load(const Decoded& in, LaneMask active);
  void Store(const Decoded& in, LaneMask active);
  bool LaneAddress(const AddressRef& ref, unsigned lane, uint64_t* address);
  bool LaneAddress(const Decoded& in, unsigned lane, uint64_t* address) { return LaneAddress(in.address, lane, address); }
  // Checks an access of `size` bytes at an address that must be a multiple of `align`.
  bool Locate(const Decoded& in, const AddressRef& ref, unsigned lane, uint64_t address, unsigned size, unsigned align, bool write,
              Target* target);
  bool Locate(const Decoded& in, unsigned lane, uint64_t address, unsigned size, bool write, Target* target) {
    return Locate(in, in.address, lane, address, size, size, write, target);
  }
  // Remembers that order may be made by other means than barriers.
  void NoteOrder(const Mods& mods);
  bool UseInitialValue(const Decoded& in, const ir::Variable& variable);
  bool UseVariable(const Decoded& in, const ir::Variable& variable, GlobalObject* object, uint64_t offset, unsigned size, bool write);
  void AssumeOnce(std::string assumption);
  bool BadAddress(const Decoded& in, const AddressRef& ref, unsigned lane, Space space, uint64_t address, unsigned size, bool write);
  bool CheckUniform(const Decoded& in, LaneMask active);
  bool MarkNonCoherent(const Decoded& in, uint32_t* writers, unsigned size);
  bool CheckRace(const Decoded& in, unsigned lane, const Target& target, unsigned size, bool write, uint64_t value_tag);
  std::unique_ptr<RaceDetector> MakeRaceDetector(uint64_t bytes);
  bool EqualValues(uint64_t tag_a, uint64_t tag_b, uint32_t pc);
  void ReportRace(const Race& race, const Target& target, const Decoded& in);
  void SettleRace();
  uint64_t ValueTag(const Value& value, unsigned size) const;
  uint64_t StoreTag(const Value& value, unsigned size);
  bool CheckStoreRace(const Decoded& in, unsigned lane, Target target, const Value* values, unsigned count, unsigned size);
  bool MarkWritten(const Decoded& in, const Target& target, unsigned size);
  void Discard(const Decoded& in, LaneMask active);
  TermId UndefinedBytes(const Decoded& in, unsigned lane, uint64_t address, Space space, unsigned width);

  // --- exec_atomic.h
  void Atomic(const Decoded& in, LaneMask active);
  Value CombineWith(const Mods& mods, const Value& old, const Value& b, const Value& c);
  bool CheckAtomicRace(const Decoded& in, unsigned lane, const Target& target, unsigned size, const Value& operand, bool* unordered);
  bool AcceptReordering(const Decoded& in, const Mods& mods, bool unordered, const Value& old, const Value& b, const Value& sum);

  // --- exec_async.h
  struct AsyncAccess {
    RaceDetector* race = nullptr;
    uint64_t name = 0, offset = 0;
    uint32_t size = 0;
    MemoryEvent event;
  };
  void CopyAsync(const Decoded& in, LaneMask active);
  bool BeginAsync(const Decoded& in, unsigned lane, const Target& target, unsigned size, bool write);
  void CommitCopies(LaneMask active);
  void WaitCopies(LaneMask active, uint64_t groups);
  void AbandonCopies();

  // --- exec_stack.h
  struct StackBlock {
    uint64_t begin = 0, end = 0;  // offsets in the thread's stack
  };
  void Allocate(const Decoded& in, LaneMask active);
  void StackSave(const Decoded& in, LaneMask active);
  void StackRestore(const Decoded& in, LaneMask active);
  uint64_t StackTop(uint32_t thread) const { return stacks_[thread].empty() ? 0 : stacks_[thread].back().end; }
  void CutStack(uint32_t thread, uint64_t top);
  bool OnStack(uint32_t thread, uint64_t offset, uint64_t size) const;

  // --- exec_collective.h
  bool WarpCollective(const Decoded& in, LaneMask lanes, LaneMask active);
  bool MembersOf(const Decoded& in, unsigned lane, LaneMask* members);
  void Barrier(const Decoded& in, LaneMask lanes, LaneMask active);
  void Complete(const Completion& completion);
  // Combines the lanes that met: at_lane[l] is the instruction of lane l of `lanes`.
  void Combine(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void Shuffle(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void Vote(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void Match(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void Reduce(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void ReduceFloats(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void Elect(const std::array<const Decoded*, kWarpSize>& at_lane, LaneMask lanes);
  void BarrierReduce(const Completion& completion);

  // --- exec_matrix.h
  void Matrix(const Decoded& in, LaneMask lanes);
  using RowUnits = std::array<std::array<Value, 16>, kWarpSize>;  // by lane that gives the address
  bool LocateRow(const Decoded& in, unsigned lane, bool write, Target* target);
  void LoadMatrices(const Decoded& in, const MatrixInstruction& matrix);
  void StoreMatrices(const Decoded& in, const MatrixInstruction& matrix);
  void MoveMatrix(const MatrixInstruction& matrix);
  void SpreadRow(const MatrixForm& form, std::array<Value, 16>* units);
  // --- exec_mma.h
  void MultiplyMatrices(const Decoded& in, const MatrixInstruction& matrix);
  MatrixTile GatherMatrix(const Decoded& in, const MatrixForm& form, MatrixForm::Operand which, const OperandRange& range);
  bool ReadMetadata(const Decoded& in, const MatrixInstruction& matrix, std::vector<uint16_t>* columns);
  bool ReadScaleIds(const Decoded& in, const OperandRange& ids, unsigned threads, unsigned bytes, unsigned* byte, unsigned* thread);
  bool ReadScales(const Decoded& in, const MatrixInstruction& matrix, bool of_a, std::vector<bits::MatrixNumber>* scales);
  bool IsConcrete(const MatrixCell& cell) const;
  bool IsSameValue(const Value& a, const Value& b) const;
  Value IntegerCell(const MatrixForm& form, const MatrixCell& cell);
  Value RealCell(const Decoded& in, const MatrixForm& form, const MatrixCell& cell);
  TermId FactorTerm(const MatrixForm& form, MatrixElement element, const Value& value, FpFormat format);

  // --- exec_wmma.h
  void LoadFragment(const Decoded& in, const MatrixInstruction& matrix);
  void StoreFragment(const Decoded& in, const MatrixInstruction& matrix);
  bool FragmentAddress(const Decoded& in, const MatrixInstruction& matrix, uint64_t* base, FragmentAccess* access);
  bool LocateElement(const Decoded& in, unsigned lane, uint64_t base, const FragmentAccess& access, const MatrixPlace& place, bool write,
                     Target* target);
  MatrixPlace PlaceInFragment(const MatrixForm& form, unsigned lane, unsigned i) const;

  // --- exec_matrix.h
  Value Slice(const Value& value, unsigned width, unsigned lo, unsigned bits);
  Value Join(const Value* parts, unsigned count, unsigned bits);
  void SelectWarp(uint32_t warp);

  // A concrete operand that decides what happens (a mask, an id, an address). False: the run has been stopped.
  bool Control(const Source& source, unsigned lane, const char* what, uint64_t* bits);
  // Whether the Field domain has been left; then the run has been stopped.
  bool HasLeftDomain(const Decoded& in);
  // Stops the run because of a term where bits are needed.
  void StopAtSymbolic(TermId term, const char* what, unsigned lane);
  std::string DependsOnData(const char* what, TermId term) const;

  // --- findings.h
  void Violate(Gate gate, std::string message, std::vector<Where> where);
  void Unsupported(std::string reason, const Decoded* in);
  void OverBudget(std::string reason);
  Where PlaceOfPc(uint32_t pc) const;
  std::string ThreadName(unsigned lane) const;  // "thread (3,0,0) of CTA (1,0,0)"
  std::string ThreadName(uint32_t cta, uint32_t thread) const;
  std::string AddressName(Space space, uint64_t address, uint64_t size, bool* inside) const;
  uint32_t Tag() const { return tag_; }
  uint32_t NewCause(std::string message);
  TermId Undefined(unsigned width, std::string message);

  Names* store_;
  std::unique_ptr<ClosedTerms> closed_;  // Term only
  const RunConfig* config_ = nullptr;    // during Run
  const ir::Module* module_ = nullptr;
  uint32_t tag_ = 0;
  RunResult result_;
  bool stopped_ = false;
  bool rendezvous_ = false;  // the scheduler may have completions
  // A fence or an acquiring or releasing access, an access that is not weak have been performed.
  bool fences_seen_ = false, strong_seen_ = false;
  std::chrono::steady_clock::time_point start_;
  uint64_t turns_ = 0;

  Layout layout_;
  Program program_;
  std::vector<ValueFunction> values_;      // by opcode
  std::vector<ValueFunction> performers_;  // by pc
  std::vector<uint64_t> constant_rows_;

  static constexpr uint32_t kNonCoherentRead = uint32_t{1} << 31;
  struct GlobalObject {
    Bytes bytes;
    std::unique_ptr<RaceDetector> race;  // only for what the kernel may write
    ZeroedArray<uint32_t> writers;       // pc + 1 of the last store, by byte; kNonCoherentRead where ld.global.nc or ldu has read
    bool initialised = false;
    bool read_as_it_was = false, changed = false;  // of a module variable, in this launch
  };
  std::vector<GlobalObject> globals_;           // by segment of layout_.global
  const ir::Variable* last_assumed_ = nullptr;  // whose initial value the run last took for granted
  Bytes constants_, params_;
  // Of the CTA that runs.
  Bytes shared_, locals_, call_params_;  // the last two: one block a thread
  std::unique_ptr<RaceDetector> shared_race_;
  std::unique_ptr<CtaScheduler> scheduler_;
  std::vector<uint64_t> warp_registers_;  // [warp][row][lane]
  std::vector<LaneMask> warp_symbolic_;   // [warp][row]
  std::vector<OpenSum> open_sums_;        // Term only
  std::vector<uint32_t> return_pcs_;      // [function][thread]
  std::vector<uint32_t> paths_;           // by thread, only if the program has activemask
  uint32_t last_path_ = 0;
  std::vector<std::vector<Frame>> frames_;  // by thread, only if a call may be recursive
  uint64_t frame_bytes_ = 0;
  std::vector<Carried> carried_;                               // [transfer][lane]
  std::map<std::pair<uint64_t, uint64_t>, bool> value_pairs_;  // answers of RunConfig::equal_values, by tags
  std::vector<CopyGroups<AsyncAccess>> copies_;                // by thread, only if the program has cp.async
  std::vector<std::vector<StackBlock>> stacks_;                // by thread, only if the program has alloca
  std::vector<uint64_t> stack_tops_;                           // at the call, [function][thread]
  // An addition of constants has been made by an atomic that would not give the same value in another order.
  bool inexact_atomic_sum_ = false;
  uint32_t threads_ = 0, warps_ = 0;
  uint32_t cta_ = 0;

  // Of ways that data decide (Term), or that are looked at for the signature (Bits).
  std::unique_ptr<Regions> regions_;
  TermId path_ = kNoTerm;       // the condition under which the lane is where it is; none: it surely is
  Journal* journal_ = nullptr;  // what the innermost arm stores
  unsigned arms_depth_ = 0, explored_depth_ = 0;
  uint64_t arm_instructions_ = 0, explored_instructions_ = 0;
  bool exploring_ = false;
  std::vector<uint32_t> explored_visits_;                             // by pc
  std::vector<bool> conditional_;                                     // by pc: an access that may not have been made
  std::map<std::pair<TermId, uint64_t>, uint32_t> conditional_tags_;  // of stores, by condition and tag

  // Of the group that runs.
  uint32_t warp_ = 0, pc_ = 0;
  uint64_t* registers_ = nullptr;
  LaneMask* symbolic_ = nullptr;

  std::optional<Finding> race_finding_;  // found in the CTA that runs; races are no longer looked for
  uint64_t race_deadline_ = 0;           // in thread-instructions
  static constexpr uint64_t kRunOnAfterRace = uint64_t{1} << 22;

  struct UndefCause {
    std::string message;
    uint32_t pc = 0;
  };
  std::vector<UndefCause> causes_;
  Signature signature_;
};

// The value instructions of the table, by opcode; null for the others.
template <class Traits>
std::vector<typename Core<Traits>::ValueFunction> ValueFunctions();
// The function of a form of hot_forms.def, which does what the record's would; null for other forms.
template <class Traits>
typename Core<Traits>::ValueFunction HotFunction(const Decoded& in);

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_CORE_H_
