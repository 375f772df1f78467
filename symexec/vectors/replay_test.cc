// What a real GPU made of every written form of the table, against the Bits machine: exact forms bit for bit (NaN payloads
// included), approximate ones within the manual's bound.
#include "symexec/vectors/replay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx_frontend/isa/spec.h"
#include "symexec/vectors/goldens.h"
#include "symexec/vectors/kernel.h"

namespace racer {
namespace {

constexpr char kFolder[] = "symexec/vectors/testdata/";

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const char* name : {"approximate", "comparison", "conversion", "float", "integer", "memory", "warp"}) {
    const std::string path = kFolder + std::string(name) + ".txt";
    if (std::ifstream(path)) files.push_back(path);
  }
  return files;
}

struct Recorded {
  const char* record;
  Opcode opcode;
  uint64_t forms, vectors;
  double error, share;
};
constexpr Recorded kRecorded[] = {
#define RACER_HARDWARE(name, forms, vectors, error, share) {#name, Opcode::k##name, forms, vectors, error, share},
#include "ptx_frontend/isa/hardware.def"
};

TEST(ReplayTest, BitsAgreesWithTheGpu) {
  std::map<Opcode, Recorded> seen;
  std::set<std::string> names;
  uint64_t vectors = 0;
  for (const std::string& path : Files()) {
    for (const FormReplay& replay : Replay(ReadVectors(path))) {
      EXPECT_NE(replay.opcode, Opcode::kUnknown) << replay.name << " in " << path << " is no form of the table any more";
      EXPECT_EQ(replay.mismatches, 0u) << replay.name << ": " << replay.first_wrong;
      vectors += replay.vectors;
      names.insert(replay.name);
      Recorded& sum = seen[replay.opcode];
      ++sum.forms;
      sum.vectors += replay.vectors;
      sum.error = std::max(sum.error, replay.worst_ulp);
      sum.share = std::max(sum.share, replay.worst_share);
    }
  }
  EXPECT_GE(vectors, 150000u);

  // The table that docs/isa.md shows is that of these files.
  EXPECT_EQ(seen.size(), std::size(kRecorded)) << "run: bazel run //symexec/vectors:measure_main -- --table";
  for (const Recorded& recorded : kRecorded) {
    const Recorded& sum = seen[recorded.opcode];
    EXPECT_EQ(sum.forms, recorded.forms) << recorded.record;
    EXPECT_EQ(sum.vectors, recorded.vectors) << recorded.record;
    EXPECT_NEAR(sum.error, recorded.error, 0.006) << recorded.record;
    EXPECT_NEAR(sum.share, recorded.share, 0.006) << recorded.record;
  }

  // Most forms have vectors, or are for newer targets than the GPU's. New forms wait for the next recording.
  std::ifstream newer(std::string(kFolder) + "newer.txt");
  for (std::string name, target; newer >> name >> target;) names.insert(name);
  size_t forms = 0;
  std::string missing;
  size_t without = 0;
  for (const VectorForm& form : VectorForms()) {
    ++forms;
    if (names.contains(form.written.Name())) continue;
    ++without;
    missing += " " + form.written.Name();
  }
  EXPECT_LE(without, forms / 10) << missing;
}

// The comparison of this test is no sham: one bit that differs is a mismatch, and an error beyond the manual's bound is.
TEST(ReplayTest, DifferencesAreSeen) {
  VectorFile file;
  constexpr uint64_t kX = 0x3fc00000;  // 2^1.5 is 0x403504f3, rounded to nearest
  file.operands = {{{1, 2}, {3, 4}}, {{kX, kX, kX}}};
  file.forms = {{.name = "add.u32", .operands = 0, .results = {{4}, {7}}},
                {.name = "ex2.approx.f32", .operands = 1, .results = {{0x403504f3}, {0x403504f9}, {0x7fffffff}}},  // 0, 6 ulp, NaN
                {.name = "add.nothing", .operands = 1, .results = {{0}, {0}, {0}}}};
  const std::vector<FormReplay> replays = Replay(file);
  ASSERT_EQ(replays.size(), 3u);
  EXPECT_EQ(replays[0].mismatches, 1u);
  EXPECT_NE(replays[0].first_wrong.find("2 4 = 7 on the GPU, 6 in Bits"), std::string::npos) << replays[0].first_wrong;
  EXPECT_EQ(replays[1].mismatches, 2u);
  EXPECT_EQ(replays[2].opcode, Opcode::kUnknown);
}

// bfe of a position past 255: the manual leaves it open, and hardware differs between 32 and 64 bits.
TEST(ReplayTest, WhatTheManualLeavesOpenIsNotCompared) {
  VectorFile file;
  file.operands = {{{0xff}, {0x100}, {4}}};
  file.forms = {{.name = "bfe.u64", .operands = 0, .results = {{0}}}};
  const std::vector<FormReplay> replays = Replay(file);
  EXPECT_EQ(replays[0].undefined, 1u);
  EXPECT_EQ(replays[0].mismatches, 0u);
}

}  // namespace
}  // namespace racer
