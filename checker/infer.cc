#include "checker/infer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/check.h"
#include "checker/infer_search.h"

namespace racer {
namespace {

using Kind = ParameterFacts::Kind;
using Names = std::array<std::string, 2>;

constexpr uint64_t kMaxAlign = 256;  // what an allocation gives
constexpr int64_t kMaxGridY = 65535;
constexpr int64_t kMaxDynamicShared = 48 << 10;  // what a launch gets without asking for more
constexpr int64_t kMaxMultiple = 16;             // elements of the widest vector

struct SideState {
  SideState(const InferenceSubject& of, std::string called) : subject(of), name(std::move(called)) {}

  InferenceSubject subject;
  std::string name;
  KernelFacts facts;
  std::vector<Survivor> survivors;
  Sizes multiples{1, 1};  // of the sizes at which the survivors were tried
  bool shared_unclear = false;
  std::optional<NearMiss> near_miss, furthest;
  std::string common;                       // what most launches ran into
  std::vector<std::vector<size_t>> groups;  // survivors with the same reading and the same values
};

size_t CountOf(const KernelFacts& facts, Kind kind) {
  return static_cast<size_t>(
      std::count_if(facts.parameters.begin(), facts.parameters.end(), [&](const auto& p) { return p.kind == kind; }));
}

std::vector<const ParameterFacts*> ParametersOf(const KernelFacts& facts, Kind kind) {
  std::vector<const ParameterFacts*> list;
  for (const ParameterFacts& parameter : facts.parameters) {
    if (parameter.kind == kind) list.push_back(&parameter);
  }
  return list;
}

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kPointer: return "pointer";
    case Kind::kInteger: return "integer";
    case Kind::kFloat: return "floating-point";
    case Kind::kUnused: return "unused";
  }
  RACER_UNREACHABLE(kind);
}

// Roundings differ between block sizes, by a few units of the narrowest format that outputs have.
bool SameValues(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRelative = 1.0 / 32;
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    bool both_nan = std::isnan(a[i]) && std::isnan(b[i]);
    if (!both_nan && !(a[i] == b[i]) && !(std::fabs(a[i] - b[i]) <= kRelative * std::max(std::fabs(a[i]), std::fabs(b[i])))) return false;
  }
  return true;
}

class Inferrer {
 public:
  Inferrer(const InferenceSubject& candidate, const InferenceSubject& reference, const TrialRunner& runner) : runner_(runner) {
    sides_.emplace_back(candidate, "candidate");
    if (reference.entry != nullptr) sides_.emplace_back(reference, "reference");
  }

  Inference Run() {
    if (!StudyBoth() || !SettleUncertain() || !MatchParameters() || !ElementTypes()) return std::move(inference_);
    if (Search() && Choose()) {
      Build();
    } else {
      Draft();
    }
    return std::move(inference_);
  }

 private:
  bool Refuse(std::string reason) {
    inference_.reason = std::move(reason);
    return false;
  }

  bool StudyBoth() {
    for (SideState& side : sides_) {
      side.facts = StudyKernel(*side.subject.entry);
      if (!side.facts.refusal.empty()) return Refuse(side.name + ": " + side.facts.refusal);
      if (side.facts.block_z || side.facts.grid_z) return Refuse(side.name + ": launches in three dimensions are not inferred");
    }
    return true;
  }

  // Where one side leaves open whether a parameter is a pointer or a size, the other side's parameter at that place tells.
  bool SettleUncertain() {
    for (size_t side = 0; side < sides_.size(); ++side) {
      std::vector<ParameterFacts>& parameters = sides_[side].facts.parameters;
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].uncertain) continue;
        const ParameterFacts* other = nullptr;
        if (sides_.size() == 2 && sides_[1 - side].facts.parameters.size() == parameters.size())
          other = &sides_[1 - side].facts.parameters[i];
        if (parameters[i].unread && (sides_.size() == 1 || (other != nullptr && other->unread))) {
          // Of no kernel: any number will do.
          parameters[i].kind = Kind::kUnused;
          continue;
        }
        if (other == nullptr || other->uncertain) {
          return Refuse(sides_[side].name + ": parameter " + parameters[i].name + " may be a pointer or a size");
        }
        parameters[i].kind = other->kind;
        parameters[i].uncertain = false;
      }
    }
    return true;
  }

  // The k-th pointer of one side is the k-th of the other, and so are integers and floats.
  bool MatchParameters() {
    const KernelFacts& facts = sides_[0].facts;
    for (const SideState& side : sides_) {
      for (Kind kind : {Kind::kPointer, Kind::kInteger, Kind::kFloat}) {
        if (CountOf(side.facts, kind) == CountOf(facts, kind)) continue;
        return Refuse("the candidate has " + std::to_string(CountOf(facts, kind)) + " " + std::string(KindName(kind)) +
                      " parameters and the reference " + std::to_string(CountOf(side.facts, kind)));
      }
      for (const ParameterFacts& parameter : side.facts.parameters) {
        if (parameter.kind == Kind::kInteger && ClassOf(parameter.type) == TypeClass::kBits) {
          return Refuse(side.name + ": parameter " + parameter.name + " of type ." + std::string(Spelling(parameter.type)) +
                        " may be an integer or a float");
        }
        if (parameter.kind == Kind::kFloat && !CanTry(parameter.type)) {
          return Refuse(side.name + ": parameter " + parameter.name + " of type ." + std::string(Spelling(parameter.type)) +
                        " is not inferred");
        }
      }
    }
    size_t sizes = CountOf(facts, Kind::kInteger);
    if (sizes == 0) return Refuse("no integer parameter says how large the tensors are");
    if (sizes > 2) return Refuse(std::to_string(sizes) + " integer parameters; at most two sizes are inferred");
    if (CountOf(facts, Kind::kPointer) == 0) return Refuse("no parameter is used as a pointer");
    for (size_t i = 0; i < CountOf(facts, Kind::kFloat); ++i) {
      for (const SideState& side : sides_) {
        if (ParametersOf(side.facts, Kind::kFloat)[i]->type != ParametersOf(facts, Kind::kFloat)[i]->type) {
          return Refuse("floating-point parameter " + std::to_string(i + 1) + " differs in type between the kernels");
        }
      }
    }
    return true;
  }

  bool ElementTypes() {
    for (size_t i = 0; i < CountOf(sides_[0].facts, Kind::kPointer); ++i) {
      std::set<ScalarType> types;
      std::vector<const ParameterFacts*> pointers;
      bool floating = false;
      uint64_t align = 1;
      for (const SideState& side : sides_) {
        const ParameterFacts& pointer = *ParametersOf(side.facts, Kind::kPointer)[i];
        if (std::optional<ScalarType> type = ElementTypeOf(pointer)) types.insert(*type);
        pointers.push_back(&pointer);
        floating |= side.facts.floating;
        align = std::max({align, pointer.declared_align, uint64_t{pointer.widest_access}});
      }
      std::string name = "pointer parameter " + std::to_string(i + 1);
      if (types.empty()) {
        if (std::optional<ScalarType> type = IntegerTypeOf(pointers, floating)) types.insert(*type);
      }
      if (types.empty()) return Refuse("the element type of " + name + " does not show in the instructions");
      if (types.size() > 1) return Refuse("the kernels take " + name + " for different element types");
      if (!CanTry(*types.begin())) return Refuse("tensors of " + std::string(Spelling(*types.begin())) + " are not inferred");
      dtypes_.push_back(*types.begin());
      align = std::max<uint64_t>(align, BitWidth(dtypes_.back()) / 8);
      if (align > kMaxAlign || (align & (align - 1)) != 0) return Refuse(name + " has alignment " + std::to_string(align));
      aligns_.push_back(align);
    }
    return true;
  }

  bool Search() {
    for (SideState& side : sides_) {
      for (const Sizes& multiples : MultiplesToTry(side)) {
        if (!SearchWith(side, multiples)) return false;
        if (!side.survivors.empty()) break;
      }
      if (side.survivors.empty() && side.shared_unclear) {
        return Refuse(side.name + ": how much dynamic shared memory a launch needs is neither a number nor linear in one size");
      }
      if (side.survivors.empty()) {
        const std::optional<NearMiss>& closest = side.near_miss || !side.common.empty() ? side.near_miss : side.furthest;
        if (closest) inference_.candidates.push_back(side.name + ": " + LaunchText(closest->launch) + ", which " + closest->what);
        return Refuse("no launch was found under which the " + side.name +
                      " writes every output exactly once and stays inside its tensors at all sizes" + AtomicsText(side) +
                      (side.near_miss ? "" : side.common));
      }
    }
    // One side that takes every size and one that does not: restricted on purpose or missing a tail, only a contract can tell.
    if (sides_.size() == 2 && sides_[0].multiples != sides_[1].multiples) {
      for (SideState& side : sides_) {
        Group(side);
        ListGroups(side);
      }
      return Refuse(MultiplesText());
    }
    return true;
  }

  // Every size first. Kernels that move vectors may take only multiples of their width, of one size or the other.
  std::vector<Sizes> MultiplesToTry(const SideState& side) const {
    std::vector<Sizes> list{{1, 1}};
    unsigned width = 1;
    std::vector<const ParameterFacts*> pointers = ParametersOf(side.facts, Kind::kPointer);
    for (size_t i = 0; i < pointers.size(); ++i) width = std::max(width, pointers[i]->widest_access / (BitWidth(dtypes_[i]) / 8));
    bool two = CountOf(side.facts, Kind::kInteger) == 2;
    for (int64_t multiple = 2; multiple <= static_cast<int64_t>(width) && multiple <= kMaxMultiple; multiple *= 2) {
      if (two) list.push_back({1, multiple});
      list.push_back({multiple, 1});
    }
    return list;
  }

  static std::string SizesText(const Sizes& multiples) {
    const Names names = {"N", "H"};
    for (size_t i = 0; i < multiples.size(); ++i) {
      if (multiples[i] != 1) return "only where " + names[i] + " is a multiple of " + std::to_string(multiples[i]);
    }
    return "at every size";
  }

  std::string MultiplesText() const {
    return "the candidate works " + SizesText(sides_[0].multiples) + " and the reference " + SizesText(sides_[1].multiples);
  }

  bool SearchWith(SideState& side, const Sizes& multiples) {
    TrialSubject subject{side.subject.module, side.subject.entry, &side.facts, dtypes_, aligns_, multiples};
    LaunchSearch search(subject, runner_);
    side.survivors = search.Survivors();
    side.multiples = multiples;
    side.shared_unclear = side.shared_unclear || search.shared_unclear();
    inference_.unmodelled = search.unmodelled();
    if (side.common.empty()) {
      for (const CommonFault& fault : search.Common()) {
        side.common += side.common.empty() ? "; of " + std::to_string(search.tried()) + " launches tried " : ", ";
        side.common += std::to_string(fault.launches) + " ran into " + fault.what;
      }
    }
    if (!search.stopped().empty()) return Refuse(side.name + ": " + search.stopped());
    // A launch that only a race or a missed row speaks against may be the one that is meant.
    if (side.survivors.empty() && search.doubtful().empty() && !side.near_miss) side.near_miss = search.Nearest();
    if (!side.furthest) side.furthest = search.Furthest();
    if (search.doubtful().empty()) return true;
    // Where no launch avoids the race, the contract is one that shows it.
    if (side.survivors.empty() && !(side.multiples[0] > 1 || side.multiples[1] > 1)) {
      if (std::optional<Survivor> raced = search.RacesAlways()) {
        side.survivors.push_back(std::move(*raced));
        return true;
      }
    }
    ListDoubtful(side, search.doubtful());
    Group(side);
    ListGroups(side);
    return Refuse("the " + side.name + " may be meant for a launch under which it is wrong");
  }

  // Each fault once, with the launches that have it.
  void ListDoubtful(const SideState& side, const std::vector<DoubtfulLaunch>& list) {
    constexpr size_t kShown = 3;
    std::vector<std::pair<std::string, std::vector<std::string>>> faults;
    for (const DoubtfulLaunch& launch : list) {
      auto fault = std::find_if(faults.begin(), faults.end(), [&](const auto& known) { return known.first == launch.what; });
      if (fault == faults.end()) fault = faults.insert(faults.end(), {launch.what, {}});
      fault->second.push_back(LaunchText(launch.launch));
    }
    for (const auto& [what, launches] : faults) {
      std::string text;
      for (size_t i = 0; i < std::min(kShown, launches.size()); ++i) text += (i == 0 ? "" : " or ") + launches[i];
      if (launches.size() > kShown) text += " or " + std::to_string(launches.size() - kShown) + " more";
      inference_.candidates.push_back(side.name + ": " + text + ", which " + what);
    }
  }

  // CTAs that only add to what others write look like work done twice, and what is there at the start does not show.
  static std::string AtomicsText(const SideState& side) {
    std::string names;
    for (const ParameterFacts* pointer : ParametersOf(side.facts, Kind::kPointer)) {
      if (pointer->atomic) names += (names.empty() ? "" : ", ") + pointer->name;
    }
    return names.empty() ? "" : "; it updates " + names + " by atomics, which only a contract can say the initial value of (init = 0)";
  }

  static std::string LaunchText(const LaunchForm& launch) {
    return "grid = " + launch.GridText({"N", "H"}) + ", block = " + BlockText(launch.block);
  }

  void Group(SideState& side) const {
    for (size_t i = 0; i < side.survivors.size(); ++i) {
      auto same = [&](const std::vector<size_t>& group) {
        const Survivor& first = side.survivors[group.front()];
        return first.reading == side.survivors[i].reading && SameValues(first.values, side.survivors[i].values);
      };
      auto found = std::find_if(side.groups.begin(), side.groups.end(), same);
      if (found != side.groups.end()) {
        found->push_back(i);
      } else {
        side.groups.push_back({i});
      }
    }
  }

  // One way to read each side. Launches under which both sides compute the same settle it; else each side must leave one.
  bool Choose() {
    for (SideState& side : sides_) Group(side);
    std::vector<std::pair<size_t, size_t>> agreeing;
    if (sides_.size() == 2) {
      for (size_t c = 0; c < sides_[0].groups.size(); ++c) {
        for (size_t r = 0; r < sides_[1].groups.size(); ++r) {
          const Survivor& candidate = sides_[0].survivors[sides_[0].groups[c].front()];
          const Survivor& reference = sides_[1].survivors[sides_[1].groups[r].front()];
          if (candidate.reading == reference.reading && SameValues(candidate.values, reference.values)) agreeing.emplace_back(c, r);
        }
      }
    }
    if (agreeing.size() == 1) {
      chosen_ = {agreeing[0].first, agreeing[0].second};
    } else {
      for (const SideState& side : sides_) {
        if (side.groups.size() > 1) {
          for (const SideState& listed : sides_) ListGroups(listed);
          return Refuse("more than one way to launch the " + side.name + " fits, with different results");
        }
      }
      chosen_ = {0, 0};
    }
    // A kernel that tells CTAs apart was written for more than one: right with one alone is no way to read it.
    for (size_t i = 0; i < sides_.size(); ++i) {
      const LaunchForm& launch = Chosen(i).launch;
      if (!sides_[i].facts.grid_index || launch.grid.over != 0 || launch.grid_y.over != 0) continue;
      ListGroups(sides_[i]);
      return Refuse("the " + sides_[i].name + " reads %ctaid, and only one CTA was found to launch it right");
    }
    reading_ = Chosen(0).reading;
    if (sides_.size() == 2) {
      const Reading& other = Chosen(1).reading;
      if (!SameParts(reading_, other)) {
        for (const SideState& listed : sides_) ListGroups(listed);
        return Refuse("the kernels, whose parameters are matched by their order, read or write different parts of their tensors");
      }
      for (size_t i = 0; i < reading_.roles.size(); ++i) {
        if ((other.roles[i] == Role::kInout) == (reading_.roles[i] == Role::kInout)) continue;
        for (const SideState& listed : sides_) ListGroups(listed);
        return Refuse(
            "one kernel reads what its output holds before, the other only writes it: whether it holds something is up to the caller");
      }
    }
    return true;
  }

  static bool SameParts(const Reading& a, const Reading& b) {
    bool same_outputs = true;
    for (size_t i = 0; i < a.roles.size(); ++i) same_outputs = same_outputs && (a.roles[i] == Role::kIn) == (b.roles[i] == Role::kIn);
    return same_outputs && a.extents == b.extents;
  }

  bool Found(size_t side) const { return !sides_[side].groups.empty(); }
  const Survivor& Chosen(size_t side) const { return sides_[side].survivors[sides_[side].groups[chosen_[side]].front()]; }

  void ListGroups(const SideState& side) {
    Names names = {"N", "H"};
    for (const std::vector<size_t>& group : side.groups) {
      const Survivor& survivor = side.survivors[group.front()];
      std::string line = side.name + ": " + LaunchText(survivor.launch);
      for (size_t i = 0; i < survivor.reading.extents.size(); ++i) {
        line += ", " + std::string(RoleName(survivor.reading.roles[i])) + ShapeText(survivor.reading.extents[i], names, 0);
      }
      inference_.candidates.push_back(line);
    }
  }

  static std::string BlockText(const Dim3& block) {
    std::string text = "[" + std::to_string(block[0]);
    if (block[1] != 1) text += ", " + std::to_string(block[1]);
    return text + "]";
  }

  // Rows first: `row` is the index of that size.
  static std::string ShapeText(SizeMask extent, const Names& names, size_t row) {
    auto quoted = [&](size_t i) { return "\"" + names[i] + "\""; };
    if (extent == 0) return "[\"1\"]";
    if (extent == 1) return "[" + quoted(0) + "]";
    if (extent == 2) return "[" + quoted(1) + "]";
    return "[" + quoted(row) + ", " + quoted(1 - row) + "]";
  }

  // ---- the contract as text; what is printed is what is used

  // Names of the candidate's parameters where a person gave them, else by role.
  std::string NameFor(const std::string& written, const std::string& otherwise) {
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    bool plain = !written.empty() && written.size() <= 32 && letter(written[0]) && written.find("_param_") == std::string::npos &&
                 std::all_of(written.begin(), written.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
    std::string base = plain ? written : otherwise;
    std::string name = base;
    for (int next = 2; name == "alias" || name == "min" || name == "max" || name == "ceildiv" || !names_.insert(name).second; ++next) {
      name = base + std::to_string(next);
    }
    return name;
  }

  // Of a tensor of two sizes, the one that counts rows: the reference is asked first.
  size_t RowOf(size_t pointer, size_t otherwise) const {
    for (size_t side = sides_.size(); side-- > 0;) {
      if (!Found(side)) continue;
      if (const int slow = Chosen(side).slow[pointer]; slow >= 0) return static_cast<size_t>(slow);
    }
    return otherwise;
  }

  void Build() {
    Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("inferred contract", Toml()));
    if (!contract.ok()) {
      // Only names can be at fault: an entry's name with quotes cannot come from PTX.
      Refuse("the inferred contract does not hold: " + contract.error().message);
      return;
    }
    inference_.contract = std::move(*contract);
  }

  // No contract was settled on: one to start from says what was found all the same.
  void Draft() {
    std::optional<size_t> first;
    for (size_t side = 0; side < sides_.size(); ++side) {
      if (!Found(side)) Group(sides_[side]);
      if (!Found(side)) continue;
      // Its rows may be counted by the grid alone.
      const LaunchForm& launch = Chosen(side).launch;
      if (sides_[side].facts.grid_index && launch.grid.over == 0 && launch.grid_y.over == 0) return;
      if (!first) first = side;
    }
    if (!first || (sides_.size() == 2 && Found(0) && Found(1) && !SameParts(Chosen(0).reading, Chosen(1).reading))) return;
    reading_ = Chosen(*first).reading;
    // Of what the kernel that was found a launch for never reads the other may know more.
    const std::vector<const ParameterFacts*> pointers = ParametersOf(sides_[*first].facts, Kind::kPointer);
    for (size_t i = 0; i < pointers.size(); ++i) {
      if (!pointers[i]->unread) continue;
      reading_.extents[i] = 1;
      remarks_[i] = "  # the " + sides_[*first].name + " never reads it: shape and role are guesses";
    }
    std::string toml = "# from the launches that were tried; sizes, grids and blocks need a look\n" + Toml();
    if (ParseContract(std::make_shared<SourceFile>("draft", toml)).ok()) inference_.draft = std::move(toml);
  }

  // A side under whose launches nothing worked: an element a thread, as many threads as the kernel says.
  LaunchForm Guess(size_t side) const {
    const ir::LaunchBounds& bounds = sides_[side].subject.entry->bounds;
    LaunchForm launch{{1, 256, 0}, {256, 1, 1}};
    if (const auto& extents = bounds.reqntid ? bounds.reqntid : bounds.maxntid) {
      launch.block = *extents;
      launch.grid.divisor = static_cast<int64_t>(uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]);
    }
    return launch;
  }
  LaunchForm LaunchOf(size_t side) const { return Found(side) ? Chosen(side).launch : Guess(side); }

  // Of what was chosen for the sides.
  std::string Toml() {
    const KernelFacts& facts = sides_[0].facts;
    size_t size_count = CountOf(facts, Kind::kInteger);
    // Rows are what the grid counts; where it counts both or neither, a tensor of one size has the columns.
    size_t row = 0;
    auto rows_of = [](const LaunchForm& launch) { return launch.grid_y.over != 0 ? launch.grid_y.over : launch.grid.over; };
    SizeMask over = Found(0) ? rows_of(Chosen(0).launch) : SizeMask{0};
    if (sides_.size() == 2 && Found(1) && (over == 0 || over == 3)) over = rows_of(Chosen(1).launch);
    if (over == 2) row = 1;
    if (over == 0 || over == 3) {
      for (SizeMask extent : reading_.extents) {
        if (extent == 1 && size_count == 2) row = 1;
      }
    }
    std::vector<const ParameterFacts*> integers = ParametersOf(facts, Kind::kInteger);
    Names sizes;
    for (size_t i = 0; i < size_count; ++i) sizes[i] = NameFor(integers[i]->name, i == row ? "N" : "H");
    std::string toml = "id = \"inferred." + sides_[0].subject.entry->name + "\"\nversion = 1\n\n[dims]";
    if (sides_.size() == 2 && Found(0) && Found(1) && sides_[0].multiples != sides_[1].multiples) toml += "  # " + MultiplesText();
    toml += "\n";
    for (size_t i = 0; i < size_count; ++i) {
      int64_t most = size_count == 1 ? 1 << 20 : i == row ? 65536 : 16384;
      int64_t multiple = 1;
      for (size_t side = 0; side < sides_.size(); ++side) {
        const LaunchForm launch = LaunchOf(side);
        if (Found(side)) multiple = std::max(multiple, sides_[side].multiples[i]);
        if ((launch.grid_y.over >> i & 1) != 0) most = std::min(most, kMaxGridY * launch.grid_y.divisor);
        if (launch.shared.per[i] > 0) most = std::min(most, (kMaxDynamicShared - launch.shared.fixed) / launch.shared.per[i]);
      }
      most -= most % multiple;
      toml += sizes[i] + " = { min = " + std::to_string(multiple) + ", max = " + std::to_string(most);
      if (multiple != 1) toml += ", multiple_of = " + std::to_string(multiple);
      toml += " }\n";
    }
    toml += "\n[tensors]\n";
    std::vector<std::string> tensors;
    std::vector<const ParameterFacts*> pointers = ParametersOf(facts, Kind::kPointer);
    for (size_t i = 0; i < pointers.size(); ++i) {
      bool vector = size_count == 2 && reading_.extents[i] != 3;
      tensors.push_back(NameFor(pointers[i]->name, reading_.roles[i] != Role::kIn ? "y" : vector ? "w" : "x"));
      toml += tensors[i] + " = { dtype = \"" + std::string(Spelling(dtypes_[i])) +
              "\", shape = " + ShapeText(reading_.extents[i], sizes, RowOf(i, row)) + ", role = \"" +
              std::string(RoleName(reading_.roles[i])) + "\"";
      if (aligns_[i] != BitWidth(dtypes_[i]) / 8) toml += ", align = " + std::to_string(aligns_[i]);
      toml += " }" + (remarks_.contains(i) ? remarks_[i] : "") + "\n";
    }
    std::vector<std::string> scalars;
    std::vector<const ParameterFacts*> floats = ParametersOf(facts, Kind::kFloat);
    if (!floats.empty()) toml += "\n[scalars]\n";
    for (const ParameterFacts* parameter : floats) {
      scalars.push_back(NameFor(parameter->name, "s"));
      toml += scalars.back() + " = { dtype = \"" + std::string(Spelling(parameter->type)) + "\" }\n";
    }
    for (size_t side = 0; side < sides_.size(); ++side) {
      toml += "\n[" + sides_[side].name + "]\nargs = [";
      std::array<size_t, 4> next{};
      for (size_t i = 0; i < sides_[side].facts.parameters.size(); ++i) {
        Kind kind = sides_[side].facts.parameters[i].kind;
        size_t at = next[static_cast<size_t>(kind)]++;
        std::string name = kind == Kind::kPointer   ? tensors[at]
                           : kind == Kind::kInteger ? sizes[at]
                           : kind == Kind::kFloat   ? scalars[at]
                                                    : "0";
        toml += std::string(i == 0 ? "" : ", ") + "\"" + name + "\"";
      }
      const LaunchForm launch = LaunchOf(side);
      toml += Found(side) ? "]" : "]  # grid and block are guesses";
      toml += "\ngrid = [\"" + launch.grid.ToText(sizes) + "\"";
      if (launch.grid_y.over != 0) toml += ", \"" + launch.grid_y.ToText(sizes) + "\"";
      toml += "]\nblock = " + BlockText(launch.block) + "\n";
      if (sides_[side].facts.dynamic_shared) toml += "dynamic_shared = \"" + launch.shared.ToText(sizes) + "\"\n";
    }
    return toml;
  }

  const TrialRunner& runner_;
  std::vector<SideState> sides_;
  std::vector<ScalarType> dtypes_;
  std::vector<uint64_t> aligns_;
  std::array<size_t, 2> chosen_{};
  Reading reading_;
  std::map<size_t, std::string> remarks_;  // of a draft, by pointer parameter
  std::set<std::string> names_;
  Inference inference_;
};

}  // namespace

Inference InferWith(const InferenceSubject& candidate, const InferenceSubject& reference, const TrialRunner& runner) {
  return Inferrer(candidate, reference, runner).Run();
}

Inference InferContract(const Kernel& candidate, const Kernel* reference, const Options& options) {
  InferenceSubject other;
  if (reference != nullptr) other = {reference->module.get(), reference->entry};
  return InferWith({candidate.module.get(), candidate.entry}, other, MachineTrialRunner());
}

}  // namespace racer
