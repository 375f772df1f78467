#include "tests/random_programs/mutate.h"

#include <algorithm>
#include <utility>

namespace racer::programs {
namespace {

bool StartsWithAny(const std::string& name, std::initializer_list<const char*> options) {
  return std::any_of(options.begin(), options.end(), [&](const char* option) { return name.starts_with(option); });
}

// An instruction of the program that satisfies f, any of them alike.
template <class F>
Instr* PickInstruction(Program& program, Rng& rng, const F& f) {
  std::vector<Instr*> found = Instructions(program);
  std::erase_if(found, [&](const Instr* instr) { return !f(*instr); });
  return found.empty() ? nullptr : found[rng.Below(static_cast<uint32_t>(found.size()))];
}

void ReplaceFirst(std::string& text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

}  // namespace

std::vector<Broken> BreakRules(const Program& program, Rng& rng) {
  std::vector<Broken> broken;
  const std::string whole = Print(program);
  // A change of one instruction.
  const auto instruction = [&](const char* rule, const auto& fits, const auto& change) {
    Program copy = program;
    Instr* instr = PickInstruction(copy, rng, fits);
    if (instr == nullptr) return;
    change(*instr);
    broken.push_back({rule, Print(copy)});
  };
  // Arithmetic on 32-bit registers.
  const auto words = [](const Instr& i) {
    return StartsWithAny(i.name,
                         {"add.u32", "add.s32", "sub.u32", "sub.s32", "mul.lo.u32", "mul.lo.s32", "mad.lo", "min.u32", "max.s32", "and.b32",
                          "or.b32", "xor.b32", "sad.u32", "sad.s32", "popc.b32", "clz.b32", "brev.b32", "not.b32", "neg.s32"}) &&
           !i.name.ends_with("64") && !i.name.ends_with("16") && i.operands.back().starts_with("%r");
  };
  instruction("a register that is not declared", words, [](Instr& i) { i.operands.back() = "%nowhere"; });
  instruction("a predicate where a number is wanted", words, [](Instr& i) { i.operands.back() = "%p0"; });
  instruction("64 bits where 32 are wanted", words, [](Instr& i) { i.operands.back() = "%rd0"; });
  instruction("16 bits where 32 are wanted", words, [](Instr& i) { i.operands[0] = "%rs0"; });
  instruction("a guard that is no predicate", words, [](Instr& i) { i.guard = "@%r0 "; });
  instruction("an operand too few", words, [](Instr& i) { i.operands.pop_back(); });
  instruction("an operand too many", words, [](Instr& i) { i.operands.insert(i.operands.end(), 3, "%r0"); });
  instruction("a result that is a number", words, [](Instr& i) { i.operands[0] = "5"; });
  const auto text = [&](const char* rule, const std::string& from, const std::string& to) {
    std::string changed = whole;
    ReplaceFirst(changed, from, to);
    if (changed != whole) broken.push_back({rule, std::move(changed)});
  };
  text("a label that is nowhere", "bar.sync 0;\n", "bar.sync 0;\nbra $nowhere;\n");
  text("a register declared twice", ".reg .b32 %lane;", ".reg .b32 %lane; .reg .b32 %lane;");
  text("a register declared twice", ".reg .b64 %row,", ".reg .b64 %row, %row,");
  text("a variable declared twice", ".local .align 16", ".local .align 4 .b8 loc[4];\n.local .align 16");
  text("a semicolon left out", "mov.u32 %x, %tid.x;", "mov.u32 %x, %tid.x");
  text("a comma left out", "mad.lo.u32 %lin, %z,", "mad.lo.u32 %lin %z,");
  text("a brace left open", ".visible .entry k(.param .u64 out, .param .u64 in)\n{",
       ".visible .entry k(.param .u64 out, .param .u64 in)\n{ {");
  text("a parameter that is not there", "[out]", "[nothing]");
  text("a misspelled directive", ".shared .align", ".shard .align");
  text("an alignment that is no power of two", ".local .align 16", ".local .align 12");
  text("a table longer than its array", ".b8 tc[128]", ".b8 tc[8]");
  text("a load from a predicate", "ld.param.u64 %in, [in];", "ld.param.u64 %in, [%p0];");
  text("a comment left open", "mov.u32 %y, %tid.y;", "/* mov.u32 %y, %tid.y;");
  return broken;
}

std::optional<Program> SameMeaning(const Program& program, Rng& rng) {
  Program copy = program;
  const auto commutes = [](const Instr& i) {
    return i.operands.size() == 3 &&
           (StartsWithAny(i.name, {"and.b", "or.b", "xor.b", "min.u", "min.s", "max.u", "max.s", "mul.lo", "mul.hi", "mul.wide"}) ||
            StartsWithAny(i.name, {"add.u", "add.s"})) &&
           i.operands[1] != i.operands[2];
  };
  Instr* instr = PickInstruction(copy, rng, commutes);
  if (instr == nullptr) return std::nullopt;
  // x + c = x - (-c) where c is a number; else the operands change places.
  if ((instr->name == "add.u32" || instr->name == "add.s32") && !instr->operands[2].starts_with("%")) {
    instr->name = "sub" + instr->name.substr(3);
    instr->operands[2] = instr->operands[2].starts_with("-") ? instr->operands[2].substr(1) : "-" + instr->operands[2];
  } else {
    std::swap(instr->operands[1], instr->operands[2]);
  }
  return copy;
}

std::optional<Program> OtherInstruction(const Program& program, Rng& rng) {
  static const std::pair<const char*, const char*> kOthers[] = {
      {"add.u", "sub.u"}, {"add.s", "sub.s"},     {"sub.u", "add.u"},     {"and.b", "or.b"},        {"or.b", "xor.b"},
      {"xor.b", "and.b"}, {"min.u32", "max.u32"}, {"max.s32", "min.s32"}, {"mul.lo.u", "mul.hi.u"}, {"not.b", "cnot.b"}};
  Program copy = program;
  const auto other = [](const Instr& i) {
    return std::find_if(std::begin(kOthers), std::end(kOthers),
                        [&](const auto& pair) { return i.name.starts_with(pair.first) && !i.name.ends_with("x2"); });
  };
  Instr* instr = PickInstruction(copy, rng, [&](const Instr& i) { return other(i) != std::end(kOthers); });
  if (instr == nullptr) return std::nullopt;
  const auto* pair = other(*instr);
  instr->name = pair->second + instr->name.substr(std::string(pair->first).size());
  return copy;
}

Program Reduce(Program program, const std::function<bool(const Program&)>& wanted) {
  bool smaller = true;
  while (smaller) {
    smaller = false;
    // Whole runs of statements first, single ones last; outer blocks before inner ones.
    for (size_t block = 0; block < Blocks(program).size(); ++block) {
      for (size_t run = std::max<size_t>(1, Blocks(program)[block]->size()); run > 0; run /= 2) {
        for (size_t at = 0; at < Blocks(program)[block]->size();) {
          Program candidate = program;
          std::vector<Node>& nodes = *Blocks(candidate)[block];
          const size_t end = std::min(nodes.size(), at + run);
          nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.begin() + static_cast<std::ptrdiff_t>(end));
          if (wanted(candidate)) {
            program = std::move(candidate);
            smaller = true;
          } else {
            at = end;
          }
          if (block >= Blocks(program).size()) break;
        }
        if (block >= Blocks(program).size()) break;
      }
    }
  }
  return program;
}

}  // namespace racer::programs
