// Shuffles, votes, matches, reductions of a warp; barriers that reduce.
#include "tests/random_programs/builder.h"

namespace racer::programs {

// An operation of all lanes in `mask`. A shuffle stays within `segment` lanes (a power of two).
Node Builder::Warp(const std::string& mask, uint32_t segment) {
  const auto b32 = [&] { return Register(ScalarType::kB32); };
  Node node;
  switch (rng_.Below(6)) {
    case 0:
    case 1: {
      static constexpr const char* kModes[] = {"up", "down", "bfly", "idx"};
      const std::string mode = rng_.Pick(kModes);
      // Bits 8..12 of c part the warp into segments, bits 0..4 are the furthest lane.
      const uint32_t parts = (32 - segment) << 8;
      std::string c = std::to_string(parts | (mode == "up" ? 0 : 31));
      if (segment == 32 && rng_.Chance(30)) c = std::to_string(rng_.Below(32) << 8 | rng_.Below(32));
      std::string destination = b32();
      if (rng_.Chance(50)) destination += "|" + Predicate();
      const std::string lane = rng_.Chance(50) ? std::to_string(rng_.Below(32)) : "%r" + std::to_string(rng_.Below(pool_.r));
      node.instr = Instr{"", "shfl.sync." + mode + ".b32", {destination, b32(), lane, c, mask}};
      break;
    }
    case 2: {
      static constexpr const char* kModes[] = {"all", "any", "uni"};
      if (rng_.Chance(50)) {
        node.instr = Instr{"", "vote.sync.ballot.b32", {b32(), SignedPredicate(), mask}};
      } else {
        node.instr = Instr{"", std::string("vote.sync.") + rng_.Pick(kModes) + ".pred", {Predicate(), SignedPredicate(), mask}};
      }
      break;
    }
    case 3: {
      const auto r = [&] { return "%r" + std::to_string(rng_.Below(pool_.r)); };
      const bool wide = rng_.Chance(40);
      const std::string type = wide ? ".b64" : ".b32";
      // Few values, so that some match.
      const std::string few = wide ? Temp64() : Temp32();
      node.before.push_back("and" + type + " " + few + ", " +
                            (wide ? "%rd" + std::to_string(rng_.Below(pool_.rd)) : "%r" + std::to_string(rng_.Below(pool_.r))) + ", " +
                            std::to_string(rng_.Below(4)) + ";");
      if (rng_.Chance(50)) {
        node.instr = Instr{"", "match.any.sync" + type, {r(), few, mask}};
      } else {
        node.instr = Instr{"", "match.all.sync" + type, {r() + (rng_.Chance(60) ? "|" + Predicate() : ""), few, mask}};
      }
      break;
    }
    case 4: {
      static constexpr const char* kForms[] = {"add.s32", "add.u32", "min.s32", "min.u32", "max.s32",
                                               "max.u32", "and.b32", "or.b32",  "xor.b32"};
      const auto r = [&] { return "%r" + std::to_string(rng_.Below(pool_.r)); };
      node.instr = Instr{"", std::string("redux.sync.") + rng_.Pick(kForms), {r(), r(), mask}};
      break;
    }
    default: node.before.push_back("bar.warp.sync " + mask + ";"); break;
  }
  return node;
}

// The lanes of a mask alone: a branch on the lane's bit.
Node Builder::MaskedWarp() {
  static constexpr uint32_t kSegments[] = {4, 8, 16};
  const uint32_t segment = rng_.Pick(kSegments);
  uint32_t mask = 0;
  const uint32_t ones = (uint32_t{1} << segment) - 1;
  while (mask == 0) {
    for (uint32_t lane = 0; lane < 32; lane += segment) mask |= rng_.Chance(60) ? ones << lane : 0;
  }
  const std::string outside = Label("outside");
  ++label_;
  const std::string bit = Temp32();
  Node node;
  node.before = {"shr.u32 " + bit + ", " + std::to_string(mask) + ", %lane;", "and.b32 " + bit + ", " + bit + ", 1;",
                 "setp.eq.u32 %q0, " + bit + ", 0;", "@%q0 bra " + outside + ";"};
  Node::Part part;
  for (int i = rng_.Between(1, 4); i > 0; --i) part.nodes.push_back(rng_.Chance(60) ? Warp(std::to_string(mask), segment) : Value());
  part.after = {outside + ":"};
  node.parts.push_back(std::move(part));
  return node;
}

Node Builder::Barrier() {
  Node node;
  const std::string id = std::to_string(rng_.Below(16));
  const std::string prefix = rng_.Chance(70) ? "bar" : "barrier";
  const std::string count = rng_.Chance(30) ? ", " + std::to_string(threads) : "";
  const std::string operands = id + count + ", ";
  if (rng_.Chance(40)) {
    node.instr = Instr{"", prefix + ".red.popc.u32", {"%r" + std::to_string(rng_.Below(pool_.r)), id + count, SignedPredicate()}};
  } else {
    node.instr = Instr{"", prefix + (rng_.Chance(50) ? ".red.and.pred" : ".red.or.pred"), {Predicate(), id + count, SignedPredicate()}};
  }
  return node;
}

}  // namespace racer::programs
