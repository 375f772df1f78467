#include "symexec/machine/places.h"

#include <unordered_set>
#include <vector>

#include "symexec/machine/machine.h"

namespace racer {
namespace {

std::string Hex(uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace

std::string ByteCount(uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string CoordinateName(uint64_t index, const Dim3& extent) {
  const uint64_t x = index % extent[0], rest = index / extent[0];
  return "(" + std::to_string(x) + "," + std::to_string(rest % extent[1]) + "," + std::to_string(rest / extent[1]) + ")";
}

std::string DescribeAddress(Space space, uint64_t address, uint64_t size, const Segment* segment, bool inside) {
  if (segment == nullptr) return std::string(SpaceName(space)) + " address " + Hex(address) + ", where nothing is mapped";
  const std::string object = segment->name + " (" + ByteCount(segment->size) + ")";
  const uint64_t end = segment->base + segment->size;
  if (inside) return segment->name + "+" + std::to_string(address - segment->base);
  if (address < segment->base) {
    const uint64_t before = segment->base - address;
    return segment->name + "-" + std::to_string(before) + ", " + ByteCount(before) + " before the start of " + object;
  }
  const std::string at = segment->name + "+" + std::to_string(address - segment->base);
  if (address < end) return at + ", which reaches " + ByteCount(size - (end - address)) + " past the end of " + object;
  return at + ", " + (address == end ? std::string("just") : ByteCount(address - end)) + " past the end of " + object;
}

std::optional<uint32_t> FirstUndef(const TermStore& store, TermId term, bool arms) {
  std::vector<TermId> stack{term};
  std::unordered_set<uint32_t> seen;
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (!store.ContainsUndef(id) || !seen.insert(static_cast<uint32_t>(id)).second) continue;
    if (store.kind(id) == TermKind::kUndef) return store.undef_cause(id);
    const bool selection = store.kind(id) == TermKind::kBvIte || store.kind(id) == TermKind::kFpIte;
    for (unsigned i = selection && !arms ? 1 : store.arity(id); i > 0; --i) stack.push_back(store.operand(id, i - 1));
  }
  return std::nullopt;
}

std::string IntegerTensorOf(const TermStore& store, TermId term) {
  std::string name;
  std::vector<TermId> stack{term};
  std::unordered_set<TermId> seen;
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    const TermKind kind = store.kind(id);
    if (kind == TermKind::kFpInput) return "";
    if (kind == TermKind::kBvInput) {
      const Symbol& symbol = store.symbol(store.input_symbol(id));
      if (symbol.shape.empty()) return "";
      if (name.empty()) name = symbol.name;
    }
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
  return name;
}

bool HasInput(const TermStore& store, TermId term) {
  std::vector<TermId> stack{term};
  std::unordered_set<TermId> seen;
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (store.kind(id) == TermKind::kFpInput || store.kind(id) == TermKind::kBvInput) return true;
    if (store.IsClosed(id) || !seen.insert(id).second) continue;
    for (unsigned i = 0; i < store.arity(id); ++i) stack.push_back(store.operand(id, i));
  }
  return false;
}

Where PlaceOf(const ir::Module& module, const ir::Instruction& instruction) {
  Where where;
  where.line = instruction.location.line;
  if (instruction.location.file != nullptr) {
    where.file = instruction.location.file->name();
    std::string_view text = instruction.location.file->Line(where.line);
    const size_t first = text.find_first_not_of(" \t\r");
    const size_t last = text.find_last_not_of(" \t\r");
    if (first != std::string_view::npos) where.text = std::string(text.substr(first, last - first + 1));
  }
  where.source = module.SourceLine(instruction);
  return where;
}

}  // namespace racer
