// Every form of hot_forms.def against its record, and the list against what compilers write.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/core.h"
#include "symexec/machine/exec_hot.h"
#include "symexec/machine/traits.h"

namespace racer {
namespace {

std::vector<HotForm<BitsTraits>> Forms() {
  std::vector<HotForm<BitsTraits>> forms;
  AddHotIntegers(&forms);
  AddHotFloats(&forms);
  return forms;
}

// Patterns of up to 64 bits: edges of integers, of both floating-point widths, and random ones.
uint64_t Pattern(std::mt19937_64& random) {
  static constexpr uint64_t kEdges[] = {0,          1,          2,          31,         32,         33,         63,         64,
                                        0x7f,       0x80,       0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff,
                                        0x00000001, 0x00800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00001,
                                        0x7f800001, 0x33000000, 0x477ff000, 0x7c00,     0x7e00,     0x0400,     0x3c00,     0xfc01};
  switch (random() % 4) {
    case 0: return kEdges[random() % std::size(kEdges)];
    case 1: return kEdges[random() % std::size(kEdges)] << 32 | kEdges[random() % std::size(kEdges)];
    case 2: return 0x3f000000 + (random() & 0x1ffffff);
    default: return random();
  }
}

// Widths that hold the operands of every form, so that rows are as the machine keeps them.
unsigned OperandWidth(const HotForm<BitsTraits>& form, unsigned operand) {
  if (form.opcode == Opcode::kSelp && operand == 2) return 1;
  if ((form.opcode == Opcode::kShl || form.opcode == Opcode::kShr) && operand == 1) return 32;
  if (form.mods.type2 != ScalarType::kNone) return BitWidth(form.mods.type2);
  const unsigned width = BitWidth(form.mods.type);
  return form.opcode == Opcode::kMad && operand == 2 && form.mods.part == MulPart::kWide ? 2 * width : width;
}

// Breaks where a form has another record's or other modifiers' function, or where one of the three loops is wrong (tried: inactive lanes
// overwritten where most lanes are active).
TEST(HotForms, AgreeWithTheirRecords) {
  std::mt19937_64 random(11);
  const std::vector<Core<BitsTraits>::ValueFunction> values = ValueFunctions<BitsTraits>();
  for (const HotForm<BitsTraits>& form : Forms()) {
    for (int round = 0; round < 60; ++round) {
      std::array<uint64_t, 4 * kWarpSize> hot, general;
      for (unsigned row = 0; row < 4; ++row) {
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
          const unsigned width = row < 3 ? OperandWidth(form, row) : 64;
          hot[row * kWarpSize + lane] = Pattern(random) & LowMask(width);
        }
      }
      general = hot;
      Decoded in;
      in.action = Action::kValue;
      in.opcode = form.opcode;
      in.mods = form.mods;
      in.plain = true;
      in.source_count = static_cast<uint8_t>(form.sources);
      in.dest_count = 1;
      for (unsigned i = 0; i < form.sources; ++i) in.source[i] = {.row = i, .width = 64, .reg_width = 64};
      in.dest[0] = {.row = round % 4 == 0 ? 0u : 3u, .width = 64, .reg_width = 64};  // a source as well, now and then
      const LaneMask masks[] = {kAllLanes, 0x00ffff0f, 0x80000401};
      const LaneMask active = masks[round % 3];
      Core<BitsTraits> core(nullptr);
      core.UseRegisters(hot.data(), values);
      form.run(core, in, active);
      core.UseRegisters(general.data(), values);
      core.PerformByRecord(in, active);
      ASSERT_EQ(hot, general) << SpecOf(form.opcode).mnemonic << "." << Spelling(form.mods.type) << ", lanes " << std::hex << active;
    }
  }
}

TEST(HotForms, HoldWhatCompilersWrite) {
  const char* const kInstructions[] = {
      "add.s32 %r0, %r1, %r2",
      "add.s64 %d0, %d1, %d2",
      "sub.s32 %r0, %r1, %r2",
      "mul.lo.s32 %r0, %r1, %r2",
      "mul.wide.s32 %d0, %r1, %r2",
      "mul.wide.u32 %d0, %r1, %r2",
      "mad.lo.s32 %r0, %r1, %r2, %r3",
      "shl.b32 %r0, %r1, %r2",
      "shl.b64 %d0, %d1, %r2",
      "shr.u32 %r0, %r1, %r2",
      "shr.s32 %r0, %r1, %r2",
      "and.b32 %r0, %r1, %r2",
      "or.b32 %r0, %r1, %r2",
      "xor.b32 %r0, %r1, %r2",
      "and.pred %p0, %p1, %p2",
      "or.pred %p0, %p1, %p2",
      "not.pred %p0, %p1",
      "setp.ge.s32 %p0, %r1, %r2",
      "setp.lt.u32 %p0, %r1, %r2",
      "setp.ne.s32 %p0, %r1, %r2",
      "setp.eq.s64 %p0, %d1, %d2",
      "setp.gt.f32 %p0, %f1, %f2",
      "selp.b32 %r0, %r1, %r2, %p0",
      "selp.f32 %f0, %f1, %f2, %p0",
      "min.s32 %r0, %r1, %r2",
      "max.u32 %r0, %r1, %r2",
      "neg.s32 %r0, %r1",
      "add.f32 %f0, %f1, %f2",
      "add.rn.f32 %f0, %f1, %f2",
      "sub.f32 %f0, %f1, %f2",
      "mul.f32 %f0, %f1, %f2",
      "fma.rn.f32 %f0, %f1, %f2, %f3",
      "max.f32 %f0, %f1, %f2",
      "neg.f32 %f0, %f1",
      "abs.f32 %f0, %f1",
      "cvt.rn.f32.s32 %f0, %r1",
      "cvt.rn.f32.u32 %f0, %r1",
      "cvt.f32.f16 %f0, %h1",
      "cvt.rn.f16.f32 %h0, %f1",
      "cvt.f32.bf16 %f0, %h1",
      "cvt.rn.bf16.f32 %h0, %f1",
      "cvt.s64.s32 %d0, %r1",
      "cvt.u64.u32 %d0, %r1",
      "cvt.u32.u64 %r0, %d1",
  };
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f32 %f<4>; .reg .b16 %h<4>; .reg .pred %p<4>;\n";
  for (const char* instruction : kInstructions) text += std::string(instruction) + ";\n";
  const auto module = std::move(ParsePtx(std::make_shared<SourceFile>("hot.ptx", text + "ret;\n}\n")).module);
  ASSERT_NE(module, nullptr);
  const ir::Function& entry = *module->Entries().front();
  const std::vector<HotForm<BitsTraits>> forms = Forms();
  ASSERT_GT(entry.body.size(), std::size(kInstructions));
  for (size_t i = 0; i < std::size(kInstructions); ++i) {
    const ir::Instruction& instruction = entry.body[i];
    const bool found = std::any_of(forms.begin(), forms.end(), [&](const HotForm<BitsTraits>& form) {
      return form.opcode == instruction.opcode && form.mods == instruction.mods && form.sources + 1 == instruction.operands.size();
    });
    EXPECT_TRUE(found) << kInstructions[i];
  }
}

}  // namespace
}  // namespace racer
