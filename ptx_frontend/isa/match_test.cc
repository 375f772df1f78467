#include "ptx_frontend/isa/match.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "ptx_frontend/isa/grammar.h"

namespace racer {
namespace {

// "add.rn.f32" -> {"add", "rn", "f32"}.
std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

MatchOutcome Match(const std::string& text, size_t operands) {
  std::vector<std::string> parts = Split(text);
  const std::string mnemonic = parts[0];
  parts.erase(parts.begin());
  return MatchInstruction(mnemonic, parts, operands);
}

MatchOutcome MatchAnyCount(const std::string& text) {
  MatchOutcome outcome;
  for (size_t count = 0; count < 13; ++count) {
    outcome = Match(text, count);
    if (outcome.form) break;
  }
  return outcome;
}

TEST(MatchTest, EveryCensusSpellingIsKnown) {
  std::ifstream file("ptx_frontend/isa/testdata/census.txt");
  ASSERT_TRUE(file);
  // Everything else in the census must be modelled.
  const std::set<std::string> unmodelled = {"barrier", "cp", "mbarrier", "suld", "sust", "tcgen05", "tex", "vabsdiff4", "wgmma"};
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line[0] == '~') continue;
    ++lines;
    line.resize(line.find(' '));  // the number of files
    const MatchOutcome outcome = MatchAnyCount(line);
    ASSERT_TRUE(outcome.form) << line << ": " << outcome.reason;
    if (outcome.form->spec->effect != Effect::kUnmodelled) continue;
    const std::string mnemonic = Split(line)[0];
    EXPECT_TRUE(unmodelled.count(mnemonic) != 0) << line;
  }
  EXPECT_EQ(lines, 806);  // and 23 that are cut off
}

TEST(MatchTest, ModifiersReachTheirFields) {
  const MatchOutcome fma = Match("fma.rm.ftz.sat.f32", 4);
  ASSERT_TRUE(fma.form);
  EXPECT_EQ(fma.form->opcode, Opcode::kFmaFloat);
  Mods expected;
  expected.type = ScalarType::kF32;
  expected.rounding = Rounding::kRm;
  expected.ftz = true;
  expected.sat = true;
  EXPECT_EQ(fma.form->mods, expected);

  const MatchOutcome setp = Match("setp.lt.and.s32", 4);
  ASSERT_TRUE(setp.form);
  EXPECT_EQ(setp.form->mods.compare, CompareOp::kLt);
  EXPECT_EQ(setp.form->mods.combine, BoolOp::kAnd);
  EXPECT_TRUE(setp.form->operands[0].pair_allowed);
  EXPECT_EQ(setp.form->operands[0].type, ScalarType::kPred);
  EXPECT_EQ(setp.form->operands[0].role, OperandForm::Role::kDestination);
  EXPECT_EQ(setp.form->operands[1].type, ScalarType::kS32);
  EXPECT_TRUE(setp.form->operands[3].negatable);

  const MatchOutcome lo = Match("setp.lo.u32", 3);  // .lo compares here and halves a product there
  ASSERT_TRUE(lo.form);
  EXPECT_EQ(lo.form->mods.compare, CompareOp::kLo);
  EXPECT_EQ(lo.form->mods.part, MulPart::kNone);

  const MatchOutcome shf = Match("shf.l.wrap.b32", 4);
  ASSERT_TRUE(shf.form);
  EXPECT_TRUE(shf.form->mods.shift_left);
  EXPECT_EQ(shf.form->mods.funnel, FunnelMode::kWrap);
}

TEST(MatchTest, OperandTypesFollowTheGrammar) {
  const MatchOutcome wide = Match("mad.wide.s32", 4);
  ASSERT_TRUE(wide.form);
  EXPECT_EQ(wide.form->operands[0].type, ScalarType::kS64);
  EXPECT_EQ(wide.form->operands[1].type, ScalarType::kS32);
  EXPECT_EQ(wide.form->operands[3].type, ScalarType::kS64);
  EXPECT_EQ(Match("mul.wide.u16", 3).form->operands[0].type, ScalarType::kU32);

  const MatchOutcome shl = Match("shl.b64", 3);
  EXPECT_EQ(shl.form->operands[1].type, ScalarType::kB64);
  EXPECT_EQ(shl.form->operands[2].type, ScalarType::kU32);

  const MatchOutcome cvt = Match("cvt.rn.f16.f32", 2);
  EXPECT_EQ(cvt.form->operands[0].type, ScalarType::kF16);
  EXPECT_EQ(cvt.form->operands[1].type, ScalarType::kF32);
  EXPECT_EQ(cvt.form->mods.type, ScalarType::kF16);
  EXPECT_EQ(cvt.form->mods.type2, ScalarType::kF32);

  const MatchOutcome set = Match("set.eq.f16.f16", 3);
  EXPECT_EQ(set.form->mods.type, ScalarType::kF16);
  EXPECT_EQ(set.form->mods.type2, ScalarType::kF16);

  const MatchOutcome ld = Match("ld.global.nc.L1::no_allocate.L2::128B.v4.f32", 2);
  ASSERT_TRUE(ld.form) << ld.reason;
  EXPECT_EQ(ld.form->operands[0].vector, 4);
  EXPECT_EQ(ld.form->operands[1].role, OperandForm::Role::kAddress);
  EXPECT_TRUE(ld.form->mods.nc);
  EXPECT_EQ(ld.form->mods.space, StateSpace::kGlobal);

  const MatchOutcome st = Match("st.shared::cta.v2.u16", 2);
  EXPECT_EQ(st.form->operands[0].role, OperandForm::Role::kAddress);
  EXPECT_EQ(st.form->operands[1].vector, 2);
  EXPECT_EQ(st.form->mods.space, StateSpace::kShared);
  EXPECT_EQ(Match("ld.shared::cluster.u32", 2).form->mods.space, StateSpace::kSharedCluster);
  EXPECT_EQ(Match("ld.param::entry.u32", 2).form->mods.space, StateSpace::kParam);
  EXPECT_EQ(Match("ld.u32", 2).form->mods.space, StateSpace::kGeneric);

  const MatchOutcome hint = Match("ld.global.L2::cache_hint.b32", 3);
  EXPECT_EQ(hint.form->operands[2].name, "policy");
  EXPECT_EQ(hint.form->operands[2].type, ScalarType::kU64);

  EXPECT_EQ(Match("bra.uni", 1).form->operands[0].role, OperandForm::Role::kLabel);
  EXPECT_EQ(Match("call.uni", 3).form->operands.size(), 3u);
  EXPECT_EQ(Match("call", 1).form->operands.size(), 1u);
}

TEST(MatchTest, VectorsOfFixedLengthSayTheirLength) {
  const MatchOutcome four = Match("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 2);
  ASSERT_TRUE(four.form) << four.reason;
  EXPECT_EQ(four.form->operands[0].vector, 4);
  EXPECT_TRUE(four.form->operands[0].braces);
  EXPECT_EQ(four.form->operands[0].type, ScalarType::kB32);
  EXPECT_EQ(four.form->operands[1].role, OperandForm::Role::kAddress);
  EXPECT_EQ(four.form->mods.space, StateSpace::kShared);
  const MatchOutcome one = Match("stmatrix.sync.aligned.m8n8.x1.b16", 2);
  ASSERT_TRUE(one.form);
  EXPECT_EQ(one.form->operands[1].vector, 1);
  EXPECT_TRUE(one.form->operands[1].braces);
  EXPECT_FALSE(Match("movmatrix.sync.aligned.m8n8.trans.b16", 2).form->operands[0].braces);
  const isa::GrammarLine line = isa::ParseGrammarLine("x", "x.b16 d:f32*12, a:b32{*1}");
  EXPECT_EQ(line.operands[0].vector, 12);
  EXPECT_FALSE(line.operands[0].bare_allowed);
  EXPECT_EQ(line.operands[1].vector, 1);
  EXPECT_TRUE(line.operands[1].bare_allowed);
}

TEST(MatchTest, OptionalMiddleOperandsAreDropped) {
  const MatchOutcome without = Match("bar.red.popc.u32", 3);
  ASSERT_TRUE(without.form);
  EXPECT_EQ(without.form->operands[2].name, "c");
  const MatchOutcome with = Match("bar.red.popc.u32", 4);
  ASSERT_TRUE(with.form);
  EXPECT_EQ(with.form->operands[2].name, "b");
  EXPECT_EQ(with.form->operands[3].name, "c");
  EXPECT_EQ(with.form->operands[3].type, ScalarType::kPred);
  EXPECT_EQ(with.form->mods.reduce, ReduceOp::kPopc);
}

TEST(MatchTest, OtherOrdersAreReadWhereTheyHaveOneMeaning) {
  const MatchOutcome cvt = Match("cvt.f32.s32.rn", 2);
  ASSERT_TRUE(cvt.form) << cvt.reason;
  EXPECT_EQ(cvt.form->opcode, Opcode::kCvtIntToFloat);
  EXPECT_EQ(cvt.form->mods.type, ScalarType::kF32);  // the types keep their order
  EXPECT_EQ(cvt.form->mods.type2, ScalarType::kS32);
  EXPECT_EQ(Match("vote.ballot.sync.b32", 3).form->opcode, Opcode::kVoteSync);
  const MatchOutcome ld = Match("ld.global.relaxed.cta.L1::no_allocate.v4.b32", 2);
  ASSERT_TRUE(ld.form);
  EXPECT_EQ(ld.form->mods.order, MemoryOrder::kRelaxed);
  EXPECT_EQ(ld.form->mods.scope, Scope::kCta);
  EXPECT_EQ(Match("cvt.s32.s8", 2).form->mods, Match("cvt.s32.s8", 2).form->mods);
  EXPECT_NE(Match("cvt.s32.s8", 2).form->mods, Match("cvt.s8.s32", 2).form->mods);
}

// Where the place says what a modifier is for, another order is another instruction. Seen to fail without families, and without what
// stays in front.
TEST(MatchTest, OrderMattersAmongModifiersOfOneFamily) {
  EXPECT_TRUE(Match("mma.aligned.sync.row.col.m16n8k8.f16.f16.f16.f16", 4).form);
  EXPECT_FALSE(Match("mma.sync.aligned.m16n8k8.col.row.f16.f16.f16.f16", 4).form);
  EXPECT_FALSE(Match("cp.async.ca.global.shared", 3).form);
  EXPECT_FALSE(Match("cp.async.bulk.shared::cta.global.bulk_group", 3).form);
  EXPECT_FALSE(Match("createpolicy.fractional.L2::evict_unchanged.L2::evict_last.b64", 2).form);
  EXPECT_TRUE(Match("tex.v4.1d.f32.s32", 2).form);
  EXPECT_FALSE(Match("mad.u32.lo", 4).form);
  EXPECT_FALSE(Match("shf.wrap.l.b32", 4).form);
  EXPECT_FALSE(Match("cvta.global.to.u64", 2).form);
  EXPECT_FALSE(Match("wmma.a.load.sync.aligned.row.m16n16k16.f16", 2).form);
}

// Seen to fail where rules are not asked.
TEST(MatchTest, RulesSayWhatDoesNotGoTogether) {
  const MatchOutcome shared = Match("ld.shared.L2::128B.u32", 2);
  EXPECT_FALSE(shared.form);
  EXPECT_TRUE(shared.against_rule);
  EXPECT_EQ(shared.reason, "`ld.shared.L2::128B.u32`: hints for the caches are for global and generic addresses");
  EXPECT_FALSE(Match("ld.shared.v8.u32", 2).form);
  EXPECT_FALSE(Match("ld.global.v8.u16", 2).form);
  EXPECT_FALSE(Match("st.v2.b128", 2).form);
  EXPECT_FALSE(Match("st.global.L2::evict_last.v2.b64", 2).form);
  EXPECT_FALSE(Match("ld.relaxed.gpu.local.u32", 2).form);
  EXPECT_EQ(Match("ld.global.u32", 3).reason, "`ld.global.u32` takes 2 operands, found 3; one more, policy, with `.L2::cache_hint`");
  EXPECT_EQ(Match("ld.global.L2::cache_hint.u32", 2).reason,
            "`ld.global.L2::cache_hint.u32` takes 3 operands, found 2, one of them policy, with `.L2::cache_hint`");
  const std::vector<std::string> modifiers = {"v8", "L1::evict_last", "u8"};
  EXPECT_TRUE(Applies({".v4|.v8 & .L1::*", ""}, modifiers));
  EXPECT_FALSE(Applies({".v4|.v8 & !.u8|.s8", ""}, modifiers));
  EXPECT_FALSE(Applies({".v4 & .u8", ""}, modifiers));
}

TEST(MatchTest, NearMissesDoNotMatch) {
  for (const char* text : {"add.f33",      "add.rn.u32",    "add.f32.f32",    "add.ftz.f64",       "add.sat.u32",    "mul.u32",
                           "mul.wide.u64", "mul.lo.f32",    "setp.ltu.s32",   "setp.lt.b32",       "setp.lo.s32",    "setp.f32",
                           "cvt.f32.s32",  "cvt.f16.f32",   "cvt.rn.s32.f32", "cvt.rn.rz.f32.s32", "shl.u32",        "shr.f32",
                           "div.f32",      "sqrt.f32",      "fma.f32",        "ld.global",         "ld.relaxed.f32", "ld.global.shared.f32",
                           "st.const.f32", "shfl.sync.b32", "bar.sync.u32",   "neg.u32",           "abs.u32",        "and.u32",
                           "selp.pred",    "min.NaN.f64",   "rcp.f32",        "mov.f33",           "popc.u32",       "bfe.b32",
                           "prmt.b64",     "lop3.b64",      "ex2.f32"}) {
    const MatchOutcome outcome = MatchAnyCount(text);
    EXPECT_FALSE(outcome.form) << text << " matched " << outcome.form->grammar;
    EXPECT_TRUE(outcome.known_mnemonic) << text;
    EXPECT_FALSE(outcome.reason.empty()) << text;
  }
  EXPECT_FALSE(Match("add.u32", 2).form);
  EXPECT_FALSE(Match("add.u32", 4).form);
  EXPECT_FALSE(Match("setp.lt.and.s32", 3).form);
  EXPECT_FALSE(Match("addd.u32", 3).known_mnemonic);
}

TEST(MatchTest, ReasonsNameWhatWasSeenAndExpected) {
  EXPECT_EQ(Match("frob.u32", 1).reason, "unknown instruction `frob`");
  EXPECT_EQ(Match("brev.u32", 2).reason, "`.u32` is no modifier of `brev`; it takes .b32 .b64");
  EXPECT_EQ(Match("brev.b32", 3).reason, "`brev.b32` takes 2 operands, found 3");
  EXPECT_EQ(Match("bar.sync", 3).reason, "`bar.sync` takes 1 to 2 operands, found 3");
  EXPECT_EQ(Match("bfind.u32.u64", 2).reason, "`.u32` and `.u64` do not go together in `bfind.u32.u64`");
  EXPECT_EQ(Match("add.rn.rz.f32", 3).reason, "`.rn` and `.rz` do not go together in `add.rn.rz.f32`");
  EXPECT_EQ(Match("setp.lt.b32", 3).reason, "`.lt` and `.b32` do not go together in `setp.lt.b32`");
  EXPECT_EQ(Match("fma.f32", 4).reason, "`fma.f32` lacks one of .rn .rz .rm .rp");
  EXPECT_EQ(Match("ld.relaxed.global.u32", 2).reason, "`ld.relaxed.global.u32` lacks one of .cta .cluster .gpu .sys");
  EXPECT_EQ(Match("bfind", 2).reason, "`bfind` lacks one of .u32 .u64 .s32 .s64");
  EXPECT_EQ(Match("vote.sync.any", 3).reason, "`vote.sync.any` lacks .pred");
}

TEST(MatchTest, LongModifierListsEnd) {
  const std::vector<std::string> many(100000, "f32");
  EXPECT_EQ(MatchInstruction("add", many, 3).reason, "`add` with 100000 modifiers: no form has as many");
  const std::vector<std::string> twenty(20, "u32");
  EXPECT_FALSE(MatchInstruction("cvt", twenty, 2).form);
}

TEST(GrammarTest, EveryLineParsesAndItsOptionsHaveAMeaning) {
#define RACER_INSTRUCTION(name)                                        \
  for (const isa::GrammarLine& line : isa::LinesOf(Opcode::k##name)) { \
    for (const isa::ModifierSlot& slot : line.modifiers) {             \
      ASSERT_FALSE(slot.options.empty()) << line.text;                 \
      for (const std::string_view option : slot.options) {             \
        Mods mods;                                                     \
        isa::ApplyModifier(slot.kind, option, mods);                   \
      }                                                                \
    }                                                                  \
  }
#include "ptx_frontend/isa/instructions.def"
}

TEST(RequirementTest, TargetsAdmitWhatTheManualSays) {
  const auto admits = [](std::string_view required, std::string_view module) {
    return Admits(*TargetFromSpelling(required), *TargetFromSpelling(module));
  };
  EXPECT_TRUE(admits("sm_90", "sm_90"));
  EXPECT_TRUE(admits("sm_90", "sm_90a"));
  EXPECT_TRUE(admits("sm_90", "sm_100"));
  EXPECT_FALSE(admits("sm_90", "sm_89"));
  EXPECT_TRUE(admits("sm_90a", "sm_90a"));
  EXPECT_FALSE(admits("sm_90a", "sm_90"));
  EXPECT_FALSE(admits("sm_90a", "sm_100a"));
  EXPECT_TRUE(admits("sm_100f", "sm_100f"));
  EXPECT_TRUE(admits("sm_100f", "sm_103a"));
  EXPECT_FALSE(admits("sm_103f", "sm_100f"));
  EXPECT_FALSE(admits("sm_100f", "sm_100"));
  EXPECT_FALSE(admits("sm_100f", "sm_120f"));
  EXPECT_TRUE(admits("sm_101f", "sm_110a"));
  EXPECT_FALSE(TargetFromSpelling("sm_90b"));
  EXPECT_FALSE(TargetFromSpelling("sm_"));
  EXPECT_EQ(FirstVersionOf(*TargetFromSpelling("compute_90a")), 80u);
  EXPECT_EQ(FirstVersionOf(*TargetFromSpelling("sm_91")), std::nullopt);
}

TEST(RequirementTest, LinesOptionsAndModifiersHaveThem) {
  const isa::GrammarLine line =
      isa::ParseGrammarLine("add", "@8.6/sm_100f|sm_120a add{.sat@2.0}.type{.x@/sm_30} d, a{, c:b64?x}; .type = { .u32, .f16@4.2/sm_53 }");
  EXPECT_EQ(Describe(line.requirement), ".version 8.6 or later and .target sm_100f or later of its family or sm_120a");
  EXPECT_EQ(Describe(line.modifiers[0].requirement), ".version 2.0 or later");
  EXPECT_TRUE(line.modifiers[1].requirement.trivial());
  EXPECT_TRUE(line.modifiers[1].option_since[0].trivial());
  EXPECT_EQ(Describe(line.modifiers[1].option_since[1]), ".version 4.2 or later and .target sm_53 or later");
  EXPECT_EQ(Describe(line.modifiers[2].requirement), ".target sm_30 or later");
  EXPECT_EQ(line.operands[2].condition, 2);
}

TEST(GrammarDeathTest, BrokenLinesAreBugs) {
  EXPECT_EXIT(isa::ParseGrammarLine("add", "sub.f32 d"), testing::ExitedWithCode(4), "mnemonic");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "add{.f32 d"), testing::ExitedWithCode(4), "without");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "add.f32 d:f33"), testing::ExitedWithCode(4), "unknown operand type");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "add.f32 d:f32*0"), testing::ExitedWithCode(4), "vector length");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "add.f32 d:.stype"), testing::ExitedWithCode(4), "names no modifier");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "@8/sm_90 add.f32 d"), testing::ExitedWithCode(4), "@VERSION/TARGET expected");
  EXPECT_EXIT(isa::ParseGrammarLine("add", "add.f32 d:f32?sat"), testing::ExitedWithCode(4), "not optional");
}

}  // namespace
}  // namespace racer
