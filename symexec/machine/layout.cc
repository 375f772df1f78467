#include "symexec/machine/layout.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

constexpr uint64_t kMaxGlobalSize = uint64_t{1} << 38;  // half a slot less the alignment
constexpr uint64_t kMaxGlobalAlign = uint64_t{1} << 38;
constexpr uint64_t kMaxSpaceSize = uint64_t{1} << 23;
constexpr size_t kMaxGlobalSegments = 0xd0;  // below the windows
constexpr size_t kMaxSpaceSegments = 250;
constexpr uint64_t kMaxConstBytes = 64 << 10;   // PTX ISA, "Constant State Space"
constexpr uint64_t kMaxLocalBytes = 512 << 10;  // CUDA C++ Programming Guide, "Technical Specifications": local memory a thread
constexpr uint64_t kStackBytes = 4 << 10;       // for alloca, a thread
// %reserved_smem_offset_end - %reserved_smem_offset_begin: 0 to 288 on an H200 (2026-11-30), where both numbered offsets are 0. Which
// part is meant for whom is not documented; CUDA's cooperative groups keep 288 bytes at %reserved_smem_offset_1.
constexpr uint64_t kReservedSharedBytes = 288;

uint64_t AlignUp(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

class Builder {
 public:
  Builder(const RunConfig& config, Layout* layout) : config_(config), layout_(layout) {
    for (const auto& variable : config.module->variables) by_name_.emplace(variable->name, variable.get());
  }

  std::optional<LayoutProblem> Run(const std::vector<const ir::Function*>& functions) {
    for (const ir::Function* function : functions) CollectFunction(*function);
    for (size_t i = 1; i < functions.size() && config_.assume_function_addresses; ++i)
      layout_->function_addresses.emplace(functions[i]->name, kFunctionBase + i * kFunctionStep);
    // Initialisers may name further variables.
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (!wanted_[i]->initializer) continue;
      for (const auto& relocation : wanted_[i]->initializer->relocations) {
        auto found = by_name_.find(relocation.symbol);
        if (found != by_name_.end()) Want(found->second);
      }
    }
    std::stable_sort(wanted_.begin(), wanted_.end(), [this](const ir::Variable* a, const ir::Variable* b) { return Order(a) < Order(b); });
    if (auto problem = PlaceBuffers()) return problem;
    if (auto problem = PlaceParams(*functions.front())) return problem;
    for (size_t i = 1; i < functions.size(); ++i) {
      for (const ir::Variable* variable : functions[i]->params) PlaceCallParam(variable);
      for (const ir::Variable* variable : functions[i]->returns) PlaceCallParam(variable);
    }
    for (const ir::Variable* variable : wanted_) {
      if (auto problem = PlaceVariable(variable)) return problem;
    }
    return PlaceDynamicShared();
  }

 private:
  void Want(const ir::Variable* variable) {
    if (variable != nullptr && seen_.insert(variable).second) wanted_.push_back(variable);
  }
  void CollectOperand(const ir::Operand& operand) {  // nesting is bounded by the parser's limit
    Want(operand.address.variable);
    reserves_ = reserves_ || (operand.kind == ir::Operand::Kind::kSpecial && operand.special.name == "%reserved_smem_offset_1");
    for (const ir::Operand& element : operand.elements) CollectOperand(element);
  }
  void CollectFunction(const ir::Function& function) {
    for (const ir::Instruction& instruction : function.body) {
      for (const ir::Operand& operand : instruction.operands) CollectOperand(operand);
      const std::string& name = instruction.mnemonic;
      allocates_ = allocates_ || name == "alloca" || name == "stacksave" || name == "stackrestore";
    }
    // Declaration order, for packing: module variables first, then each function's own.
    for (const auto& variable : function.variables) function_order_.emplace(variable.get(), function_order_.size());
  }
  uint64_t Order(const ir::Variable* variable) {
    if (module_order_.empty()) {
      for (const auto& v : config_.module->variables) module_order_.emplace(v.get(), module_order_.size());
    }
    auto found = module_order_.find(variable);
    if (found != module_order_.end()) return found->second;
    auto own = function_order_.find(variable);
    return module_order_.size() + (own == function_order_.end() ? function_order_.size() : own->second);
  }

  std::optional<LayoutProblem> PlaceBuffers() {
    layout_->buffer_base.clear();
    for (size_t i = 0; i < config_.buffers.size(); ++i) {
      const BufferSpec& buffer = config_.buffers[i];
      RACER_CHECK(buffer.align != 0 && (buffer.align & (buffer.align - 1)) == 0);
      if (buffer.size > kMaxGlobalSize || buffer.align > kMaxGlobalAlign || buffer.phase > kMaxGlobalAlign ||
          layout_->global.segments().size() >= kMaxGlobalSegments) {
        return LayoutProblem{
            "tensor `" + buffer.name + "` of " + std::to_string(buffer.size) + " bytes does not fit the machine's address space", nullptr};
      }
      // A slot is aligned to far more than `align`, so the base is aligned to `align` (or `phase`) and to no more.
      layout_->global.Add({.name = buffer.name, .size = buffer.size, .buffer = static_cast<int>(i), .writable = buffer.writable},
                          buffer.phase != 0 ? buffer.phase : buffer.align);
      layout_->buffer_base.push_back(layout_->global.segments().back().base);
    }
    return std::nullopt;
  }

  std::optional<LayoutProblem> PlaceParams(const ir::Function& entry) {
    uint64_t offset = 0;
    for (const ir::Variable* param : entry.params) {
      const uint64_t size = param->SizeBytes();
      offset = AlignUp(offset, std::max<uint64_t>(param->align, 1));
      if (auto problem = AddSegment(Space::kParam, param, size, 0, offset)) return problem;
      offset += size;
    }
    layout_->param.set_dense_size(offset);
    return std::nullopt;
  }

  void PlaceCallParam(const ir::Variable* variable) {
    if (variable->space == StateSpace::kReg || layout_->places.contains(variable)) return;
    layout_->call_param_bytes = AlignUp(layout_->call_param_bytes, std::max<uint64_t>(variable->align, 8));
    layout_->places[variable] = {Space::kCallParam, layout_->call_param_bytes};
    layout_->call_param_bytes += variable->SizeBytes();
  }

  std::optional<LayoutProblem> AddSegment(Space space, const ir::Variable* variable, uint64_t size, uint64_t align, uint64_t packed) {
    SegmentTable& table = layout_->Table(space);
    if (size > kMaxSpaceSize || table.segments().size() >= kMaxSpaceSegments) {
      return LayoutProblem{"variable `" + variable->name + "` does not fit the machine's " + SpaceName(space) + " space", variable};
    }
    table.Add({.name = variable->name,
               .size = size,
               .dense = packed,
               .variable = variable,
               .align = align,
               .writable = space == Space::kShared || space == Space::kLocal},
              packed & 0xfff);
    layout_->places[variable] = {space, table.segments().back().base};
    return std::nullopt;
  }

  std::optional<LayoutProblem> PlaceVariable(const ir::Variable* variable) {
    if (layout_->places.contains(variable)) return std::nullopt;
    const uint64_t size = variable->SizeBytes();
    const uint64_t align = std::max<uint64_t>(variable->align, 1);
    switch (variable->space) {
      case StateSpace::kShared:
      case StateSpace::kSharedCluster: {
        if (size == 0) {  // `.extern .shared x[]`: all of them name the dynamic part
          dynamic_.push_back(variable);
          return std::nullopt;
        }
        const uint64_t offset = AlignUp(layout_->static_shared, align);
        layout_->static_shared = offset + size;
        return AddSegment(Space::kShared, variable, size, align, offset);
      }
      case StateSpace::kLocal: {
        const uint64_t offset = AlignUp(layout_->local_bytes, align);
        layout_->local_bytes = offset + size;
        if (layout_->local_bytes > kMaxLocalBytes) {
          return LayoutProblem{"the kernel needs more than " + std::to_string(kMaxLocalBytes) + " bytes of local memory a thread",
                               variable};
        }
        return AddSegment(Space::kLocal, variable, size, align, offset);
      }
      case StateSpace::kConst: {
        const uint64_t offset = AlignUp(layout_->constant.dense_size(), align);
        layout_->constant.set_dense_size(offset + size);
        if (variable->linkage == Linkage::kExtern)
          return LayoutProblem{"constant variable `" + variable->name + "` is only declared", variable};
        if (offset + size > kMaxConstBytes) return LayoutProblem{"the module's constants exceed 64 KiB", variable};
        return AddSegment(Space::kConst, variable, size, align, offset);
      }
      case StateSpace::kGlobal: {
        if (variable->linkage == Linkage::kExtern || size == 0) {
          return LayoutProblem{"global variable `" + variable->name + "` is only declared", variable};
        }
        if (size > kMaxGlobalSize || align > kMaxGlobalAlign || layout_->global.segments().size() >= kMaxGlobalSegments) {
          return LayoutProblem{"variable `" + variable->name + "` does not fit the machine's address space", variable};
        }
        layout_->global.Add({.name = variable->name, .size = size, .variable = variable}, align);
        layout_->places[variable] = {Space::kGlobal, layout_->global.segments().back().base};
        return std::nullopt;
      }
      case StateSpace::kParam:
      case StateSpace::kParamFunc: PlaceCallParam(variable); return std::nullopt;
      case StateSpace::kReg: return std::nullopt;
      case StateSpace::kGeneric:
      case StateSpace::kSreg:
      case StateSpace::kTex: break;
    }
    return LayoutProblem{"variable `" + variable->name + "` is in a state space that is not modelled", variable};
  }

  std::optional<LayoutProblem> PlaceDynamicShared() {
    layout_->shared_bytes = layout_->static_shared;
    if (!dynamic_.empty()) {
      uint64_t align = 1;
      for (const ir::Variable* variable : dynamic_) align = std::max(align, variable->align);
      const uint64_t offset = AlignUp(layout_->static_shared, align);
      if (auto problem = AddSegment(Space::kShared, dynamic_.front(), config_.launch.dynamic_shared, align, offset)) return problem;
      const Layout::Place place = layout_->places[dynamic_.front()];
      for (const ir::Variable* variable : dynamic_) layout_->places[variable] = place;
      layout_->shared_bytes = offset + config_.launch.dynamic_shared;
    } else {
      layout_->shared_bytes += config_.launch.dynamic_shared;
    }
    layout_->shared.set_dense_size(layout_->shared_bytes);
    // It does not count towards what a kernel may use.
    if (reserves_) {
      const uint64_t offset = AlignUp(layout_->shared_bytes, 16);
      layout_->shared.Add({.name = "the shared memory that the system reserves", .size = kReservedSharedBytes, .dense = offset}, 0);
      layout_->reserved_shared = layout_->shared.segments().back().base;
      layout_->shared.set_dense_size(offset + kReservedSharedBytes);
    }
    if (allocates_) {
      layout_->local_bytes = AlignUp(layout_->local_bytes, 16);
      layout_->local.Add({.name = "the stack", .size = kStackBytes, .dense = layout_->local_bytes}, 0);
      layout_->local_bytes += kStackBytes;
    }
    layout_->local.set_dense_size(layout_->local_bytes);
    return std::nullopt;
  }

  using Linkage = ir::Linkage;
  const RunConfig& config_;
  Layout* layout_;
  std::unordered_map<std::string, const ir::Variable*> by_name_;
  std::unordered_map<const ir::Variable*, uint64_t> module_order_, function_order_;
  std::unordered_set<const ir::Variable*> seen_;
  std::vector<const ir::Variable*> wanted_, dynamic_;
  bool allocates_ = false, reserves_ = false;
};

}  // namespace

const char* SpaceName(Space space) {
  switch (space) {
    case Space::kGlobal: return "global";
    case Space::kShared: return "shared";
    case Space::kLocal: return "local";
    case Space::kConst: return "const";
    case Space::kParam:
    case Space::kCallParam: return "param";
  }
  RACER_UNREACHABLE(static_cast<int>(space));
}

void SegmentTable::Add(Segment segment, uint64_t phase) {
  segment.base = ((segments_.size() + uint64_t{1}) << slot_shift_) + phase;
  segments_.push_back(std::move(segment));
}

const Segment* SegmentTable::Nearest(uint64_t address) const {
  const Segment* nearest = nullptr;
  uint64_t best = ~uint64_t{0};
  for (const Segment& segment : segments_) {
    uint64_t distance = 0;
    if (address < segment.base) distance = segment.base - address;
    if (address >= segment.base + segment.size) distance = address - (segment.base + segment.size);
    if (nearest == nullptr || distance < best) {
      nearest = &segment;
      best = distance;
    }
  }
  return nearest;
}

Layout::Layout() = default;

const SegmentTable& Layout::Table(Space space) const {
  switch (space) {
    case Space::kGlobal: return global;
    case Space::kShared: return shared;
    case Space::kLocal: return local;
    case Space::kConst: return constant;
    case Space::kParam: return param;
    case Space::kCallParam: break;
  }
  RACER_UNREACHABLE(static_cast<int>(space));
}
SegmentTable& Layout::Table(Space space) { return const_cast<SegmentTable&>(std::as_const(*this).Table(space)); }

Space Layout::Resolve(uint64_t generic, uint64_t* address) const {
  for (Space space : {Space::kShared, Space::kLocal, Space::kConst, Space::kParam}) {
    if (generic - WindowBase(space) < kWindowSize) {
      *address = generic - WindowBase(space);
      return space;
    }
  }
  *address = generic;
  return Space::kGlobal;
}

std::optional<LayoutProblem> BuildLayout(const RunConfig& config, const std::vector<const ir::Function*>& functions, Layout* layout) {
  return Builder(config, layout).Run(functions);
}

}  // namespace racer
