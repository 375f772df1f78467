// What the parser makes of right PTX.
#include "ptx_frontend/parse/parse.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/ir/print.h"

namespace racer {
namespace {

using Kind = ir::Operand::Kind;

constexpr std::string_view kHead = ".version 8.3\n.target sm_90a, debug\n.address_size 64\n";

std::unique_ptr<ir::Module> Parse(std::string_view text) {
  ParseOutcome outcome = ParsePtx(std::make_shared<const SourceFile>("t.ptx", std::string(kHead) + std::string(text)));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  return outcome.module != nullptr ? std::move(outcome.module) : std::make_unique<ir::Module>();
}

// The module keeps its source alive; the function is its last one.
struct Body {
  std::unique_ptr<ir::Module> module;
  const ir::Function& function() const { return *module->functions.back(); }
  const ir::Instruction& operator[](size_t i) const { return function().body.at(i); }
  const ir::Register& reg(const ir::Operand& operand) const { return function().registers.at(static_cast<size_t>(operand.reg)); }
};
Body ParseBody(std::string_view text, std::string_view before = "") {
  return {Parse(std::string(before) +
                ".entry k(.param .u64 a) { .reg .b32 r<10>; .reg .b64 rd<10>; .reg .f32 f<10>; .reg .f64 d<4>; .reg .pred p<5>; .reg .v4 "
                ".f32 q; .reg .b16 h<4>;\n" +
                std::string(text) + "}")};
}

TEST(ParseTest, Header) {
  const auto module = Parse("//! a = 1\n//! b\n");
  EXPECT_EQ(module->version_major, 8);
  EXPECT_EQ(module->version_minor, 3);
  EXPECT_EQ(module->sm, 90);
  EXPECT_TRUE(module->arch_specific);
  EXPECT_EQ(module->target, (std::vector<std::string>{"sm_90a", "debug"}));
  EXPECT_EQ(module->address_size, 64);
  EXPECT_EQ(module->contract_lines, (std::vector<std::string>{"a = 1", "b"}));
  EXPECT_EQ(module->contract_line_numbers, (std::vector<int>{4, 5}));
}

TEST(ParseTest, EntryHeader) {
  const auto module = Parse(
      ".visible .entry k (.param .u64 .ptr .global .align 16 x, .param .u64 .ptr y, .param .align 4 .b8 s[12], .param .f32 e)\n"
      ".maxntid 128, 2 .reqntid 64 .minnctapersm 3 .maxnreg 40 .reqnctapercluster 2, 1, 1 .explicitcluster .maxclusterrank 8 .pragma "
      "\"x\"; { ret; }\n"
      ".func (.reg .f32 o) f (.reg .pred c) .noreturn;");
  const ir::Function& k = *module->functions.at(0);
  EXPECT_TRUE(k.is_entry);
  EXPECT_EQ(k.linkage, ir::Linkage::kVisible);
  ASSERT_EQ(k.params.size(), 4u);
  EXPECT_TRUE(k.params[0]->is_pointer);
  EXPECT_EQ(k.params[0]->pointer_space, StateSpace::kGlobal);
  EXPECT_EQ(k.params[0]->pointer_align, 16u);
  EXPECT_EQ(k.params[0]->align, 8u);
  EXPECT_TRUE(k.params[1]->is_pointer);
  EXPECT_EQ(k.params[1]->pointer_space, StateSpace::kGeneric);
  EXPECT_EQ(k.params[1]->pointer_align, 0u);
  EXPECT_EQ(k.params[2]->SizeBytes(), 12u);
  EXPECT_EQ(k.params[2]->align, 4u);
  EXPECT_FALSE(k.params[3]->is_pointer);
  EXPECT_EQ(k.params[3]->space, StateSpace::kParam);
  EXPECT_EQ(*k.bounds.maxntid, (std::array<uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(*k.bounds.reqntid, (std::array<uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(*k.bounds.reqnctapercluster, (std::array<uint32_t, 3>{2, 1, 1}));
  EXPECT_EQ(k.bounds.minnctapersm, 3u);
  EXPECT_EQ(k.bounds.maxnreg, 40u);
  EXPECT_EQ(k.bounds.maxclusterrank, 8u);
  EXPECT_TRUE(k.bounds.explicitcluster);
  EXPECT_EQ(k.directives, std::vector<std::string>{".pragma \"x\""});
  const ir::Function& f = *module->functions.at(1);
  EXPECT_TRUE(f.is_declaration);
  EXPECT_TRUE(f.noreturn);
  EXPECT_EQ(f.returns.at(0)->space, StateSpace::kReg);
  ASSERT_EQ(f.registers.size(), 2u);
  EXPECT_EQ(f.registers[0].name, "o");
  EXPECT_EQ(f.registers[1].type, ScalarType::kPred);
  EXPECT_EQ(module->Entries().size(), 1u);
  EXPECT_EQ(module->FindFunction("f"), &f);
  EXPECT_EQ(module->FindFunction("g"), nullptr);
}

TEST(ParseTest, TheDefinitionWinsOverItsDeclarations) {
  const auto module = Parse(".func f(); .func f() { ret; } .func f();");
  EXPECT_EQ(module->FindFunction("f"), module->functions.at(1).get());
}

TEST(ParseTest, InitializersAreBytes) {
  const auto module = Parse(
      ".global .s32 folded = ((3 + 4) * 2 - 1) % 5 | (1 << 4) & ~0 ^ (2 > 1 ? 0x40 : 0);\n"
      ".const .f32 f[] = { 0f3F800000, -2., 1 ? .5 : 0.25 };\n"
      ".global .u16 g[2][3] = { {1, 2}, {0x1234} };\n"
      ".global .v2 .u8 v[2] = { {1, 2}, {-1, 300} };\n"
      ".global .u64 p[3] = { g+2, generic(f) + 8, folded };\n"
      ".global .u8 m[2] = { 0xFF(g), 0xFF00(g) };\n"
      ".global .f64 d = 0f40000000;\n");
  const auto bytes = [&](size_t i) { return module->variables.at(i)->initializer->bytes; };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(bytes(0), (Bytes{0x53, 0, 0, 0}));  // 13 % 5 = 3; 16 & ~0 = 16; 16 ^ 64 = 80; 3 | 80 = 0x53
  EXPECT_EQ(bytes(1), (Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f}));
  EXPECT_EQ(module->variables[1]->dims, std::vector<uint64_t>{3});
  EXPECT_EQ(bytes(2), (Bytes{1, 0, 2, 0, 0, 0, 0x34, 0x12}));
  EXPECT_EQ(bytes(3), (Bytes{1, 2, 0xff, 44}));
  const auto& relocations = module->variables[4]->initializer->relocations;
  ASSERT_EQ(relocations.size(), 3u);
  EXPECT_EQ(relocations[0].symbol, "g");
  EXPECT_EQ(relocations[0].addend, 2);
  EXPECT_FALSE(relocations[0].generic);
  EXPECT_EQ(relocations[1].offset, 8u);
  EXPECT_EQ(relocations[1].addend, 8);
  EXPECT_TRUE(relocations[1].generic);
  EXPECT_EQ(relocations[1].width, 8);
  const auto& masked = module->variables[5]->initializer->relocations;
  EXPECT_EQ(masked.at(1).mask, 0xff00u);
  EXPECT_EQ(masked.at(1).width, 1);
  EXPECT_EQ(masked.at(1).offset, 1u);
  EXPECT_EQ(bytes(6), (Bytes{0, 0, 0, 0, 0, 0, 0, 0x40}));
}

TEST(ParseTest, VariablesAndAlignment) {
  const auto module =
      Parse(".extern .shared .align 16 .b8 dyn[]; .global .v4 .f32 v; .weak .const .f64 d[2]; .global .attribute(.managed) .u32 m;");
  EXPECT_EQ(module->variables[0]->SizeBytes(), 0u);
  EXPECT_EQ(module->variables[0]->align, 16u);
  EXPECT_EQ(module->variables[0]->linkage, ir::Linkage::kExtern);
  EXPECT_EQ(module->variables[1]->align, 16u);
  EXPECT_EQ(module->variables[1]->SizeBytes(), 16u);
  EXPECT_EQ(module->variables[2]->SizeBytes(), 16u);
  EXPECT_EQ(module->variables[3]->attributes.size(), 1u);
  EXPECT_EQ(module->variables[3]->scope, -1);
}

TEST(ParseTest, Operands) {
  const Body body = ParseBody(
      "@!p1 ld.global.v4.f32 {f0, f1, _, q.w}, [rd1+16];\n"
      "mov.u32 r0, -8388608;\n"
      "mov.u64 rd0, x+8;\n"
      "shfl.sync.bfly.b32 r1|p0, r2, 0x10, 31, 0xffffffff;\n"
      "mov.u32 r3, %ctaid.y;\n"
      "mov.u32 r3, %envreg7;\n"
      "mov.f32 f2, 0fFF800000;\n"
      "mov.f32 f2, 1.5;\n"
      "st.local.f32 [4], f2;\n"
      "mov.b32 r1, 5U;\n"
      "setp.lt.and.s32 p0, r1, WARP_SZ, !p2;\n"
      "ld.global.u32 r1, x[3];\n",
      ".global .u32 x[4]; ");
  const ir::Instruction& load = body[0];
  EXPECT_EQ(load.FullName(), "ld.global.v4.f32");
  EXPECT_EQ(load.opcode, Opcode::kLd);
  EXPECT_EQ(load.mods.vector, 4);
  EXPECT_EQ(load.mods.space, StateSpace::kGlobal);
  EXPECT_TRUE(load.guard_negated);
  EXPECT_EQ(body.function().registers.at(static_cast<size_t>(*load.guard)).name, "p1");
  ASSERT_EQ(load.operands.size(), 2u);
  ASSERT_EQ(load.operands[0].kind, Kind::kVector);
  EXPECT_EQ(body.reg(load.operands[0].elements[0]).name, "f0");
  EXPECT_EQ(load.operands[0].elements[2].kind, Kind::kSink);
  EXPECT_EQ(body.reg(load.operands[0].elements[3]).name, "q");
  EXPECT_EQ(load.operands[0].elements[3].vector_component, 3);
  EXPECT_EQ(load.operands[1].kind, Kind::kAddress);
  EXPECT_EQ(load.operands[1].address.offset, 16);
  EXPECT_EQ(load.operand_types.at(0), ScalarType::kF32);
  EXPECT_EQ(load.location.line, 5);
  EXPECT_EQ(load.location.column, 6);
  EXPECT_EQ(body[1].operands[1].bits, 0xffffffffff800000u);
  EXPECT_FALSE(body[1].operands[1].unsigned_literal);
  EXPECT_EQ(body[2].operands[1].kind, Kind::kVariable);
  EXPECT_EQ(body[2].operands[1].address.variable->name, "x");
  EXPECT_EQ(body[2].operands[1].address.offset, 8);
  ASSERT_EQ(body[3].operands[0].kind, Kind::kPair);
  EXPECT_EQ(body.reg(body[3].operands[0].elements[1]).name, "p0");
  EXPECT_EQ(body[3].operands[2].bits, 16u);
  EXPECT_EQ(body[4].operands[1].special.name, "%ctaid");
  EXPECT_EQ(body[4].operands[1].special.component, 1);
  EXPECT_TRUE(body[4].operands[1].special.has_component);
  EXPECT_EQ(body[5].operands[1].special.name, "%envreg");
  EXPECT_EQ(body[5].operands[1].special.component, 7);
  EXPECT_EQ(body[6].operands[1].kind, Kind::kFloat);
  EXPECT_EQ(body[6].operands[1].float_width, 32);
  EXPECT_EQ(body[6].operands[1].bits, 0xff800000u);
  EXPECT_EQ(body[7].operands[1].float_width, 64);
  EXPECT_EQ(body[7].operands[1].bits, 0x3ff8000000000000u);
  EXPECT_EQ(body[8].operands[0].address.offset, 4);
  EXPECT_FALSE(body[8].operands[0].address.base.has_value());
  EXPECT_TRUE(body[9].operands[1].unsigned_literal);
  EXPECT_EQ(body[10].operands[2].bits, 32u);
  EXPECT_TRUE(body[10].operands[3].negated);
  // In elements: ptxas compiles x[3] of .u32 to x+12.
  EXPECT_EQ(body[11].operands[1].kind, Kind::kAddress);
  EXPECT_EQ(body[11].operands[1].address.offset, 12);
}

TEST(ParseTest, OnlyNamedMembersOfARangeExist) {
  const Body body = ParseBody(".reg .b32 big<4000000000>; mov.b32 big3999999999, r07; mov.b32 r7, 1;");
  std::vector<std::string> names;
  for (const ir::Register& reg : body.function().registers) names.push_back(reg.name);
  EXPECT_EQ(names, (std::vector<std::string>{"q", "big3999999999", "r7"}));
  EXPECT_EQ(body[0].operands[1].reg, body[1].operands[0].reg);  // r07 is r7
}

TEST(ParseTest, ScopesShadowAndEnd) {
  const Body body =
      ParseBody("mov.b32 r1, 1; { .reg .b32 r1; mov.b32 r1, 2; { mov.b32 r1, 3; .reg .b16 r1; mov.b16 r1, 4; } } mov.b32 r1, 5;");
  const auto reg = [&](size_t i) { return body[i].operands[0].reg; };
  EXPECT_EQ(reg(0), reg(4));
  EXPECT_EQ(reg(1), reg(2));
  EXPECT_NE(reg(0), reg(1));
  EXPECT_NE(reg(1), reg(3));
  EXPECT_EQ(body[3].scope, 2);
  ASSERT_EQ(body.function().scopes.size(), 3u);
  EXPECT_EQ(body.function().scopes[1].begin, 1u);
  EXPECT_EQ(body.function().scopes[1].end, 4u);
  EXPECT_EQ(body.function().scopes[2].parent, 1);
}

// A label belongs to the innermost scope that has it, wherever it stands there.
TEST(ParseTest, Labels) {
  const Body body = ParseBody("L: bra L; { bra L; mov.b32 r1, 1; L: bra E; } bra E; E: ret; E2:");
  EXPECT_EQ(body[0].operands[0].target, 0u);
  EXPECT_EQ(body[1].operands[0].target, 3u);
  EXPECT_EQ(body[3].operands[0].target, 5u);
  EXPECT_EQ(body[4].operands[0].target, 5u);
  EXPECT_EQ(body.function().labels.back().target, 6u);
}

TEST(ParseTest, JumpTables) {
  const Body body = ParseBody("t: .branchtargets L<2>, E, L1; { brx.idx r0, t; L1: ret; } L0: ret; L1: ret; E: ret;");
  const ir::Operand& list = body[0].operands.at(1);
  ASSERT_EQ(list.kind, Kind::kLabel);
  const ir::Label& label = body.function().labels.at(list.label);
  EXPECT_TRUE(label.is_branch_targets);
  EXPECT_EQ(label.branch_targets, (std::vector<std::string>{"L0", "L1", "E", "L1"}));
  std::vector<uint32_t> targets;
  targets.reserve(label.branch_target_labels.size());
  for (const uint32_t target : label.branch_target_labels) targets.push_back(body.function().labels.at(target).target);
  EXPECT_EQ(targets, (std::vector<uint32_t>{2, 3, 4, 3}));  // those of the scope of the list
}

TEST(ParseTest, Calls) {
  const Body body = ParseBody(
      ".param .b32 x; .param .align 8 .b8 y[16];\n"
      "call.uni (x), f, (y, y); call g; call (x), rd0, (y), P; P: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16]);",
      ".func (.param .b32 o) f(.param .align 8 .b8 i[16], .param .align 8 .b8 j[16]) { ret; } .func g() { ret; } ");
  ASSERT_EQ(body[0].operands.size(), 3u);
  EXPECT_EQ(body[0].opcode, Opcode::kCall);
  EXPECT_EQ(body[0].operands[0].kind, Kind::kList);
  EXPECT_EQ(body[0].operands[0].elements.at(0).address.variable->name, "x");
  EXPECT_EQ(body[0].operands[1].kind, Kind::kFunction);
  EXPECT_EQ(body[0].operands[1].name, "f");
  EXPECT_EQ(body[0].operands[2].elements.size(), 2u);
  EXPECT_EQ(body[1].operands.size(), 1u);
  EXPECT_EQ(body[2].operands.at(1).kind, Kind::kRegister);
  EXPECT_EQ(body[2].operands.at(3).kind, Kind::kLabel);
  EXPECT_TRUE(body.function().labels.at(0).is_call_prototype);
}

// What no machine has stays, with the reason; it is an error for whoever executes it.
TEST(ParseTest, UnmatchedInstructionsAreKept) {
  const Body body = ParseBody("add.s32 r0, -r1, r2; ld.global.u32 r0, x[r1]; add.s32 r0, r1.b0, r2;", ".global .u32 x[4]; ");
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(body[i].opcode, Opcode::kUnknown) << i;
    EXPECT_NE(body[i].unmatched, "") << i;
  }
}

// A .version later than the table may have instructions that it lacks. Seen to fail where every version is taken to be later.
TEST(ParseTest, LaterVersionsMayKnowMore) {
  const std::string text = ".target sm_90a\n.address_size 64\n.entry k() { .reg .b32 r;\nmma.f31 r, r;\nfrob r;\nret; }\n";
  const ParseOutcome later = ParsePtx(std::make_shared<const SourceFile>("t.ptx", ".version 9.1\n" + text));
  ASSERT_NE(later.module, nullptr);
  EXPECT_EQ(later.module->functions[0]->body[0].opcode, Opcode::kUnknown);
  EXPECT_NE(later.module->functions[0]->body[0].unmatched, "");
  EXPECT_EQ(ParsePtx(std::make_shared<const SourceFile>("t.ptx", ".version 9.0\n" + text)).diagnostics.size(), 2u);
}

TEST(ParseTest, DebugLocations) {
  const Body body = ParseBody(
      ".loc 1 40 7\n.loc 1 45 3\nmov.b32 r0, 1;\n.loc 2 7 3, function_name inf+4, inlined_at 1 40 7\nmov.b32 r0, 2;\n"
      ".loc 2 9 1, function_name inf, inlined_at 2 7 3\nmov.b32 r0, 3;\n.loc 2 1 1, inlined_at 9 9 9\nmov.b32 r0, 4;\n",
      ".file 1 \"dir/a.cu\"\n.file 2 \"b.cuh\", 5, 6\n");
  EXPECT_EQ(body.module->SourceLine(body[0]), "a.cu:45");
  EXPECT_EQ(body.module->SourceLine(body[1]), "b.cuh:7 inlined at a.cu:40");
  EXPECT_EQ(body.module->SourceLine(body[2]), "b.cuh:9 inlined at b.cuh:7 inlined at a.cu:40");
  EXPECT_EQ(body.module->SourceLine(body[3]), "b.cuh:1 inlined at file 9:9");
  EXPECT_EQ(body.module->debug_locations.at(*body[1].debug_location).function_name, "inf+4");
  EXPECT_EQ(body.module->files.at(1).size, 6u);
  EXPECT_EQ(Parse(".entry k() { ret; }")->SourceLine(ir::Instruction()), "");
}

TEST(ParseTest, OneInstructionAsText) {
  const Body body = ParseBody(
      "@!p1   ld.global.v4.f32 { f0,f1 , _, q.w }, [ rd1 + 0x10 ]; mov.b64 rd0, 9223372036854775808; mov.u32 r0, "
      "(.s64)0x8000000000000000;");
  EXPECT_EQ(ir::Print(*body.module, body.function(), body[0]), "@!p1 ld.global.v4.f32 {f0, f1, _, q.w}, [rd1+16];");
  EXPECT_EQ(ir::Print(*body.module, body.function(), body[1]), "mov.b64 rd0, 9223372036854775808;");
  EXPECT_EQ(ir::Print(*body.module, body.function(), body[2]), "mov.u32 r0, (.s64)0x8000000000000000;");
}

}  // namespace
}  // namespace racer
