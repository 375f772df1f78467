// The spelling of every modifier that has a field in Mods.
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ptx_frontend/isa/grammar.h"

namespace racer::isa {
namespace {

template <class E>
struct Entry {
  std::string_view spelling;
  E value;
};

constexpr Entry<Rounding> kRoundings[] = {
    {"rn", Rounding::kRn}, {"rz", Rounding::kRz},   {"rm", Rounding::kRm},   {"rp", Rounding::kRp},   {"rna", Rounding::kRna},
    {"rs", Rounding::kRs}, {"rni", Rounding::kRni}, {"rzi", Rounding::kRzi}, {"rmi", Rounding::kRmi}, {"rpi", Rounding::kRpi},
};
constexpr Entry<CompareOp> kCompares[] = {
    {"eq", CompareOp::kEq},   {"ne", CompareOp::kNe},   {"lt", CompareOp::kLt},   {"le", CompareOp::kLe},   {"gt", CompareOp::kGt},
    {"ge", CompareOp::kGe},   {"lo", CompareOp::kLo},   {"ls", CompareOp::kLs},   {"hi", CompareOp::kHi},   {"hs", CompareOp::kHs},
    {"equ", CompareOp::kEqu}, {"neu", CompareOp::kNeu}, {"ltu", CompareOp::kLtu}, {"leu", CompareOp::kLeu}, {"gtu", CompareOp::kGtu},
    {"geu", CompareOp::kGeu}, {"num", CompareOp::kNum}, {"nan", CompareOp::kNan},
};
constexpr Entry<BoolOp> kBools[] = {{"and", BoolOp::kAnd}, {"or", BoolOp::kOr}, {"xor", BoolOp::kXor}};
constexpr Entry<MulPart> kParts[] = {{"lo", MulPart::kLo}, {"hi", MulPart::kHi}, {"wide", MulPart::kWide}};
constexpr Entry<ShuffleMode> kShuffles[] = {
    {"up", ShuffleMode::kUp}, {"down", ShuffleMode::kDown}, {"bfly", ShuffleMode::kBfly}, {"idx", ShuffleMode::kIdx}};
constexpr Entry<VoteMode> kVotes[] = {
    {"all", VoteMode::kAll}, {"any", VoteMode::kAny}, {"uni", VoteMode::kUni}, {"ballot", VoteMode::kBallot}};
constexpr Entry<MatchMode> kMatches[] = {{"any", MatchMode::kAny}, {"all", MatchMode::kAll}};
constexpr Entry<ReduceOp> kReduces[] = {
    {"and", ReduceOp::kAnd},   {"or", ReduceOp::kOr},   {"xor", ReduceOp::kXor},   {"add", ReduceOp::kAdd},
    {"inc", ReduceOp::kInc},   {"dec", ReduceOp::kDec}, {"min", ReduceOp::kMin},   {"max", ReduceOp::kMax},
    {"exch", ReduceOp::kExch}, {"cas", ReduceOp::kCas}, {"popc", ReduceOp::kPopc},
};
constexpr Entry<PermuteMode> kPermutes[] = {
    {"f4e", PermuteMode::kF4e}, {"b4e", PermuteMode::kB4e}, {"rc8", PermuteMode::kRc8},
    {"ecl", PermuteMode::kEcl}, {"ecr", PermuteMode::kEcr}, {"rc16", PermuteMode::kRc16},
};
constexpr Entry<FunnelMode> kFunnels[] = {{"clamp", FunnelMode::kClamp}, {"wrap", FunnelMode::kWrap}};
constexpr Entry<TestOp> kTests[] = {
    {"finite", TestOp::kFinite},         {"infinite", TestOp::kInfinite}, {"number", TestOp::kNumber},
    {"notanumber", TestOp::kNotANumber}, {"normal", TestOp::kNormal},     {"subnormal", TestOp::kSubnormal},
};
constexpr Entry<StateSpace> kSpaces[] = {
    {"const", StateSpace::kConst},   {"global", StateSpace::kGlobal},      {"local", StateSpace::kLocal},
    {"param", StateSpace::kParam},   {"param::entry", StateSpace::kParam}, {"param::func", StateSpace::kParamFunc},
    {"shared", StateSpace::kShared}, {"shared::cta", StateSpace::kShared}, {"shared::cluster", StateSpace::kSharedCluster},
};
constexpr Entry<MemoryOrder> kOrders[] = {
    {"weak", MemoryOrder::kWeak},       {"volatile", MemoryOrder::kVolatile}, {"relaxed", MemoryOrder::kRelaxed},
    {"acquire", MemoryOrder::kAcquire}, {"release", MemoryOrder::kRelease},   {"acq_rel", MemoryOrder::kAcqRel},
    {"sc", MemoryOrder::kSc},           {"mmio", MemoryOrder::kMmio},
};
constexpr Entry<Scope> kScopes[] = {{"cta", Scope::kCta}, {"cluster", Scope::kCluster}, {"gpu", Scope::kGpu}, {"sys", Scope::kSys}};
constexpr Entry<uint8_t> kVectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
constexpr Entry<bool Mods::*> kFlags[] = {
    {"ftz", &Mods::ftz}, {"sat", &Mods::sat},   {"approx", &Mods::approx},     {"full", &Mods::full},
    {"NaN", &Mods::nan}, {"relu", &Mods::relu}, {"xorsign", &Mods::xorsign},   {"satfinite", &Mods::satfinite},
    {"cc", &Mods::cc},   {"to", &Mods::to},     {"shiftamt", &Mods::shiftamt}, {"nc", &Mods::nc},
    {"abs", &Mods::abs}, {"abs", &Mods::abs},
};
constexpr Entry<bool> kDirections[] = {{"l", true}, {"r", false}};

template <class E, size_t n>
E Lookup(const Entry<E> (&table)[n], std::string_view modifier) {
  for (const Entry<E>& entry : table) {
    if (entry.spelling == modifier) return entry.value;
  }
  InternalError(__FILE__, __LINE__, "the instruction table offers a modifier without a meaning: ." + std::string(modifier));
}

}  // namespace

void ApplyModifier(ModifierKind kind, std::string_view modifier, Mods& mods) {
  switch (kind) {
    case ModifierKind::kType: {
      const std::optional<ScalarType> type = ScalarTypeFromSpelling(modifier);
      RACER_CHECK(type.has_value());
      mods.type = *type;
      return;
    }
    case ModifierKind::kType2: {
      const std::optional<ScalarType> type = ScalarTypeFromSpelling(modifier);
      RACER_CHECK(type.has_value());
      mods.type2 = *type;
      return;
    }
    case ModifierKind::kRounding: mods.rounding = Lookup(kRoundings, modifier); return;
    case ModifierKind::kCompare: mods.compare = Lookup(kCompares, modifier); return;
    case ModifierKind::kBool: mods.combine = Lookup(kBools, modifier); return;
    case ModifierKind::kPart: mods.part = Lookup(kParts, modifier); return;
    case ModifierKind::kShuffle: mods.shuffle = Lookup(kShuffles, modifier); return;
    case ModifierKind::kVote: mods.vote = Lookup(kVotes, modifier); return;
    case ModifierKind::kMatch: mods.match = Lookup(kMatches, modifier); return;
    case ModifierKind::kReduce: mods.reduce = Lookup(kReduces, modifier); return;
    case ModifierKind::kPermute: mods.permute = Lookup(kPermutes, modifier); return;
    case ModifierKind::kFunnel: mods.funnel = Lookup(kFunnels, modifier); return;
    case ModifierKind::kTest: mods.test = Lookup(kTests, modifier); return;
    case ModifierKind::kDirection: mods.shift_left = Lookup(kDirections, modifier); return;
    case ModifierKind::kSpace: mods.space = Lookup(kSpaces, modifier); return;
    case ModifierKind::kOrder:
      // `.mmio.relaxed` is one order.
      if (mods.order != MemoryOrder::kMmio) mods.order = Lookup(kOrders, modifier);
      return;
    case ModifierKind::kScope: mods.scope = Lookup(kScopes, modifier); return;
    case ModifierKind::kVector: mods.vector = Lookup(kVectors, modifier); return;
    case ModifierKind::kFlag: mods.*Lookup(kFlags, modifier) = true; return;
    case ModifierKind::kOther: return;
  }
  RACER_UNREACHABLE(static_cast<int>(kind));
}

}  // namespace racer::isa
