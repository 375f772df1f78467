#include "ptx_frontend/isa/forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace racer {
namespace {

std::vector<std::string> Names(Opcode opcode) {
  std::vector<std::string> names;
  for (const WrittenForm& written : FormsOf(opcode)) names.push_back(written.Name());
  return names;
}

TEST(FormsTest, EveryCombinationOfALine) {
  EXPECT_EQ(Names(Opcode::kFmaFloat).size(), 4u * 2 * 2 + 4);
  EXPECT_EQ(Names(Opcode::kBrev), (std::vector<std::string>{"brev.b32", "brev.b64"}));
  EXPECT_EQ(Names(Opcode::kRcpApprox), (std::vector<std::string>{"rcp.approx.f32", "rcp.approx.ftz.f32", "rcp.approx.ftz.f64"}));
}

TEST(FormsTest, GroupsStayTogether) {
  const std::vector<std::string> names = Names(Opcode::kMinHalf);
  EXPECT_NE(std::count(names.begin(), names.end(), "min.ftz.NaN.xorsign.abs.f16"), 0);
  for (const std::string& name : names) EXPECT_EQ(name.find("xorsign") == name.npos, name.find("abs") == name.npos) << name;
}

TEST(FormsTest, NumbersOfOperandsAreForms) {
  const std::vector<std::string> names = Names(Opcode::kBarSync);
  EXPECT_EQ(names, (std::vector<std::string>{"bar.sync/1", "bar.sync/2", "bar.cta.sync/1", "bar.cta.sync/2"}));
  const std::vector<std::string> max = Names(Opcode::kMaxFloat);
  EXPECT_EQ(std::count(max.begin(), max.end(), "max.NaN.f32/3"), 1);
  EXPECT_EQ(std::count(max.begin(), max.end(), "max.NaN.f32/4"), 1);
  EXPECT_EQ(std::count(max.begin(), max.end(), "max.xorsign.abs.f32"), 1);
}

// Seen to fail without the exclusion.
TEST(FormsTest, WhatPtxasRefusesIsNoForm) {
  const std::vector<std::string> names = Names(Opcode::kCvtInt);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cvt.sat.s32.s8"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cvt.sat.u64.u64"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cvt.sat.u64.s8"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "cvt.sat.s8.s16"), 1);
}

// A cache operator is written once, not beside every type.
TEST(FormsTest, ModifiersWithoutMeaningAreWrittenOnce) {
  const std::vector<std::string> names = Names(Opcode::kLd);
  EXPECT_EQ(std::count_if(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("ld.cs."); }), 1);
  EXPECT_NE(std::count(names.begin(), names.end(), "ld.shared.v4.f32"), 0);
}

TEST(FormsTest, SamplesNameRegistersAfterOperands) {
  const WrittenForm written = FormsOf(Opcode::kLop3Pred).front();
  const Sample sample = SampleOf(written, {.second = true, .negated = true, .immediate = 0x96});
  EXPECT_EQ(sample.text, "lop3.or.b32 %d|%second, %a, %b, %c, 150, !%e;");
  EXPECT_EQ(sample.declarations.front(), ".reg .b32 %d;");
  EXPECT_EQ(sample.declarations.back(), ".reg .pred %e;");
}

}  // namespace
}  // namespace racer
