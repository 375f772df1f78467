#include "checker/shapes.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "base/check.h"

namespace racer {
namespace {

constexpr int64_t kWarp = 32;
constexpr int64_t kMaxTiles = 64;
constexpr int64_t kMaxProduct = int64_t{1} << 40;
constexpr int64_t kMaxDispatchSteps = 256;
constexpr int64_t kManyRows = 1024;  // CTAs of a launch just at a literal that is not compared with
constexpr int64_t kManyCells = int64_t{1} << 20;
constexpr int64_t kEverySize = 512;    // all dims of this size together
constexpr int64_t kLargeValue = 8192;  // no candidate value is larger unless the domain has nothing smaller

// Values of one dim in order of interest, before the domain has its say.
class Values {
 public:
  void Add(int64_t value) {
    if (value >= 1 && value <= kLargeValue && seen_.insert(value).second) values_.push_back(value);
  }
  void Add(std::initializer_list<int64_t> values) {
    for (int64_t value : values) Add(value);
  }
  const std::vector<int64_t>& list() const { return values_; }

 private:
  std::set<int64_t> seen_;
  std::vector<int64_t> values_;
};

class ShapeChooser {
 public:
  explicit ShapeChooser(const Contract& contract) : contract_(contract) { Study(); }

  // Shapes with the pinned dims as given (0: free), most interesting first.
  std::vector<DimAssignment> Choose(const DimAssignment& pinned, size_t max) {
    std::vector<DimAssignment> shapes;
    std::set<DimAssignment> seen;
    auto add = [&](DimAssignment dims, size_t varied) {
      if (shapes.size() < max && Settle(dims, pinned, varied) && seen.insert(dims).second) shapes.push_back(std::move(dims));
    };
    std::vector<size_t> open;
    for (size_t i = 0; i < contract_.dims.size(); ++i) {
      if (pinned[i] == 0) open.push_back(i);
    }
    DimAssignment base = pinned;
    for (size_t i : open) base[i] = rows_[i] ? 2 : 33;
    if (open.empty()) {
      add(base, 0);
      return shapes;
    }
    add(base, open.front());
    // Two tiles and a tail under a few rows: what reuses shared memory from tile to tile and from row to row shows here.
    DimAssignment tiles = base;
    for (size_t i : open) tiles[i] = rows_[i] ? 3 : values_[i].list().front();
    add(tiles, open.front());
    // A few CTAs along every axis of the grid, not equally many.
    DimAssignment ctas = base;
    size_t axis = 0;
    for (size_t i : open) {
      if (in_grid_[i]) ctas[i] = (2 + static_cast<int64_t>(axis++ % 2)) * tiles_[i] + 1;
    }
    add(ctas, open.front());
    // The corner of the domain, which no dim alone reaches.
    DimAssignment smallest = base;
    for (size_t i : open) smallest[i] = 1;
    add(smallest, open.front());
    // Every open dim in turn takes its next value, the others stay small.
    size_t longest = 0;
    for (size_t i : open) longest = std::max(longest, values_[i].list().size());
    for (size_t round = 0; round < longest; ++round) {
      for (size_t i : open) {
        if (round >= values_[i].list().size()) continue;
        DimAssignment dims = base;
        dims[i] = values_[i].list()[round];
        // Many rows are cheap only if the rest is small.
        for (size_t j : open) {
          if (j != i && rows_[i] && !rows_[j]) dims[j] = 5;
        }
        add(dims, i);
      }
    }
    return shapes;
  }

  // Sizes at a literal and just past it for every open dim, the others small; and where no dim is that long, all together.
  void AddBehind(const DimAssignment& pinned, const KernelLiterals& literals, std::set<DimAssignment>& seen,
                 std::vector<ShapeBehind>& behind) const {
    std::vector<size_t> open;
    for (size_t i = 0; i < contract_.dims.size(); ++i) {
      if (pinned[i] == 0) open.push_back(i);
    }
    // A candidate with a known signature is not proved, so what lies past a literal is looked at once more.
    std::set<DimAssignment> past;
    auto add = [&](size_t varied, int64_t value, int64_t literal, bool beyond) {
      if (value < 1 || value > contract_.dims[varied].max) return;
      DimAssignment dims = pinned;
      for (size_t i : open) dims[i] = i == varied ? value : rows_[i] ? 2 : 5;
      if (!Settle(dims, pinned, varied) || dims[varied] < value || !(beyond ? past : seen).insert(dims).second) return;
      behind.push_back({std::move(dims), literal, beyond});
    };
    // Masks, steps and the like are many: past them always, at them only where the launch is small.
    auto around = [&](int64_t literal, bool compared) {
      bool reached = false;
      for (size_t i : open) {
        reached = reached || contract_.dims[i].max >= literal + 2;
        add(i, literal + 2, literal, true);
        if (!compared && rows_[i] && literal > kManyRows) continue;
        for (int64_t value : {literal - 1, literal, literal + 1}) add(i, value, literal, false);
      }
      // An index into several dims at once.
      if (!reached || (!compared && literal > kManyRows && literal <= kManyCells)) {
        if (compared || literal <= kManyCells) AddProduct(open, pinned, literal, seen, behind);
      }
      // Two sizes compared with one literal.
      if (compared && open.size() > 1 && literal <= kEverySize) {
        DimAssignment dims = pinned;
        for (size_t i : open) dims[i] = literal;
        if (Settle(dims, pinned, open.front()) && seen.insert(dims).second) behind.push_back({std::move(dims), literal, false});
      }
    };
    for (int64_t literal : literals.compared) {
      around(literal, true);
      // A counter of tiles.
      for (int64_t block : blocks_) {
        for (size_t i : open) {
          if (!rows_[i] && literal <= kMaxTiles) add(i, (literal + 1) * block + 1, literal, false);
        }
      }
    }
    for (int64_t literal : literals.other) around(literal, false);
    // More CTAs than the integer, along one axis of the grid and beside two on the others.
    for (int64_t literal : literals.of_ctas) {
      for (size_t i : open) {
        if (!in_grid_[i]) continue;
        const int64_t size = (literal + 1) * tiles_[i] + 1;
        for (int64_t ctas : {1, 2}) {
          if (size > contract_.dims[i].max) continue;
          DimAssignment dims = pinned;
          for (size_t j : open) dims[j] = j == i ? size : !in_grid_[j] ? 5 : ctas == 1 ? std::min<int64_t>(tiles_[j], 5) : tiles_[j] + 1;
          if (!Settle(dims, pinned, i) || dims[i] < size || !past.insert(dims).second) continue;
          behind.push_back({std::move(dims), literal, true, literal * tiles_[i]});
        }
      }
    }
  }

  // Where the grid covers everything, a loop whose passes the launch bounds (a grid of at most so many CTAs, each thread a vector) is
  // entered only by sizes that no single number of the contract gives. A cell stays as small as it was, which a row's sum does not.
  void AddLarger(const DimAssignment& pinned, std::set<DimAssignment>& seen, std::vector<DimAssignment>& larger) const {
    if (!elementwise_) return;
    for (size_t i = 0; i < contract_.dims.size(); ++i) {
      if (pinned[i] != 0) continue;
      const std::vector<int64_t>& list = values_[i].list();
      for (int64_t size = 2 * *std::max_element(list.begin(), list.end()); size <= kLargeValue; size *= 2) {
        // Odd, so that a tail is left as well.
        if (size + 1 > contract_.dims[i].max) break;
        DimAssignment dims = pinned;
        for (size_t j = 0; j < dims.size(); ++j) {
          if (pinned[j] == 0) dims[j] = j == i ? size + 1 : 5;
        }
        if (Settle(dims, pinned, i) && seen.insert(dims).second) larger.push_back(std::move(dims));
      }
    }
  }

 private:
  // The last dims as long as they may be until their product has an index past the literal.
  void AddProduct(const std::vector<size_t>& open, const DimAssignment& pinned, int64_t literal, std::set<DimAssignment>& seen,
                  std::vector<ShapeBehind>& behind) const {
    DimAssignment dims = pinned;
    int64_t rest = literal + 2, product = 1;
    for (size_t at = open.size(); at-- > 0;) {
      size_t i = open[at];
      dims[i] = std::min(rest, contract_.dims[i].max);
      rest = (rest + dims[i] - 1) / dims[i];
    }
    if (open.empty() || !Settle(dims, pinned, open.front())) return;
    for (int64_t size : dims) product = size > kMaxProduct / product ? kMaxProduct : product * size;
    if (product >= literal + 2 && seen.insert(dims).second) behind.push_back({std::move(dims), literal, true});
  }

  void Study() {
    size_t count = contract_.dims.size();
    rows_.assign(count, false);
    std::vector<std::vector<int64_t>> row_literals(count), other_literals(count);
    std::vector<int64_t>& blocks = blocks_;
    std::vector<int64_t> vectors;
    auto study = [&](const Expression& expression, bool grid) {
      for (uint32_t i = 0; i < count; ++i) {
        if (!expression.UsesDim(i)) continue;
        if (grid) rows_[i] = true;
        for (int64_t literal : expression.Literals()) (grid ? row_literals : other_literals)[i].push_back(literal);
      }
    };
    for (const std::optional<CallSpec>* call : {&contract_.candidate, &contract_.reference}) {
      if (!*call) continue;
      int64_t product = 1;
      for (const Expression& extent : (*call)->block) {
        if (std::optional<int64_t> literal = extent.AsLiteral(); literal && *literal >= 1 && *literal <= 1024) {
          blocks.push_back(*literal);
          product *= *literal;
        }
        study(extent, false);
      }
      if (product <= 1024) blocks.push_back(product);
      for (const Expression& extent : (*call)->grid) study(extent, true);
      if ((*call)->dynamic_shared) study(*(*call)->dynamic_shared, false);
      for (const CallArgument& argument : (*call)->args) {
        if (argument.kind == CallArgument::Kind::kInteger) study(argument.integer, false);
        for (const CallArgument& field : argument.fields) {
          if (field.kind == CallArgument::Kind::kInteger) study(field.integer, false);
        }
      }
    }
    for (const TensorSpec& tensor : contract_.tensors) {
      for (const Expression& stride : tensor.strides) study(stride, false);
      int64_t vector = static_cast<int64_t>(tensor.align / std::max<uint64_t>(BitWidth(tensor.dtype) / 8, 1));
      if (vector > 1 && vector <= 16) vectors.push_back(vector);
    }
    if (contract_.dispatch) study(*contract_.dispatch, false);
    // Elementwise launches cover everything by the grid: then every dim is a size like any other.
    bool all_rows = std::all_of(rows_.begin(), rows_.end(), [](bool row) { return row; });
    for (size_t i = 0; i < count; ++i) {
      Values values;
      if (rows_[i]) AddRows(row_literals[i], values);
      if (!rows_[i] || all_rows) AddSizes(blocks, vectors, other_literals[i], values);
      if (contract_.dims[i].max <= kLargeValue / 2) values.Add(contract_.dims[i].max);
      values_.push_back(std::move(values));
    }
    in_grid_ = rows_;
    for (const std::vector<int64_t>& literals : row_literals) {
      int64_t tile = 1;
      for (int64_t literal : literals) tile = std::max(tile, std::min(literal, kLargeValue));
      tiles_.push_back(tile);
    }
    elementwise_ = all_rows && count > 0;
    if (all_rows) rows_.assign(count, false);
  }

  static void AddRows(const std::vector<int64_t>& literals, Values& values) {
    values.Add({2, 1, 3});
    for (int64_t literal : literals) {
      if (literal <= 1024) values.Add({literal + 1, literal, 2 * literal + 1});
    }
    values.Add({4, 5});
  }

  static void AddSizes(const std::vector<int64_t>& blocks, const std::vector<int64_t>& vectors, const std::vector<int64_t>& literals,
                       Values& values) {
    // Two tiles and a tail come first, then the edges of one tile.
    for (int64_t block : blocks) values.Add(2 * block + 1);
    values.Add({1, 33, 32, 31, 2, 3});
    for (int64_t block : blocks) values.Add({block, block + 1, block - 1});
    for (int64_t block : blocks) {
      for (int64_t vector : vectors) values.Add({2 * block * vector + vector + 1, block * vector, block * vector + 1, block * vector - 1});
    }
    for (int64_t literal : literals) values.Add({literal, literal + 1, literal - 1, 2 * literal + 1});
    for (int64_t vector : vectors) values.Add({vector, vector + 1, vector - 1, 2 * vector + 1});
    values.Add({4, 5, 6, 7, 8, 9, 129, 128, 127, 65, 64});
    // Loops unrolled by four: three to five passes, and more.
    for (int64_t block : blocks) values.Add({4 * block + 1, 3 * block + 1, 5 * block + 1});
    values.Add({384, kWarp * 4 + 2, 8 * kWarp + 1});
  }

  // Moves every open dim into the domain: up to its next member, down where there is none. `varied` moves on until the
  // dispatch predicate holds.
  bool Settle(DimAssignment& dims, const DimAssignment& pinned, size_t varied) const {
    for (size_t i = 0; i < dims.size(); ++i) {
      if (pinned[i] != 0) continue;
      std::optional<int64_t> member = contract_.dims[i].AtLeast(dims[i]);
      if (!member) member = contract_.dims[i].AtMost(dims[i]);
      RACER_CHECK(member.has_value());
      dims[i] = *member;
    }
    if (contract_.InDomain(dims)) return true;
    // The varied dim first, then each of the others.
    std::vector<size_t> order{varied};
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i != varied) order.push_back(i);
    }
    for (size_t i : order) {
      if (pinned[i] != 0) continue;
      DimAssignment moved = dims;
      for (int64_t step = 0; step < kMaxDispatchSteps; ++step) {
        std::optional<int64_t> next = contract_.dims[i].AtLeast(moved[i] + 1);
        if (!next) break;
        moved[i] = *next;
        if (contract_.InDomain(moved)) {
          dims = std::move(moved);
          return true;
        }
      }
    }
    // Last: the smallest members, all steps of all dims together.
    DimAssignment moved = dims;
    for (int64_t step = 0; step < kMaxDispatchSteps; ++step) {
      for (size_t i = 0; i < moved.size(); ++i) {
        if (pinned[i] == 0) moved[i] = contract_.dims[i].AtLeast(moved[i] + 1).value_or(moved[i]);
      }
      if (contract_.InDomain(moved)) {
        dims = std::move(moved);
        return true;
      }
    }
    return false;
  }

  const Contract& contract_;
  std::vector<bool> rows_;      // by dim: part of a grid extent
  std::vector<bool> in_grid_;   // the same, also where the grid covers every dim
  std::vector<int64_t> tiles_;  // by dim: the largest literal of the extents that it is part of
  std::vector<Values> values_;  // by dim
  std::vector<int64_t> blocks_;
  bool elementwise_ = false;  // the grid covers every dim
};

std::string Join(const Contract& contract) {
  std::string list;
  for (const DimSpec& dim : contract.dims) list += (list.empty() ? "" : ", ") + dim.name;
  return list.empty() ? "no dims" : list;
}

Diagnostic NoteDim(Diagnostic error, const DimSpec& dim) {
  Diagnostic note;
  note.kind = error.kind;
  note.severity = Severity::kNote;
  note.location = dim.where;
  note.message = "dim " + dim.name + " is declared here";
  error.notes.push_back(std::move(note));
  return error;
}

// Fixed dims and pins as values, 0 for what is open.
Result<DimAssignment> Pinned(const Contract& contract, const DimPins& pins) {
  DimAssignment pinned(contract.dims.size(), 0);
  for (size_t i = 0; i < contract.dims.size(); ++i) {
    const DimSpec& dim = contract.dims[i];
    if (dim.AtLeast(dim.min) == dim.AtMost(dim.max)) pinned[i] = *dim.AtLeast(dim.min);
  }
  for (const auto& [name, value] : pins) {
    std::optional<uint32_t> index = contract.FindDim(name);
    if (!index)
      return MakeError(DiagnosticKind::kCommandLine, {}, "--dims: the contract has no dim '" + name + "'", "one of: " + Join(contract));
    if (!contract.dims[*index].Contains(value)) {
      return NoteDim(
          MakeError(DiagnosticKind::kCommandLine, {}, "--dims: " + name + "=" + std::to_string(value) + " is outside the contract"),
          contract.dims[*index]);
    }
    pinned[*index] = value;
  }
  return pinned;
}

}  // namespace

Result<ShapeCandidates> CandidateShapes(const Contract& contract, const std::vector<DimPins>& pins, size_t max_shapes,
                                        const KernelLiterals& literals) {
  RACER_CHECK(max_shapes > 0);
  ShapeCandidates candidates;
  candidates.fully_pinned = true;
  std::vector<DimPins> occurrences = pins;
  if (occurrences.empty()) occurrences.emplace_back();
  ShapeChooser chooser(contract);
  std::set<DimAssignment> seen;
  for (const DimPins& occurrence : occurrences) {
    Result<DimAssignment> pinned = Pinned(contract, occurrence);
    if (!pinned.ok()) return pinned.error();
    bool open = std::find(pinned->begin(), pinned->end(), 0) != pinned->end();
    if (!open && !contract.InDomain(*pinned)) {
      SourceLocation where = contract.dispatch ? contract.dispatch->where() : contract.where;
      return MakeError(occurrence.empty() ? DiagnosticKind::kContractDims : DiagnosticKind::kCommandLine, where,
                       contract.Describe(*pinned) + " is outside the dispatch predicate");
    }
    if (open) candidates.fully_pinned = false;
    // What --dims leaves open must be legal in all of the domain; shapes pinned whole answer for themselves when they run.
    if (open) {
      if (std::optional<Diagnostic> error = CheckDomain(contract, *pinned)) return std::move(*error);
    }
    // Pinned shapes are never cut; open ones share what is allowed.
    size_t share = std::max<size_t>(1, max_shapes / occurrences.size());
    std::vector<DimAssignment> shapes = chooser.Choose(*pinned, share);
    if (shapes.empty()) {
      return MakeError(DiagnosticKind::kContractDims, contract.dispatch ? contract.dispatch->where() : contract.where,
                       "no shape that satisfies the dispatch predicate was found", "dims that meet it, or --dims");
    }
    for (DimAssignment& shape : shapes) {
      if (seen.insert(shape).second) candidates.shapes.push_back(std::move(shape));
    }
    if (open) chooser.AddBehind(*pinned, literals, seen, candidates.behind);
    if (open) chooser.AddLarger(*pinned, seen, candidates.larger);
  }
  auto size = [](const ShapeBehind& shape) {
    double product = 1;
    for (int64_t dim : shape.dims) product *= static_cast<double>(dim);
    return product;
  };
  std::stable_sort(candidates.behind.begin(), candidates.behind.end(),
                   [&](const ShapeBehind& a, const ShapeBehind& b) { return size(a) < size(b); });
  return candidates;
}

}  // namespace racer
