#include "checker/skeleton.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "checker/kernel_facts.h"

namespace racer {
namespace {

using Kind = ParameterFacts::Kind;

constexpr size_t kMaxName = 32;

// One kernel's parameters; without a value: a structure or a vector, for which the skeleton has no guess.
std::vector<std::optional<ParameterFacts>> ParametersOf(const ir::Function& entry) {
  KernelFacts facts = StudyKernel(entry);
  const bool studied = facts.refusal.empty() && facts.parameters.size() == entry.params.size();
  std::vector<std::optional<ParameterFacts>> list;
  for (size_t i = 0; i < entry.params.size(); ++i) {
    const ir::Variable& parameter = *entry.params[i];
    if (studied) {
      list.emplace_back(facts.parameters[i]);
      // As likely as a size, and the access to it was not followed.
      if (facts.parameters[i].uncertain) list.back()->kind = Kind::kPointer;
      continue;
    }
    const TypeClass type_class = ClassOf(parameter.type);
    if (!parameter.dims.empty() || parameter.vector != 1 || type_class == TypeClass::kPredicate || type_class == TypeClass::kOpaque) {
      list.emplace_back();
      continue;
    }
    ParameterFacts plain;
    plain.name = parameter.name;
    plain.type = parameter.type;
    plain.declared_align = parameter.pointer_align;
    plain.uncertain = true;
    plain.kind = type_class == TypeClass::kFloat ? Kind::kFloat : BitWidth(parameter.type) == 64 ? Kind::kPointer : Kind::kInteger;
    list.emplace_back(std::move(plain));
  }
  return list;
}

class Skeleton {
 public:
  Skeleton(const Kernel& candidate, const Kernel* reference) {
    sides_.push_back({"candidate", &candidate, ParametersOf(*candidate.entry)});
    if (reference != nullptr) sides_.push_back({"reference", reference, ParametersOf(*reference->entry)});
    SettleUnread();
  }

  std::string Text() {
    // The k-th pointer of one side is the k-th of the other, and so are integers and floats.
    for (Kind kind : {Kind::kInteger, Kind::kPointer, Kind::kFloat}) {
      for (size_t k = 0; Nth(kind, k) != nullptr; ++k) names_[static_cast<size_t>(kind)].push_back(NameFor(kind, *Nth(kind, k), k));
    }
    return "id = \"" + Plain(sides_[0].kernel->entry->name, "kernel") + "\"\nversion = 1\n" + Dims() + Tensors() + Scalars() + Calls();
  }

 private:
  struct SideParameters {
    std::string name;
    const Kernel* kernel;
    std::vector<std::optional<ParameterFacts>> parameters;
  };
  // What one kernel never reads is what the other takes at that place; what neither does is left out.
  void SettleUnread() {
    const std::vector<SideParameters> before = sides_;
    for (size_t side = 0; side < sides_.size(); ++side) {
      const auto* others =
          sides_.size() == 2 && before[0].parameters.size() == before[1].parameters.size() ? &before[1 - side].parameters : nullptr;
      for (size_t i = 0; i < sides_[side].parameters.size(); ++i) {
        auto& parameter = sides_[side].parameters[i];
        if (!parameter.has_value() || !parameter->unread) continue;
        const bool known = others != nullptr && (*others)[i].has_value() && !(*others)[i]->unread;
        parameter->kind = known ? (*others)[i]->kind : Kind::kUnused;
      }
    }
  }

  // Whether a kernel computes with floating-point values, as far as that is known.
  bool Floating() const {
    return std::any_of(sides_.begin(), sides_.end(), [](const SideParameters& side) {
      const KernelFacts facts = StudyKernel(*side.kernel->entry);
      return facts.floating || !facts.refusal.empty();
    });
  }

  static const ParameterFacts* NthOf(const SideParameters& side, Kind kind, size_t k) {
    for (const auto& parameter : side.parameters) {
      if (parameter.has_value() && parameter->kind == kind && k-- == 0) return &*parameter;
    }
    return nullptr;
  }
  const ParameterFacts* Nth(Kind kind, size_t k) const {
    for (const SideParameters& side : sides_) {
      if (const ParameterFacts* found = NthOf(side, kind, k)) return found;
    }
    return nullptr;
  }

  // A name that TOML, expressions and a person can read.
  static std::string Plain(const std::string& written, const std::string& otherwise) {
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    bool plain = !written.empty() && letter(written[0]) &&
                 std::all_of(written.begin(), written.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
    return plain ? written : otherwise;
  }

  std::string NameFor(Kind kind, const ParameterFacts& parameter, size_t k) {
    static constexpr std::array<const char*, 4> kSizes = {"N", "H", "K", "M"};
    std::string role = kind == Kind::kInteger ? kSizes[k % kSizes.size()] : kind == Kind::kFloat ? "s" : Stored(k) ? "y" : "x";
    bool given = parameter.name.size() <= kMaxName && parameter.name.find("_param_") == std::string::npos;
    std::string base = given ? Plain(parameter.name, role) : role;
    std::string name = base;
    for (int next = 2; name == "alias" || name == "min" || name == "max" || name == "ceildiv" || !used_.insert(name).second; ++next) {
      name = base + std::to_string(next);
    }
    return name;
  }

  bool Any(size_t k, bool ParameterFacts::* what) const {
    return std::any_of(sides_.begin(), sides_.end(), [&](const SideParameters& side) {
      const ParameterFacts* pointer = NthOf(side, Kind::kPointer, k);
      return pointer != nullptr && pointer->*what;
    });
  }
  bool Stored(size_t k) const { return Any(k, &ParameterFacts::stored); }
  bool AnyStored() const {
    for (size_t k = 0; Nth(Kind::kPointer, k) != nullptr; ++k) {
      if (Stored(k)) return true;
    }
    return false;
  }

  const std::vector<std::string>& Names(Kind kind) const { return names_[static_cast<size_t>(kind)]; }
  std::string Size() const { return Names(Kind::kInteger).empty() ? "n" : Names(Kind::kInteger)[0]; }

  // With several sizes: the outputs and the first tensor have two of them, as most kernels over rows do.
  std::string Shape(size_t k, bool stored) const {
    const std::vector<std::string>& sizes = Names(Kind::kInteger);
    if (sizes.size() < 2) return "[\"" + Size() + "\"]";
    return stored || k == 0 ? "[\"" + sizes[0] + "\", \"" + sizes[1] + "\"]" : "[\"" + sizes[1] + "\"]";
  }

  std::string Dims() const {
    std::string text = "\n[dims]  # every size, with the values that it may have\n";
    for (const std::string& name : Names(Kind::kInteger)) text += name + " = { min = 1, max = 1024 }\n";
    if (Names(Kind::kInteger).empty()) text += "n = 1024  # no parameter is a size: the kernel has it built in\n";
    return text;
  }

  std::string Tensors() const {
    const bool floating = Floating();
    std::string text = "\n[tensors]  # in, out or inout; the shape is a guess\n";
    for (size_t k = 0; k < Names(Kind::kPointer).size(); ++k) {
      std::set<ScalarType> types;
      uint64_t align = 1;
      unsigned narrowest = 64;  // bits, of what is loaded and stored
      std::vector<const ParameterFacts*> pointers;
      for (const SideParameters& side : sides_) {
        const ParameterFacts* pointer = NthOf(side, Kind::kPointer, k);
        if (pointer == nullptr) continue;
        pointers.push_back(pointer);
        if (pointer->narrowest_element != 0) narrowest = std::min(narrowest, pointer->narrowest_element);
        if (std::optional<ScalarType> type = ElementTypeOf(*pointer)) types.insert(*type);
        align = std::max({align, pointer->declared_align, uint64_t{pointer->widest_access}});
      }
      if (types.empty()) {
        if (std::optional<ScalarType> type = IntegerTypeOf(pointers, floating)) types.insert(*type);
      }
      const ScalarType dtype = types.size() == 1 ? *types.begin()
                               : narrowest == 8  ? ScalarType::kU8
                               : narrowest == 16 ? ScalarType::kF16
                                                 : ScalarType::kF32;
      const bool loaded = Any(k, &ParameterFacts::loaded);
      // A contract needs an output: where no store shows, it is most often the last pointer.
      const bool stored = Stored(k) || (!AnyStored() && k + 1 == Names(Kind::kPointer).size());
      const bool atomic = Any(k, &ParameterFacts::atomic);
      text += Names(Kind::kPointer)[k] + " = { dtype = \"" + std::string(Spelling(dtype)) + "\", shape = " + Shape(k, stored) +
              ", role = \"" + (stored ? loaded && !atomic ? "inout" : "out" : "in") + "\"";
      if (atomic) text += ", init = 0";
      if (align > BitWidth(dtype) / 8) text += ", align = " + std::to_string(align);
      text += " }";
      std::string remark;
      auto remarks = [&](const std::string& more) { remark += (remark.empty() ? "  # " : "; ") + more; };
      if (types.size() != 1) remarks("the dtype does not show in the instructions");
      if (!Stored(k) && !loaded) remarks(types.size() != 1 ? "neither does the role" : "the role does not show in the instructions");
      if (atomic) remarks("updated by atomics: init is what it holds before the launch, or role = \"inout\" for any value");
      text += remark;
      text += "\n";
    }
    return text;
  }

  std::string Scalars() const {
    if (Names(Kind::kFloat).empty()) return "";
    std::string text = "\n[scalars]  # any finite value, or range = \"(0, 1]\", or value = \"1/" + Size() + "\"\n";
    for (size_t k = 0; k < Names(Kind::kFloat).size(); ++k) {
      text += Names(Kind::kFloat)[k] + " = { dtype = \"" + std::string(Spelling(Nth(Kind::kFloat, k)->type)) + "\" }\n";
    }
    return text;
  }

  // As many threads a CTA as the kernel says that it has, or takes at most.
  std::string Launch(const ir::LaunchBounds& bounds) const {
    const auto& extents = bounds.reqntid ? bounds.reqntid : bounds.maxntid;
    if (!extents) return "\ngrid = [\"ceildiv(" + Size() + ", 256)\"]\nblock = [256]\n";
    const auto& [x, y, z] = *extents;
    std::string block = std::to_string(x);
    if (y > 1 || z > 1) block += ", " + std::to_string(y);
    if (z > 1) block += ", " + std::to_string(z);
    return "\ngrid = [\"ceildiv(" + Size() + ", " + std::to_string(uint64_t{x} * y * z) + ")\"]\nblock = [" + block + "]\n";
  }

  std::string Calls() const {
    std::string text;
    for (const SideParameters& side : sides_) {
      const std::string entry = EscapeForTerminal(side.kernel->entry->name);
      text += "\n[" + side.name + "]  # " + entry + "; grid and block are guesses\nargs = [";
      std::array<size_t, 3> next{};
      std::string unknown;
      for (size_t i = 0; i < side.parameters.size(); ++i) {
        text += i == 0 ? "" : ", ";
        if (!side.parameters[i].has_value()) {
          text += "\"0\"";
          unknown += (unknown.empty() ? "" : ", ") + std::to_string(i + 1);
          continue;
        }
        if (side.parameters[i]->kind == Kind::kUnused) {
          text += "\"0\"";
          continue;
        }
        const size_t kind = static_cast<size_t>(side.parameters[i]->kind);
        text += "\"" + names_[kind][next[kind]++] + "\"";
      }
      text += "]";
      if (!unknown.empty()) text += "  # 0 stands for a structure or a vector: parameter " + unknown;
      text += Launch(side.kernel->entry->bounds);
    }
    return text;
  }

  std::vector<SideParameters> sides_;
  std::array<std::vector<std::string>, 3> names_;
  std::set<std::string> used_;
};

}  // namespace

std::string SkeletonContract(const Kernel& candidate, const Kernel* reference) { return Skeleton(candidate, reference).Text(); }

}  // namespace racer
