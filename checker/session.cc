#include "checker/session.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "idioms/templates.h"
#include "ptx_frontend/isa/fp.h"
#include "symexec/ball/ball.h"
#include "symexec/ball/decode.h"
#include "symexec/normal/normal.h"

namespace racer {
namespace {

// The pattern of an exact value in a scalar type: floats rounded to nearest, integers as two's complement.
std::optional<uint64_t> PatternOf(ScalarType type, const Rational& value) {
  if (IsFloatScalar(type)) return EncodeNearest(FormatOf(type), value);
  std::optional<int64_t> integer = value.ToInt64();
  if (!integer.has_value()) return std::nullopt;
  unsigned width = BitWidth(type);
  uint64_t bits = static_cast<uint64_t>(*integer);
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

SymbolRange SymbolRangeOf(const std::optional<RealRange>& range) {
  if (!range.has_value()) return {};
  return {range->low, range->high, range->low_open, range->high_open};
}

// Tells the origins of the two sides' terms apart.
uint8_t RunTag(Side side) { return side == Side::kCandidate ? 1 : 2; }

void StoreLittleEndian(std::vector<uint8_t>& bytes, uint64_t at, uint64_t value, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i) bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
}

// Bytes of a buffer whose elements all hold `pattern`.
std::vector<uint8_t> Filled(uint64_t elements, uint64_t element_bytes, uint64_t pattern) {
  std::vector<uint8_t> bytes(elements * element_bytes);
  for (uint64_t i = 0; i < elements; ++i) StoreLittleEndian(bytes, i * element_bytes, pattern, element_bytes);
  return bytes;
}

}  // namespace

// Emits a model's cells as terms. Operations are in binary64 so that none of its own roundings could be asked about.
struct Session::ModelState {
  struct Builder {
    using Value = TermId;
    Session& session;

    FpAttr Attr() const {
      FpAttr attr;
      attr.format = FpFormat::kF64;
      return attr;
    }
    TermId Input(const std::string& name, const std::vector<uint64_t>& index) {
      const Contract& contract = session.contract_;
      if (std::optional<uint32_t> scalar = contract.FindScalar(name)) {
        std::optional<SymbolId> symbol = session.scalar_symbols_[*scalar];
        if (symbol.has_value()) return Widen(session.store_.FpInput(*symbol, 0));
        return session.store_.FpReal(FpFormat::kF64, *session.instance(Side::kCandidate).scalars[*scalar].value);
      }
      uint32_t tensor = *contract.FindTensor(name);
      const TensorInstance& instance = session.instance(Side::kCandidate).tensors[tensor];
      uint64_t cell = 0;
      for (size_t i = 0; i < index.size(); ++i) cell = cell * instance.shape[i] + index[i];
      return Widen(session.store_.FpInput(*session.tensor_symbols_[tensor], static_cast<uint32_t>(cell)));
    }
    TermId Widen(TermId value) { return session.store_.FpConvert(Attr(), value); }
    TermId Constant(const Rational& value) { return session.store_.FpReal(FpFormat::kF64, value); }
    TermId Add(TermId a, TermId b) { return session.store_.Fp(FpKind::kAdd, Attr(), a, b); }
    TermId Mul(TermId a, TermId b) { return session.store_.Fp(FpKind::kMul, Attr(), a, b); }
    TermId Div(TermId a, TermId b) { return session.store_.Fp(FpKind::kDiv, Attr(), a, b); }
    TermId Sqrt(TermId a) { return session.store_.Fp(FpKind::kSqrt, Attr(), a); }
  };

  ModelState(Session& session, const models::TensorProgram& program, std::map<std::string, uint64_t> dims)
      : builder{session}, emitter(program, std::move(dims), builder) {}

  Builder builder;
  models::Emitter<Builder> emitter;
};

Session::Session(const Subjects& subjects, DimAssignment dims, AliasGroups alias, const RunLimits& limits, uint32_t table,
                 Placement placement)
    : subjects_(subjects),
      contract_(*subjects.contract),
      dims_(std::move(dims)),
      alias_(std::move(alias)),
      limits_(limits),
      table_(table),
      placement_(std::move(placement)) {
  Prepare();
}

Session::~Session() = default;

void Session::Prepare() {
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const Kernel* kernel = subjects_.kernel(side);
    if (kernel == nullptr) continue;
    Result<Instance> instance = Instantiate(contract_, dims_, side, table_);
    if (!instance.ok()) return Fail(instance.error());
    if (auto error = CheckLaunch(contract_, *instance, *kernel->module, *kernel->entry, side)) return Fail(*error);
    instances_[static_cast<size_t>(side)] = std::make_unique<Instance>(std::move(instance).value());
  }
  DeclareSymbols();
  if (problem_.has_value() || subjects_.model == nullptr) return;
  std::map<std::string, uint64_t> dims_by_name;
  for (const std::string& dim : subjects_.model->dims) dims_by_name[dim] = static_cast<uint64_t>(dims_[*contract_.FindDim(dim)]);
  model_ = std::make_unique<ModelState>(*this, *subjects_.model, std::move(dims_by_name));
}

void Session::DeclareSymbols() {
  const Instance& instance = *instances_[static_cast<size_t>(Side::kCandidate)];
  tensor_symbols_.resize(contract_.tensors.size());
  scalar_symbols_.resize(contract_.scalars.size());
  auto declare = [&](const std::string& name, ScalarType dtype, std::vector<uint64_t> shape, uint64_t cells, SymbolRange range) {
    SymbolId id = store_.AddSymbol({name, dtype, std::move(shape)});
    ranges_.resize(static_cast<size_t>(id) + 1);
    cell_counts_.resize(static_cast<size_t>(id) + 1);
    ranges_[static_cast<size_t>(id)] = std::move(range);
    cell_counts_[static_cast<size_t>(id)] = cells;
    return id;
  };
  for (uint32_t i = 0; i < contract_.tensors.size(); ++i) {
    const TensorSpec& tensor = contract_.tensors[i];
    if (tensor.role == Role::kIndex) {
      if (instance.tensors[i].values.empty() && instance.tensors[i].cells > 0) {
        return Undecided("index tensor " + tensor.name + " has no `values`: addresses need concrete integers");
      }
      continue;
    }
    if (tensor.role != Role::kIn && tensor.role != Role::kInout) continue;
    // Tensors that share a buffer in this run hold the same values.
    for (const std::vector<uint32_t>& group : alias_) {
      if (std::find(group.begin(), group.end(), i) == group.end()) continue;
      for (uint32_t other : group) {
        if (other < i && tensor_symbols_[other].has_value()) tensor_symbols_[i] = tensor_symbols_[other];
      }
    }
    if (tensor_symbols_[i].has_value()) continue;
    tensor_symbols_[i] =
        declare(tensor.name, tensor.dtype, instance.tensors[i].shape, instance.tensors[i].cells, SymbolRangeOf(tensor.range));
  }
  for (uint32_t i = 0; i < contract_.scalars.size(); ++i) {
    const ScalarSpec& scalar = contract_.scalars[i];
    if (instance.scalars[i].value.has_value()) continue;
    if (scalar.value.has_value()) {
      return Undecided("scalar " + scalar.name + " = " + scalar.value->text() +
                       " is computed from a scalar without a value, which is not modelled; give that scalar a value, or let " +
                       scalar.name + " be a scalar of its own (with a range)");
    }
    scalar_symbols_[i] = declare(scalar.name, scalar.dtype, {}, 1, SymbolRangeOf(scalar.range));
  }
  // A range without a value of its dtype would make every claim about it true.
  // One cell of a tensor shows as much as all.
  std::vector<uint64_t> first_cells;
  for (const uint64_t cells : cell_counts_) first_cells.push_back(std::min<uint64_t>(cells, 1));
  if (MakePoint(store_, ranges_, first_cells, 0, 1).bits.size() < cell_counts_.size()) {
    Undecided("a range of the contract holds no value of its dtype");
  }
}

void Session::FillContents(const InputPoint* point, uint32_t tensor, const TensorInstance& instance, BufferContents& contents) const {
  const TensorSpec& spec = contract_.tensors[tensor];
  contents.dtype = spec.dtype;
  if (spec.role == Role::kIndex) {
    contents.bytes = Filled(instance.elements, instance.element_bytes, 0);
    for (uint64_t cell = 0; cell < instance.cells; ++cell) {
      StoreLittleEndian(contents.bytes, instance.ByteOffset(cell), static_cast<uint64_t>(instance.values[cell]), instance.element_bytes);
    }
    return;
  }
  if (!tensor_symbols_[tensor].has_value()) {
    if (!spec.init.has_value()) return;
    contents.bytes = Filled(instance.elements, instance.element_bytes, *PatternOf(spec.dtype, *spec.init));
    return;
  }
  if (point == nullptr) {
    contents.symbol = tensor_symbols_[tensor];
    if (!instance.dense || instance.offset != 0) contents.cells = instance.CellOfElement();
    return;
  }
  const std::vector<uint64_t>& bits = point->bits[static_cast<size_t>(*tensor_symbols_[tensor])];
  contents.bytes = Filled(instance.elements, instance.element_bytes, 0);
  for (uint64_t cell = 0; cell < instance.cells; ++cell) {
    StoreLittleEndian(contents.bytes, instance.ByteOffset(cell), bits[cell], instance.element_bytes);
  }
}

Session::Buffers Session::MakeConfig(Side side, const InputPoint* point) const {
  const Instance& instance = this->instance(side);
  Buffers buffers;
  buffers.buffer_of_tensor.assign(contract_.tensors.size(), -1);
  buffers.config.launch = instance.launch;
  buffers.config.limits = limits_;
  for (uint32_t i = 0; i < contract_.tensors.size(); ++i) {
    const TensorSpec& tensor = contract_.tensors[i];
    bool preserved = std::find(contract_.preserve.begin(), contract_.preserve.end(), i) != contract_.preserve.end();
    bool initialised = tensor.role == Role::kIn || tensor.role == Role::kInout || tensor.role == Role::kIndex || tensor.init.has_value();
    int shared = -1;
    for (const std::vector<uint32_t>& group : alias_) {
      if (std::find(group.begin(), group.end(), i) == group.end()) continue;
      for (uint32_t other : group) {
        if (other < i) shared = buffers.buffer_of_tensor[other];
      }
    }
    if (shared >= 0) {
      BufferSpec& spec = buffers.config.buffers[static_cast<size_t>(shared)];
      spec.name += "=" + tensor.name;
      spec.align = std::max(spec.align, tensor.align);
      spec.size = std::max(spec.size, instance.tensors[i].bytes);
      spec.writable = spec.writable || !preserved;
      if (initialised && !spec.initialised) {
        FillContents(point, i, instance.tensors[i], buffers.config.contents[static_cast<size_t>(shared)]);
        spec.initialised = true;
      }
      buffers.buffer_of_tensor[i] = shared;
      continue;
    }
    BufferSpec spec;
    spec.name = tensor.name;
    spec.size = instance.tensors[i].bytes;
    spec.align = tensor.align;
    spec.writable = !preserved;
    spec.initialised = initialised;
    BufferContents contents;
    FillContents(point, i, instance.tensors[i], contents);
    buffers.buffer_of_tensor[i] = static_cast<int>(buffers.config.buffers.size());
    buffers.config.buffers.push_back(std::move(spec));
    buffers.config.contents.push_back(std::move(contents));
  }
  PlaceBuffers(buffers);
  return buffers;
}

void Session::PlaceBuffers(Buffers& buffers) const {
  if (placement_.phases.empty()) return;
  std::vector<BufferSpec>& specs = buffers.config.buffers;
  for (uint32_t i = 0; i < contract_.tensors.size(); ++i) {
    BufferSpec& spec = specs[static_cast<size_t>(buffers.buffer_of_tensor[i])];
    spec.phase = std::max(spec.phase, placement_.phases[i]);
  }
  constexpr uint64_t kAcross = uint64_t{1} << 32;
  for (BufferSpec& spec : specs) {
    if (!placement_.across || spec.phase >= kAcross) continue;
    spec.phase = kAcross - std::min(spec.size, kAcross) / 2 / spec.phase * spec.phase;
  }
  if (!placement_.descending) return;
  std::reverse(specs.begin(), specs.end());
  std::reverse(buffers.config.contents.begin(), buffers.config.contents.end());
  for (int& buffer : buffers.buffer_of_tensor) buffer = static_cast<int>(specs.size()) - 1 - buffer;
}

std::optional<Argument> Session::MakeArgument(Side side, const ArgumentInstance& argument, uint64_t bytes, const Buffers& buffers,
                                              const InputPoint* point) {
  Argument result;
  switch (argument.kind) {
    case CallArgument::Kind::kTensor:
      result.kind = Argument::Kind::kBuffer;
      result.buffer = buffers.buffer_of_tensor[argument.index];
      result.buffer_offset = instance(side).tensors[argument.index].offset * instance(side).tensors[argument.index].element_bytes;
      return result;
    case CallArgument::Kind::kInteger:
      result.bits = static_cast<uint64_t>(argument.integer);
      if (bytes < 8) result.bits &= (uint64_t{1} << 8 * bytes) - 1;
      return result;
    case CallArgument::Kind::kScalar: {
      const ScalarSpec& scalar = contract_.scalars[argument.index];
      std::optional<SymbolId> symbol = scalar_symbols_[argument.index];
      if (symbol.has_value()) {
        if (point != nullptr) {
          result.bits = point->bits[static_cast<size_t>(*symbol)][0];
          return result;
        }
        result.kind = Argument::Kind::kTerm;
        result.term = IsFloatScalar(scalar.dtype) ? store_.FpToBits(store_.FpInput(*symbol, 0)) : store_.BvInput(*symbol, 0);
        return result;
      }
      const Rational& value = *instance(side).scalars[argument.index].value;
      std::optional<uint64_t> pattern = PatternOf(scalar.dtype, value);
      if (!pattern.has_value()) {
        Undecided("the value of scalar " + scalar.name + ", " + value.ToString() + ", is no " + std::string(Spelling(scalar.dtype)));
        return std::nullopt;
      }
      // Over the reals the argument is the number that the contract names; bit for bit it is that number rounded.
      if (point == nullptr && IsFloatScalar(scalar.dtype) && FiniteValue(FormatOf(scalar.dtype), *pattern) != value) {
        result.kind = Argument::Kind::kTerm;
        result.term = store_.FpToBits(store_.FpReal(FormatOf(scalar.dtype), value));
        return result;
      }
      result.bits = *pattern;
      return result;
    }
    case CallArgument::Kind::kFields: break;
  }
  RACER_UNREACHABLE(argument.kind);
}

Session::Buffers Session::MakeRun(Side side, const InputPoint* point) {
  const Kernel& kernel = *subjects_.kernel(side);
  const Instance& instance = this->instance(side);
  Buffers buffers = MakeConfig(side, point);
  buffers.config.run_tag = RunTag(side);
  buffers.config.module = kernel.module.get();
  buffers.config.entry = kernel.entry;
  for (size_t i = 0; i < instance.args.size(); ++i) {
    const ArgumentInstance& value = instance.args[i];
    if (value.kind != CallArgument::Kind::kFields) {
      std::optional<Argument> argument = MakeArgument(side, value, kernel.entry->params[i]->SizeBytes(), buffers, point);
      if (!argument.has_value()) return buffers;
      buffers.config.arguments.push_back(std::move(*argument));
      continue;
    }
    Argument structure;
    structure.kind = Argument::Kind::kFields;
    for (size_t j = 0; j < value.fields.size(); ++j) {
      const CallArgument& field = contract_.call(side)->args[i].fields[j];
      std::optional<Argument> part = MakeArgument(side, value.fields[j], BitWidth(field.type) / 8, buffers, point);
      if (!part.has_value()) return buffers;
      part->field_offset = field.offset;
      part->field_bytes = BitWidth(field.type) / 8;
      structure.fields.push_back(std::move(*part));
    }
    buffers.config.arguments.push_back(std::move(structure));
  }
  return buffers;
}

void Session::RunTerms() {
  for (Side side : {Side::kCandidate, Side::kReference}) {
    if (subjects_.kernel(side) == nullptr) continue;
    Buffers buffers = MakeRun(side, nullptr);
    if (problem_.has_value()) return;
    size_t index = static_cast<size_t>(side);
    // Made only if it is asked.
    std::unique_ptr<Normalizer> normalizer;
    buffers.config.equal_values = [&](TermId a, TermId b) {
      // Asked in the middle of a run: Spelled would make terms that the kernel may still come to.
      if (rounding_by_addition_.Within(a) || rounding_by_addition_.Within(b)) return false;
      if (unsettled_.Within(a) || unsettled_.Within(b)) return false;
      if (normalizer == nullptr) normalizer = std::make_unique<Normalizer>(store_, ranges_, NormalOptions{});
      return normalizer->ProveEqual(a, b, Effort::kQuick).status == ProofOutcome::Status::kProved;
    };
    machines_[index] = std::make_unique<TermMachine>(store_);
    buffer_of_tensor_[index] = buffers.buffer_of_tensor;
    outcomes_[index].run = machines_[index]->Run(buffers.config);
    outcomes_[index].ran = true;
    thread_instructions_ += outcomes_[index].run.stats.thread_instructions;
  }
}

CellValue Session::ReadCell(Side side, uint32_t tensor, uint64_t cell) const {
  size_t index = static_cast<size_t>(side);
  const TensorInstance& instance = this->instance(side).tensors[tensor];
  return machines_[index]->ReadCell(buffer_of_tensor_[index][tensor], instance.ByteOffset(cell),
                                    static_cast<unsigned>(instance.element_bytes * 8));
}

TermId Session::ModelTerm(uint32_t tensor, uint64_t cell) {
  const TensorInstance& instance = this->instance(Side::kCandidate).tensors[tensor];
  std::vector<uint64_t> index(instance.shape.size());
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = cell % instance.shape[i];
    cell /= instance.shape[i];
  }
  return model_->emitter.Cell(index);
}

TermId Session::CellTerm(Side side, uint32_t tensor, uint64_t cell) {
  ScalarType dtype = contract_.tensors[tensor].dtype;
  if (side == Side::kReference && model_ != nullptr) return ModelTerm(tensor, cell);
  CellValue value = ReadCell(side, tensor, cell);
  if (value.state == CellValue::State::kUndefined) {
    std::optional<TermId> defined = undefined_.Without(value.term);
    RACER_CHECK(defined.has_value());  // Judge had it, or there would be a finding or a doubt
    value.term = *defined;
    value.state = store_.IsConst(value.term) ? CellValue::State::kConcrete : CellValue::State::kSymbolic;
    if (store_.IsConst(value.term)) value.bits = store_.const_bits(value.term);
  }
  RACER_CHECK(value.state == CellValue::State::kConcrete || value.state == CellValue::State::kSymbolic);
  TermId bits = value.state == CellValue::State::kConcrete ? store_.BvConst(BitWidth(dtype), value.bits) : value.term;
  return IsFloatScalar(dtype) ? store_.BitsToFp(FormatOf(dtype), bits) : bits;
}

std::vector<CellPair> Session::Cells() {
  std::vector<CellPair> pairs;
  for (uint32_t tensor : contract_.outputs) {
    ScalarType dtype = contract_.tensors[tensor].dtype;
    const TensorInstance& instance = this->instance(Side::kCandidate).tensors[tensor];
    for (uint64_t cell = 0; cell < instance.cells; ++cell) {
      CellPair pair;
      pair.output = static_cast<int>(tensor);
      pair.cell = cell;
      pair.floating = IsFloatScalar(dtype);
      pair.width = BitWidth(dtype);
      pair.is_signed = IsSigned(dtype);
      if (pair.floating) pair.format = FormatOf(dtype);
      pair.candidate = CellTerm(Side::kCandidate, tensor, cell);
      pair.reference = CellTerm(Side::kReference, tensor, cell);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

void Session::ReplaceIdioms(std::vector<CellPair>* cells) {
  if (idioms_ == nullptr) {
    std::vector<const ir::Module*> modules;
    for (const Kernel* kernel : {subjects_.candidate, subjects_.reference}) {
      if (kernel != nullptr) modules.push_back(kernel->module.get());
    }
    idioms_ = std::make_unique<IdiomMatcher>(store_, TemplatesFor(modules));
  }
  for (CellPair& cell : *cells) {
    if (cell.candidate == cell.reference) continue;
    cell.candidate = idioms_->Replaced(cell.candidate);
    cell.reference = idioms_->Replaced(cell.reference);
  }
}

void Session::SpellOut(std::vector<CellPair>* cells) {
  // First, and of all cells: expf rounds by addition, and its steps on constants may be unsettled where the function is not.
  ReplaceIdioms(cells);
  for (CellPair& cell : *cells) {
    if (cell.candidate == cell.reference) continue;
    const TermId written[2] = {cell.candidate, cell.reference};
    cell.candidate = rounding_by_addition_.Spelled(written[0]);
    cell.reference = rounding_by_addition_.Spelled(written[1]);
    for (const TermId term : written) {
      if (cell.refusal.empty()) cell.refusal = rounding_by_addition_.Refusal(term);
    }
    const bool candidate = unsettled_.Within(cell.candidate);
    if (!candidate && !unsettled_.Within(cell.reference)) continue;
    cell.decided_at = store_.origin(unsettled_.In(candidate ? cell.candidate : cell.reference));
    if (!unsettled_.HasDecision(cell.candidate) && !unsettled_.HasDecision(cell.reference)) {
      cell.candidate_as_written = cell.candidate;
      cell.reference_as_written = cell.reference;
    }
    cell.candidate = unsettled_.Replaced(cell.candidate);
    cell.reference = unsettled_.Replaced(cell.reference);
    cell.proof_only = true;
  }
}

std::string Session::CellName(int output, uint64_t cell) const {
  size_t tensor = static_cast<size_t>(output);
  return instance(Side::kCandidate).tensors[tensor].CellName(contract_.tensors[tensor].name, cell);
}

std::optional<Where> Session::WriterOf(Side side, int output, uint64_t cell) const {
  const Kernel* kernel = subjects_.kernel(side);
  size_t index = static_cast<size_t>(side);
  if (kernel == nullptr || machines_[index] == nullptr) return std::nullopt;
  size_t tensor = static_cast<size_t>(output);
  const TensorInstance& instance = this->instance(side).tensors[tensor];
  if (!machines_[index]->WasWritten(buffer_of_tensor_[index][tensor], instance.ByteOffset(cell),
                                    static_cast<unsigned>(instance.element_bytes * 8))) {
    return std::nullopt;
  }
  return machines_[index]->DescribeOrigin(ReadCell(side, static_cast<uint32_t>(tensor), cell).writer);
}

std::optional<std::pair<Side, Where>> Session::PlaceOfOrigin(uint32_t origin) const {
  for (Side side : {Side::kCandidate, Side::kReference}) {
    const TermMachine* machine = machines_[static_cast<size_t>(side)].get();
    if (machine == nullptr || origin == 0) continue;
    Where where = machine->DescribeOrigin(origin);
    if (where.line > 0) return std::pair{side, where};
  }
  return std::nullopt;
}

std::vector<ReplayedCell> Session::ReplayAt(const InputPoint& point, const std::vector<const CellPair*>& cells) {
  std::vector<ReplayedCell> replayed(cells.size());
  for (Side side : {Side::kCandidate, Side::kReference}) {
    if (side == Side::kReference && model_ != nullptr) {
      BallEvaluator ball(store_, point);
      for (size_t i = 0; i < cells.size(); ++i) {
        BallEvaluator::Value value = ball.Evaluate(cells[i]->reference);
        if (value.kind != BallEvaluator::Value::Kind::kReal) continue;
        replayed[i].reference = EncodeNearest(cells[i]->format, Rational::FromDouble(value.middle));
      }
      continue;
    }
    Buffers buffers = MakeRun(side, &point);
    if (problem_.has_value()) return replayed;
    buffers.config.check_races = false;  // the Term run found none, and races do not depend on values here
    BitsMachine machine;
    RunResult run = machine.Run(buffers.config);
    thread_instructions_ += run.stats.thread_instructions;
    if (run.status != RunResult::Status::kCompleted || !run.findings.empty()) continue;
    for (size_t i = 0; i < cells.size(); ++i) {
      uint32_t tensor = static_cast<uint32_t>(cells[i]->output);
      const TensorInstance& instance = this->instance(side).tensors[tensor];
      CellValue value = machine.ReadCell(buffers.buffer_of_tensor[tensor], instance.ByteOffset(cells[i]->cell), cells[i]->width);
      if (value.state != CellValue::State::kConcrete) continue;
      (side == Side::kCandidate ? replayed[i].candidate : replayed[i].reference) = value.bits;
    }
  }
  return replayed;
}

RunResult Session::RunSkeleton(Side side) {
  if (subjects_.kernel(side) == nullptr) return {};  // inspect, or a model: nothing to run
  InputPoint point = MakePoint(store_, ranges_, cell_counts_, 0, 1);
  if (point.bits.size() < cell_counts_.size()) {
    Undecided("a range of the contract holds no value of its dtype");
    return {};
  }
  Buffers buffers = MakeRun(side, &point);
  RunResult result;
  if (problem_.has_value()) return result;
  buffers.config.check_races = false;
  buffers.config.record_signature = true;
  BitsMachine machine;
  result = machine.Run(buffers.config);
  thread_instructions_ += result.stats.thread_instructions;
  return result;
}

}  // namespace racer
