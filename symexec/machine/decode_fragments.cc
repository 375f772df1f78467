// A data flow without regard to order: the kinds of a register are those that any instruction of the program may write there, so that
// a register used for fragments of two kinds is refused at either. What computes values passes on the kinds of all its operands;
// loads, shuffles and mma give none, as constants do: elements placed by hand, which wmma takes (where they belong is an assumption of
// its own).
#include "symexec/machine/decode_fragments.h"

#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

#include "base/check.h"

namespace racer {
namespace {

using Form = MatrixForm;

struct FragmentKind {
  Form::Operand role = Form::Operand::kA;  // kC: accumulators
  uint16_t m = 0, n = 0, k = 0;
  bool is_col = false;                        // of A and B; accumulators have an order in memory only
  MatrixElement type = MatrixElement::kNone;  // kNone: the elements were converted since

  friend bool operator==(const FragmentKind&, const FragmentKind&) = default;
};

FragmentKind KindOf(const Form& form, Form::Operand operand) {
  const bool moves = form.kind != Form::Kind::kFragmentMultiply;  // loads and stores: one operand, one type
  FragmentKind kind{.role = operand, .m = form.m, .n = form.n, .k = form.k};
  switch (operand) {
    case Form::Operand::kA:
      kind.is_col = moves ? form.is_col : form.a_is_col;
      kind.type = form.a;
      return kind;
    case Form::Operand::kB:
      kind.is_col = moves ? form.is_col : form.b_is_col;
      kind.type = form.b;
      return kind;
    case Form::Operand::kC: kind.type = form.c; return kind;
    case Form::Operand::kD:
      kind.role = Form::Operand::kC;
      kind.type = form.d;
      return kind;
  }
  RACER_UNREACHABLE(static_cast<int>(operand));
}

bool Fits(const FragmentKind& kind, const FragmentKind& wanted) {
  FragmentKind typed = kind;
  if (typed.type == MatrixElement::kNone) typed.type = wanted.type;
  return typed == wanted;
}

std::string Text(const FragmentKind& kind) {
  const bool c = kind.role == Form::Operand::kC;
  return std::string(c                                ? "accumulators"
                     : kind.role == Form::Operand::kA ? "a"
                                                      : "b") +
         (c             ? " "
          : kind.is_col ? ".col"
                        : ".row") +
         ".m" + std::to_string(kind.m) + "n" + std::to_string(kind.n) + "k" + std::to_string(kind.k) +
         (kind.type == MatrixElement::kNone ? "" : "." + std::string(Spelling(kind.type)));
}

// Every form of wmma with its layouts and types makes 80 kinds, and 35 without types.
constexpr size_t kMaxKinds = 128;
using KindSet = std::bitset<kMaxKinds>;
constexpr size_t kFromMemory = 0;  // loaded where a fragment may have been stored

class FragmentFlow {
 public:
  explicit FragmentFlow(Program* program) : program_(*program), kinds_(1), of_row_(program->register_rows) {}

  void Run() {
    if (std::none_of(program_.matrices.begin(), program_.matrices.end(), [](const MatrixInstruction& matrix) {
          return matrix.form.kind == Form::Kind::kFragmentLoad || matrix.form.kind == Form::Kind::kFragmentMultiply;
        }))
      return;
    do {
      changed_ = false;
      for (const Decoded& in : program_.code) Flow(in);
      for (const CallSite& call : program_.calls) {
        for (const Transfer& transfer : call.arguments) Pass(transfer);
        for (const Transfer& transfer : call.results) Pass(transfer);
      }
    } while (changed_);
    for (Decoded& in : program_.code) Check(&in);
  }

 private:
  size_t IndexOf(const FragmentKind& kind) {
    const auto found = std::find(kinds_.begin() + 1, kinds_.end(), kind);
    if (found != kinds_.end()) return static_cast<size_t>(found - kinds_.begin());
    RACER_CHECK(kinds_.size() < kMaxKinds);
    kinds_.push_back(kind);
    return kinds_.size() - 1;
  }
  KindSet Only(const FragmentKind& kind) { return KindSet().set(IndexOf(kind)); }
  KindSet Converted(const KindSet& kinds) {
    KindSet converted;
    converted[kFromMemory] = kinds[kFromMemory];
    for (size_t i = 1, known = kinds_.size(); i < known; ++i) {
      if (!kinds[i]) continue;
      FragmentKind kind = kinds_[i];
      kind.type = MatrixElement::kNone;
      converted.set(IndexOf(kind));
    }
    return converted;
  }

  KindSet Read(const Source& source) const { return source.constant || source.row >= of_row_.size() ? KindSet() : of_row_[source.row]; }
  template <class Sources>
  KindSet ReadAll(const Sources& sources, size_t first, size_t count) const {
    KindSet kinds;
    for (size_t i = first; i < first + count; ++i) kinds |= Read(sources[i]);
    return kinds;
  }
  void Add(KindSet* to, const KindSet& kinds) {
    changed_ |= (*to | kinds) != *to;
    *to |= kinds;
  }
  void Write(const Dest& dest, const KindSet& kinds) {
    if (dest.row < of_row_.size()) Add(&of_row_[dest.row], kinds);
  }
  template <class Dests>
  void WriteAll(const Dests& dests, size_t first, size_t count, const KindSet& kinds) {
    for (size_t i = first; i < first + count; ++i) Write(dests[i], kinds);
  }

  // Memory says only whether a fragment may lie there; the block of call parameters, of which kinds.
  void Store(const AddressRef& address, const KindSet& kinds) {
    if (kinds.none()) return;
    if (!address.generic && address.space == Space::kCallParam) Add(&call_parameters_, kinds);
    std::bitset<kSpaceCount> stored = stored_;
    if (address.generic) {
      stored.set();
    } else {
      stored.set(static_cast<size_t>(address.space));
    }
    changed_ |= stored != stored_;
    stored_ = stored;
  }
  KindSet Load(const AddressRef& address) const {
    if (!address.generic && address.space == Space::kCallParam) return call_parameters_;
    KindSet kinds;
    if (!address.generic && (address.space == Space::kParam || address.space == Space::kConst)) return kinds;
    kinds[kFromMemory] = address.generic ? stored_.any() : stored_[static_cast<size_t>(address.space)];
    return kinds;
  }
  void Pass(const Transfer& transfer) {
    AddressRef block;
    block.space = Space::kCallParam;
    switch (transfer.kind) {
      case Transfer::Kind::kBytes: return;
      case Transfer::Kind::kRowToBytes: return Store(block, Read(transfer.source));
      case Transfer::Kind::kBytesToRow: return Write(transfer.dest, Load(block));
      case Transfer::Kind::kRowToRow: return Write(transfer.dest, Read(transfer.source));
    }
  }

  void Flow(const Decoded& in) {
    switch (in.action) {
      case Action::kValue: {
        const KindSet kinds = ReadAll(in.source, 0, in.source_count);
        WriteAll(in.dest, 0, in.dest_count, in.instruction->mnemonic == "cvt" ? Converted(kinds) : kinds);
        return;
      }
      case Action::kMove: return Write(in.dest[0], Read(in.source[0]));
      case Action::kPack: return Write(in.dest[0], ReadAll(program_.sources, in.element_first, in.element_count));
      case Action::kUnpack:
      case Action::kMoveWide: return WriteAll(program_.dests, in.element_first, in.element_count, ReadAll(in.source, 0, in.source_count));
      case Action::kLoad: return WriteAll(program_.dests, in.element_first, in.element_count, Load(in.address));
      case Action::kStore: return Store(in.address, ReadAll(program_.sources, in.element_first, in.element_count));
      case Action::kAtomic: {
        const AtomicSite& site = program_.atomics[in.target];
        Store(in.address, ReadAll(site.b, 0, site.b.size()) | ReadAll(site.c, 0, site.c.size()));
        return WriteAll(site.d, 0, site.d.size(), Load(in.address));
      }
      case Action::kCopyAsync: return Store(program_.copies[in.target].to, Load(in.address));
      case Action::kMatrix: return FlowMatrix(in, program_.matrices[in.element_first]);
      default: return;  // no results, or such as no fragment is in
    }
  }

  void FlowMatrix(const Decoded& in, const MatrixInstruction& matrix) {
    switch (matrix.form.kind) {
      case Form::Kind::kFragmentLoad:
        return WriteAll(program_.dests, matrix.d.first, matrix.d.count, Only(KindOf(matrix.form, matrix.form.operand)));
      case Form::Kind::kFragmentMultiply:
        return WriteAll(program_.dests, matrix.d.first, matrix.d.count, Only(KindOf(matrix.form, Form::Operand::kD)));
      case Form::Kind::kLoad: return WriteAll(program_.dests, matrix.d.first, matrix.d.count, Load(in.address));
      case Form::Kind::kStore: return Store(in.address, ReadAll(program_.sources, matrix.a.first, matrix.a.count));
      case Form::Kind::kFragmentStore:  // memory holds the matrix, and no fragment
      case Form::Kind::kMove:
      case Form::Kind::kMultiply: return;
    }
  }

  void Check(Decoded* in) {
    if (in->action != Action::kMatrix) return;
    MatrixInstruction& matrix = program_.matrices[in->element_first];
    if (matrix.form.kind == Form::Kind::kFragmentStore) {
      CheckOperand(in, &matrix, matrix.a, Form::Operand::kD);
    } else if (matrix.form.kind == Form::Kind::kFragmentMultiply) {
      CheckOperand(in, &matrix, matrix.a, Form::Operand::kA);
      CheckOperand(in, &matrix, matrix.b, Form::Operand::kB);
      CheckOperand(in, &matrix, matrix.c, Form::Operand::kC);
    }
  }

  void CheckOperand(Decoded* in, MatrixInstruction* matrix, const OperandRange& operand, Form::Operand role) {
    const KindSet kinds = ReadAll(program_.sources, operand.first, operand.count);
    const FragmentKind wanted = KindOf(matrix->form, role);
    matrix->through_memory |= kinds[kFromMemory];
    for (size_t i = 1; i < kinds_.size() && in->action != Action::kUnsupported; ++i) {
      if (!kinds[i] || Fits(kinds_[i], wanted)) continue;
      in->action = Action::kUnsupported;
      in->target = static_cast<uint32_t>(program_.messages.size());
      program_.messages.push_back("`" + in->instruction->FullName() + "` of a fragment that may be " + Text(kinds_[i]) + ", not " +
                                  Text(wanted) + ": undefined");
    }
  }

  Program& program_;
  std::vector<FragmentKind> kinds_;  // kFromMemory is none
  std::vector<KindSet> of_row_;
  KindSet call_parameters_;
  std::bitset<kSpaceCount> stored_;
  bool changed_ = false;
};

}  // namespace

void CheckFragments(Program* program) { FragmentFlow(program).Run(); }

}  // namespace racer
