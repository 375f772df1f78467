#include "symexec/machine/regions.h"

#include <algorithm>
#include <span>

#include "base/check.h"

namespace racer {
namespace {

bool Guarded(const Decoded& in) { return in.guard_row != kNoRow; }
bool Parts(const Decoded& in) {
  return in.action == Action::kBranch || in.action == Action::kBranchIndexed || in.action == Action::kReturn || in.action == Action::kExit;
}

// Every row that an instruction may read. One that is left out would be taken for dead: its value becomes undefined, not wrong.
template <class F>
void ForEachUse(const Program& program, const Decoded& in, F&& use) {
  const auto source = [&](const Source& s) {
    if (s.row != kNoRow && !s.constant) use(s.row);
  };
  const auto range = [&](const OperandRange& r) {
    for (uint32_t i = 0; i < r.count; ++i) source(program.sources[r.first + i]);
  };
  const auto transfers = [&](const std::vector<Transfer>& list) {
    for (const Transfer& transfer : list) {
      if (transfer.kind == Transfer::Kind::kRowToBytes || transfer.kind == Transfer::Kind::kRowToRow) source(transfer.source);
    }
  };
  if (Guarded(in)) use(in.guard_row);
  for (unsigned i = 0; i < in.source_count; ++i) source(in.source[i]);
  source(in.address.base);
  switch (in.action) {
    case Action::kStore:
    case Action::kPack: range({in.element_first, in.element_count}); break;
    case Action::kAtomic: {
      const AtomicSite& site = program.atomics[in.target];
      for (const std::vector<Source>* list : {&site.b, &site.c}) {
        for (const Source& s : *list) source(s);
      }
      break;
    }
    case Action::kCopyAsync: source(program.copies[in.target].to.base); break;
    case Action::kCall:
      if (in.source_count == 0) {
        transfers(program.calls[in.target].arguments);
      } else {
        for (const uint32_t call : program.indirect_calls[in.target].calls) transfers(program.calls[call].arguments);
      }
      break;
    case Action::kReturn:
      for (const CallSite& site : program.calls) {
        if (site.callee == in.function) transfers(site.results);
      }
      break;
    case Action::kMatrix: {
      const MatrixInstruction& matrix = program.matrices[in.element_first];
      for (const OperandRange& r :
           {matrix.a, matrix.b, matrix.c, matrix.metadata, matrix.scale_a, matrix.scale_b, matrix.ids_a, matrix.ids_b, matrix.stride}) {
        range(r);
      }
      break;
    }
    default: break;  // the others have no lists of sources
  }
}

template <class F>
void ForEachDest(const Program& program, const Decoded& in, F&& dest) {
  for (unsigned i = 0; i < in.dest_count; ++i) dest(in.dest[i]);
  const auto range = [&](uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) dest(program.dests[first + i]);
  };
  switch (in.action) {
    case Action::kLoad:
    case Action::kUnpack:
    case Action::kMoveWide: range(in.element_first, in.element_count); break;
    case Action::kAtomic:
      for (const Dest& d : program.atomics[in.target].d) dest(d);
      break;
    case Action::kMatrix: {
      const MatrixInstruction& matrix = program.matrices[in.element_first];
      range(matrix.d.first, matrix.d.count);
      break;
    }
    case Action::kCall: {
      const auto results = [&](const CallSite& site) {
        for (const Transfer& transfer : site.results) {
          if (transfer.kind == Transfer::Kind::kBytesToRow || transfer.kind == Transfer::Kind::kRowToRow) dest(transfer.dest);
        }
      };
      if (in.source_count == 0) {
        results(program.calls[in.target]);
      } else {
        for (const uint32_t call : program.indirect_calls[in.target].calls) results(program.calls[call]);
      }
      const uint32_t carry = program.functions[in.function].carry_row;
      if (carry != kNoRow) dest(Dest{.row = carry, .width = 1, .reg_width = 1});
      break;
    }
    default: break;
  }
}

}  // namespace

Regions::FunctionBlocks& Regions::BlocksOf(uint32_t function) {
  const auto [at, added] = functions_.try_emplace(function);
  if (added) {
    at->second.cfg = ir::BuildCfg(*program_->functions[function].function);
    FindLive(function, &at->second);
  }
  return at->second;
}

void Regions::FindLive(uint32_t function, FunctionBlocks* blocks) {
  const ProgramFunction& place = program_->functions[function];
  const size_t count = blocks->cfg.blocks.size();
  const auto step = [&](const Decoded& in, std::vector<bool>* live) {
    const bool certain = !Guarded(in) && in.action != Action::kCall;
    ForEachDest(*program_, in, [&](const Dest& dest) {
      if (certain && dest.row - place.first_row < place.row_count) (*live)[dest.row - place.first_row] = false;
    });
    ForEachUse(*program_, in, [&](uint32_t row) {
      if (row - place.first_row < place.row_count) (*live)[row - place.first_row] = true;
    });
  };
  blocks->live_at_end.assign(place.row_count, false);
  step(program_->code[place.end_pc - 1], &blocks->live_at_end);
  blocks->live_in.assign(count, std::vector<bool>(place.row_count, false));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = count; b-- > 0;) {
      std::vector<bool> live = blocks->live_at_end;  // a block may fall off the end
      for (const uint32_t next : blocks->cfg.blocks[b].successors) {
        for (uint32_t row = 0; row < place.row_count; ++row) live[row] = live[row] || blocks->live_in[next][row];
      }
      for (uint32_t i = blocks->cfg.blocks[b].end; i-- > blocks->cfg.blocks[b].begin;) step(program_->code[place.entry_pc + i], &live);
      if (live == blocks->live_in[b]) continue;
      blocks->live_in[b] = std::move(live);
      changed = true;
    }
  }
}

const Region& Regions::From(uint32_t pc) {
  const auto [at, added] = regions_.try_emplace(pc);
  if (added) at->second = Make(pc);
  return at->second;
}

Region Regions::Make(uint32_t pc) {
  const Decoded& branch = program_->code[pc];
  const ProgramFunction& place = program_->functions[branch.function];
  Region region{.meeting = pc + 1, .longer = pc + 1, .rows = {}};
  std::vector<uint8_t> widths(place.row_count, 0);
  const auto collect = [&](uint32_t at) {
    ForEachDest(*program_, program_->code[at], [&](const Dest& dest) {
      if (dest.row - place.first_row < place.row_count) widths[dest.row - place.first_row] = dest.reg_width;
    });
  };
  const std::vector<bool>* live = nullptr;
  if (!Parts(branch)) {
    collect(pc);
  } else {
    const FunctionBlocks& blocks = BlocksOf(branch.function);
    const uint32_t own = blocks.cfg.block_of[pc - place.entry_pc];
    const uint32_t last = blocks.cfg.blocks[own].immediate_post_dominator;
    const bool ends = last == ir::Cfg::kNoBlock;
    region.meeting = ends ? place.end_pc - 1 : place.entry_pc + blocks.cfg.blocks[last].begin;
    live = ends ? &blocks.live_at_end : &blocks.live_in[last];
    std::vector<bool> seen(blocks.cfg.blocks.size(), false);
    std::vector<uint32_t> work(blocks.cfg.blocks[own].successors);
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      if (b == last || seen[b]) continue;
      seen[b] = true;
      for (uint32_t i = blocks.cfg.blocks[b].begin; i < blocks.cfg.blocks[b].end; ++i) collect(place.entry_pc + i);
      for (const uint32_t next : blocks.cfg.blocks[b].successors) work.push_back(next);
    }
    const PartingMap& partings = program_->partings;
    if (branch.action == Action::kBranch && !partings.empty() && partings.ahead[branch.target] > partings.ahead[pc + 1]) {
      region.longer = branch.target;
    }
  }
  for (uint32_t row = 0; row < place.row_count; ++row) {
    if (widths[row] != 0) region.rows.push_back({place.first_row + row, widths[row], live == nullptr || (*live)[row]});
  }
  return region;
}

// Whether a row was tainted that had not been.
bool Regions::TaintFrom(const Decoded& in) {
  bool taint = Guarded(in) && tainted_[in.guard_row];
  switch (in.action) {
    case Action::kValue: taint |= IsFloat(in.mods.type) || IsFloat(in.mods.type2); [[fallthrough]];
    case Action::kMove:
    case Action::kPack:
    case Action::kUnpack:
    case Action::kMoveWide:
    case Action::kToGeneric:
    case Action::kFromGeneric:
    case Action::kIsSpace: ForEachUse(*program_, in, [&](uint32_t row) { taint |= tainted_[row]; }); break;
    case Action::kLoad:
      taint |= in.address.generic || in.address.space != Space::kParam || IsFloat(in.mods.type);
      if (in.address.base.row != kNoRow && !in.address.base.constant) taint |= tainted_[in.address.base.row];
      break;
    default: taint = true;  // what comes from other lanes, from memory or from a called function
  }
  bool changed = false;
  const auto add = [&](uint32_t row) {
    changed |= !tainted_[row];
    tainted_[row] = true;
  };
  if (taint) ForEachDest(*program_, in, [&](const Dest& dest) { add(dest.row); });
  // What is passed to a function.
  if (in.action == Action::kCall) {
    const auto arguments = [&](const CallSite& site) {
      for (const Transfer& transfer : site.arguments) {
        if (transfer.kind == Transfer::Kind::kBytesToRow || transfer.kind == Transfer::Kind::kRowToRow) add(transfer.dest.row);
      }
    };
    if (in.source_count == 0) {
      arguments(program_->calls[in.target]);
    } else {
      for (const uint32_t call : program_->indirect_calls[in.target].calls) arguments(program_->calls[call]);
    }
  }
  return changed;
}

void Regions::FindTaint() {
  tainted_.assign(program_->row_count, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t pc = 0; pc < program_->code.size(); ++pc) {
      const Decoded& in = program_->code[pc];
      if (in.is_twin || in.implicit) continue;
      changed |= TaintFrom(in);
      // What one way sets and the other does not shows which way was taken.
      if (!Parts(in) || !Guarded(in) || !tainted_[in.guard_row]) continue;
      for (const Region::Row& row : From(pc).rows) {
        changed |= !tainted_[row.row];
        tainted_[row.row] = true;
      }
    }
  }
}

bool Regions::MayDependOnData(uint32_t pc) {
  const Decoded& in = program_->code[pc];
  if (!Guarded(in) || in.is_twin) return false;
  if (tainted_.empty()) FindTaint();
  return tainted_[in.guard_row];
}

}  // namespace racer
