#include "symexec/machine/decode_partings.h"

#include <algorithm>

#include "ptx_frontend/ir/cfg.h"
#include "symexec/machine/action.h"

namespace racer {
namespace {

// Memory, a rendezvous, a call: what tells others that a lane is there.
bool Works(const Decoded& in) {
  const bool parameter = in.address.space == Space::kParam || in.address.space == Space::kCallParam;
  if (in.action == Action::kLoad && parameter && !in.address.generic) return false;
  switch (in.action) {
    case Action::kValue:
    case Action::kMove:
    case Action::kPack:
    case Action::kUnpack:
    case Action::kMoveWide:
    case Action::kOpaque:
    case Action::kToGeneric:
    case Action::kFromGeneric:
    case Action::kIsSpace:
    case Action::kNothing:
    case Action::kFence:
    case Action::kActiveMask:
    case Action::kBranch:
    case Action::kBranchIndexed:
    case Action::kReturn:
    case Action::kExit:
    case Action::kTrap: return false;
    default: return true;
  }
}

bool Guarded(const Decoded& in) { return in.guard_row != kNoRow; }

// Whether a lane that comes here goes no further; the run then ends UNDECIDED.
bool Stops(const Decoded& in) { return (in.action == Action::kTrap || in.action == Action::kUnsupported) && !Guarded(in); }

// One function. Vertices: its blocks, the end that all its returns lead to, and an entry in front of each endless loop.
class FunctionPartings {
 public:
  FunctionPartings(const ir::Function& function, const ProgramFunction& place, bool is_entry, Program* program)
      : cfg_(ir::BuildCfg(function)), place_(place), is_entry_(is_entry), program_(program) {}

  void Run() {
    FindEdges();
    FindStops();
    FindAhead();
    FindMeetings();
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(cfg_.blocks.size()); }
  uint32_t end_pc() const { return place_.end_pc - 1; }  // of the return behind the body
  uint32_t BeginOf(uint32_t block) const { return place_.entry_pc + cfg_.blocks[block].begin; }
  const Decoded& LastOf(uint32_t block) const { return program_->code[place_.entry_pc + cfg_.blocks[block].end - 1]; }

  void FindEdges() {
    returns_.assign(size(), false);
    before_.resize(size());
    for (uint32_t b = 0; b < size(); ++b) {
      for (const uint32_t next : cfg_.blocks[b].successors) before_[next].push_back(b);
      const Decoded& last = LastOf(b);
      const uint32_t next_pc = place_.entry_pc + cfg_.blocks[b].end;
      bool to_end = last.action == Action::kReturn || (last.action == Action::kBranch && last.target == end_pc());
      if (last.action == Action::kBranchIndexed) {
        const std::vector<uint32_t>& table = program_->branch_tables[last.target];
        to_end |= std::find(table.begin(), table.end(), end_pc()) != table.end();
      }
      const bool leaves = last.action == Action::kReturn || last.action == Action::kExit || last.action == Action::kTrap ||
                          last.action == Action::kBranch || last.action == Action::kBranchIndexed;
      returns_[b] = to_end || (next_pc == end_pc() && (!leaves || Guarded(last)));
    }
  }

  // Blocks from which every way ends in a trap.
  void FindStops() {
    stops_.assign(size(), false);
    std::vector<uint32_t> ways(size()), work;
    for (uint32_t b = 0; b < size(); ++b) {
      ways[b] = static_cast<uint32_t>(cfg_.blocks[b].successors.size()) + (returns_[b] || LastOf(b).action == Action::kExit ? 1 : 0);
      for (uint32_t pc = BeginOf(b); pc < place_.entry_pc + cfg_.blocks[b].end; ++pc) {
        if (Stops(program_->code[pc])) stops_[b] = true;
      }
      if (stops_[b]) work.push_back(b);
    }
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      for (const uint32_t from : before_[b]) {
        if (stops_[from] || --ways[from] != 0) continue;
        stops_[from] = true;
        work.push_back(from);
      }
    }
  }

  void FindAhead() {
    // What is ahead of a block spreads to those before it, work first.
    std::vector<Ahead> at_begin(size(), Ahead::kNothing), at_end(size(), Ahead::kNothing);
    for (const Ahead what : {Ahead::kWork, Ahead::kCallers}) {
      std::vector<uint32_t> work;
      const auto begins_with = [&](uint32_t b) {
        if (stops_[b] || at_begin[b] != Ahead::kNothing) return;
        at_begin[b] = what;
        work.push_back(b);
      };
      for (uint32_t b = 0; b < size(); ++b) {
        const auto code = program_->code.begin();
        if (what == Ahead::kCallers && returns_[b] && !is_entry_) {
          if (at_end[b] == Ahead::kNothing) at_end[b] = what;
          begins_with(b);
        } else if (what == Ahead::kWork && std::any_of(code + BeginOf(b), code + place_.entry_pc + cfg_.blocks[b].end, Works)) {
          begins_with(b);
        }
      }
      while (!work.empty()) {
        const uint32_t b = work.back();
        work.pop_back();
        for (const uint32_t from : before_[b]) {
          if (at_end[from] == Ahead::kNothing) at_end[from] = what;
          begins_with(from);
        }
      }
    }
    for (uint32_t b = 0; b < size(); ++b) {
      Ahead ahead = at_end[b];
      bool stops = stops_[b];  // from the block's end on
      for (uint32_t pc = BeginOf(b); pc < place_.entry_pc + cfg_.blocks[b].end; ++pc) stops = stops && !Stops(program_->code[pc]);
      for (uint32_t pc = place_.entry_pc + cfg_.blocks[b].end; pc-- > BeginOf(b);) {
        if (Works(program_->code[pc])) ahead = Ahead::kWork;
        stops |= Stops(program_->code[pc]);
        program_->partings.ahead[pc] = stops ? Ahead::kNothing : ahead;
      }
    }
    program_->partings.ahead[end_pc()] = is_entry_ ? Ahead::kNothing : Ahead::kCallers;
  }

  // Ways with nothing ahead do not count: lanes on them leave early, and the others do not meet them again.
  void FindMeetings() {
    const uint32_t end = size();
    std::vector<uint32_t> pc_of;
    pc_of.reserve(size() + size_t{1});
    std::vector<std::vector<uint32_t>> ways(size() + size_t{1}), from(size() + size_t{1});
    for (uint32_t b = 0; b < size(); ++b) pc_of.push_back(BeginOf(b));
    pc_of.push_back(end_pc());
    std::vector<bool> to_exit(size() + size_t{1}, false);
    to_exit[end] = true;
    for (uint32_t b = 0; b < size(); ++b) {
      for (const uint32_t next : cfg_.blocks[b].successors) {
        if (program_->partings.ahead[BeginOf(next)] != Ahead::kNothing) ways[b].push_back(next);
      }
      if (returns_[b] && !is_entry_) ways[b].push_back(end);
      if (ways[b].empty()) to_exit[b] = true;
      for (const uint32_t next : ways[b]) from[next].push_back(b);
    }
    // An endless loop is left in front of its head.
    std::vector<bool> reaches(ways.size(), false);
    const auto spread = [&](uint32_t vertex) {
      std::vector<uint32_t> work{vertex};
      reaches[vertex] = true;
      while (!work.empty()) {
        const uint32_t at = work.back();
        work.pop_back();
        for (const uint32_t b : from[at]) {
          if (!reaches[b]) work.push_back(b);
          reaches[b] = true;
        }
      }
    };
    for (uint32_t v = 0; v < to_exit.size(); ++v) {
      if (to_exit[v] && !reaches[v]) spread(v);
    }
    std::vector<uint32_t> by_rank(size());
    for (uint32_t b = 0; b < size(); ++b) by_rank[b] = b;
    std::sort(by_rank.begin(), by_rank.end(), [&](uint32_t a, uint32_t b) { return cfg_.blocks[a].rank > cfg_.blocks[b].rank; });
    std::vector<uint32_t> head_entry(size(), 0);  // of the head of an endless loop: the vertex in front of it
    std::vector<bool> seen(size(), false);
    for (const uint32_t last : by_rank) {
      if (reaches[last]) continue;
      // Nothing leaves the loop of the last block.
      uint32_t head = last;
      std::vector<uint32_t> work{last};
      seen[last] = true;
      while (!work.empty()) {
        const uint32_t b = work.back();
        work.pop_back();
        if (cfg_.blocks[b].rank < cfg_.blocks[head].rank) head = b;
        for (const uint32_t next : ways[b]) {
          if (!seen[next]) work.push_back(next);
          seen[next] = true;
        }
      }
      head_entry[head] = static_cast<uint32_t>(pc_of.size());
      pc_of.push_back(BeginOf(head));
      spread(head);
    }
    const uint32_t exit = static_cast<uint32_t>(pc_of.size());
    ways.resize(exit);
    for (uint32_t v = 0; v < exit; ++v) {
      for (uint32_t& next : ways[v]) {
        if (next < size() && head_entry[next] != 0) next = head_entry[next];
      }
      if (v < to_exit.size() && to_exit[v]) ways[v].push_back(exit);
    }
    for (uint32_t b = 0; b < size(); ++b) {
      if (head_entry[b] != 0) ways[head_entry[b]] = {b, exit};
    }
    const std::vector<uint32_t> meets = ir::ImmediatePostDominators(ways);
    for (uint32_t b = 0; b < size(); ++b) {
      const Decoded& last = LastOf(b);
      const bool parts = last.action == Action::kBranchIndexed ||
                         (Guarded(last) && (last.action == Action::kBranch || (last.action == Action::kReturn && !is_entry_)));
      if (!parts) continue;
      const bool meet = meets[b] != exit && !InCycle();
      program_->partings.meeting[place_.entry_pc + cfg_.blocks[b].end - 1] = meet ? pc_of[meets[b]] : PartingMap::kNoMeeting;
    }
    // What a guard skips lies between the instruction and the next.
    for (uint32_t pc = place_.entry_pc; pc < end_pc(); ++pc) {
      const Decoded& in = program_->code[pc];
      const bool indirect = in.action == Action::kCall && in.source_count != 0;
      if ((Guarded(in) && (in.action == Action::kBarrier || in.action == Action::kCall)) || indirect) {
        program_->partings.meeting[pc] = in.action == Action::kCall && InCycle() ? PartingMap::kNoMeeting : pc + 1;
      }
    }
  }

  // Whether a lane may come to a pc of the function in another activation of it.
  bool InCycle() {
    if (in_cycle_ < 0) {
      in_cycle_ = 0;
      for (uint32_t pc = place_.entry_pc; pc < end_pc(); ++pc) {
        const Decoded& in = program_->code[pc];
        if (in.action != Action::kCall) continue;
        if (in.source_count == 0) {
          in_cycle_ |= program_->calls[in.target].recursive ? 1 : 0;
        } else {
          for (const uint32_t call : program_->indirect_calls[in.target].calls) in_cycle_ |= program_->calls[call].recursive ? 1 : 0;
        }
      }
    }
    return in_cycle_ != 0;
  }

  const ir::Cfg cfg_;
  const ProgramFunction& place_;
  const bool is_entry_;
  Program* program_;
  std::vector<bool> returns_;  // by block: a way leads to the end of the function
  std::vector<bool> stops_;
  std::vector<std::vector<uint32_t>> before_;
  int in_cycle_ = -1;
};

}  // namespace

void FindPartings(const std::vector<const ir::Function*>& functions, Program* program) {
  const bool aligned = std::any_of(program->code.begin(), program->code.end(),
                                   [](const Decoded& in) { return in.action == Action::kBarrier && BarrierOf(*in.instruction).aligned; });
  if (!aligned) return;
  program->partings.meeting.assign(program->code.size(), PartingMap::kNoParting);
  program->partings.ahead.assign(program->code.size(), Ahead::kWork);
  for (uint32_t i = 0; i < functions.size(); ++i) {
    if (!functions[i]->body.empty()) FunctionPartings(*functions[i], program->functions[i], i == 0, program).Run();
  }
}

}  // namespace racer
