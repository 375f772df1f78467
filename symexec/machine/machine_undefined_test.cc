// Undefined registers that a result does not depend on, and those that it does.
#include <optional>
#include <string>
#include <vector>

#include "symexec/field/prime_field.h"
#include "symexec/machine/testing.h"

namespace racer {
namespace {

// %h1 and %r4 hold data; %h39 and %r39 were never written, nor was the upper half of %r1, the lower one of %r2 and
// the upper word of %rd5. The result is %r9.
std::string Program(const std::string& body, const std::string& set) {
  return Kernel(set + "ld.global.u32 %r4, [%rd1];\nld.global.u16 %h1, [%rd1+4];\nmov.b32 %r1, {%h1, %h39};\nmov.b32 %r2, {%h39, %h1};\n" +
                "mov.b64 %rd5, {%r4, %r39};\n" + body + "\nst.global.u32 [%rd0], %r9;");
}

// The result of the Term machine with the registers undefined, if it is defined, and those of Bits with values for them.
struct Results {
  std::optional<uint32_t> term;
  std::vector<uint32_t> bits;
  bool same() const {
    for (const uint32_t word : bits) {
      if (word != bits[0]) return false;
    }
    return true;
  }
};

Results RunBoth(const std::string& body) {
  const std::vector<uint32_t> words = {0x89abcdef, 0x00009234};
  Results results;
  Launch undefined(Program(body, ""));
  undefined.Buffers(4, words);
  const RunResult run = undefined.Term();
  EXPECT_EQ(run.status, RunResult::Status::kCompleted) << body << ": " << run.reason;
  const CellValue cell = undefined.term().ReadCell(0, 0, 32);
  if (cell.state == CellValue::State::kConcrete) results.term = static_cast<uint32_t>(cell.bits);
  for (const std::string value : {"0", "-1", "1", "0x8000", "0x5a17", "0x7fff"}) {
    const std::string wide = value == "-1" ? "-1" : value + (value.size() > 1 ? "a3c4" : "");
    Launch set(Program(body, "mov.b16 %h39, " + value + ";\nmov.b32 %r39, " + wide + ";\n"));
    set.Buffers(4, words);
    EXPECT_EQ(set.Bits().status, RunResult::Status::kCompleted) << body;
    results.bits.push_back(static_cast<uint32_t>(set.bits().ReadCell(0, 0, 32).bits));
  }
  return results;
}

// Broken once each: sums not split at the lowest undefined bit, the greatest number taken for the least.
TEST(MachineUndefined, WhatDoesNotDependOnIt) {
  for (const std::string body : {
           "add.u32 %r9, %r1, %r4; and.b32 %r9, %r9, 0xffff;",
           "sub.u32 %r9, %r4, %r1; and.b32 %r9, %r9, 0xffff;",
           "neg.s32 %r9, %r1; and.b32 %r9, %r9, 0xffff;",
           "mul.lo.u32 %r9, %r1, %r1; and.b32 %r9, %r9, 0xffff;",
           "mad.lo.u32 %r9, %r1, 3, %r4; and.b32 %r9, %r9, 0xffff;",
           "mad.lo.s32 %r9, %r1, %r4, %r1; cvt.u16.u32 %h2, %r9; cvt.u32.u16 %r9, %h2;",
           "add.u32 %r9, %r1, %r1; mov.b32 {%h2, %h3}, %r9; cvt.u32.u16 %r9, %h2;",
           "add.u32 %r9, %r1, %r4; add.u32 %r9, %r9, %r9; sub.u32 %r9, 7, %r9; prmt.b32 %r9, %r9, 0, 0x4510;",
           "mul.lo.u32 %r9, %r1, 0x30000;",
           "mul.wide.s32 %rd6, %r1, 12; cvt.u32.u64 %r9, %rd6; and.b32 %r9, %r9, 0x3ffff;",
           "mul.wide.u16 %r9, %h39, 0;",
           "add.u64 %rd6, %rd5, %rd5; cvt.u32.u64 %r9, %rd6;",
           "mul.lo.u64 %rd6, %rd5, %rd5; cvt.u32.u64 %r9, %rd6;",
           "or.b32 %r9, %r1, %r4; and.b32 %r9, %r9, 0xffff;",
           "not.b32 %r9, %r1; and.b32 %r9, %r9, 0xffff;",
           "xor.b32 %r9, %r1, 0xff; and.b32 %r9, %r9, 0xffff;",
           "brev.b32 %r9, %r1; shr.u32 %r9, %r9, 16;",
           "lop3.b32 %r9, %r4, %r39, %r39, 0xf0;",
           "lop3.b32 %r9, %r39, %r4, %r39, 0xcc;",
           "lop3.b32 %r9, %r39, %r39, %r4, 0x55;",
           "lop3.b32 %r9, %r4, %r39, %r0, 0xa0;",
           "lop3.b32 %r9, %r4, %r0, %r39, 0xc0;",
           "lop3.b32 %r9, %r39, %r4, %r0, 0x88;",
           "lop3.b32 %r9, %r39, %r39, %r39, 0xff;",
           "lop3.b32 %r9, %r1, %r4, 0, 0x96; and.b32 %r9, %r9, 0xffff;",
           "lop3.b32 %r9, %r1, %r4, 0xffff, 0x80;",
           "mul.lo.u32 %r9, %r39, 0;",
           "mul.hi.s32 %r9, %r39, 0;",
           "mad.lo.u32 %r9, %r39, 0, %r4;",
           "and.b32 %r9, %r39, 0;",
           "or.b32 %r9, %r39, -1;",
           "min.u32 %r9, %r39, 0;",
           "min.u32 %r9, 0, %r39;",
           "min.s32 %r9, %r39, 0x80000000;",
           "max.u32 %r9, %r39, 0xffffffff;",
           "max.u32 %r9, 0xffffffff, %r39;",
           "max.s32 %r9, %r39, 0x7fffffff;",
           "rem.u32 %r9, %r39, 1;",
           "setp.lt.u32 %p1, %r39, 0; selp.u32 %r9, 1, 2, %p1;",
           "setp.ge.s32 %p1, %r39, 0x80000000; selp.u32 %r9, 1, 2, %p1;",
           "setp.lt.u32 %p1, %r39, 5; selp.u32 %r9, %r4, %r4, %p1;",
           "and.b32 %r9, %r39, 7; setp.eq.u32 %p1, %r9, 8; selp.u32 %r9, 1, 2, %p1;",
           "shl.b32 %r9, %r1, 16;",
           "shr.u32 %r9, %r2, 16;",
           "shl.b32 %r9, %r39, 32;",
           "shl.b32 %r9, 0, %r39;",
           "bfe.u32 %r9, %r1, 3, 13;",
           "bfe.s32 %r9, %r1, 0, 16;",
           "bfe.u32 %r9, %r4, %r39, 0;",
           "bfe.u32 %r9, %r39, %r4, 0;",
           "bfe.u32 %r9, %r39, 40, 4;",
           "bfi.b32 %r9, %r4, %r1, 16, 16;",
           "bfi.b32 %r9, %r1, 0, 5, 16;",
           "bfi.b32 %r9, %r39, %r4, 5, 0;",
           "bfi.b32 %r9, %r4, %r39, 0, 32;",
           "bfi.b32 %r9, %r39, %r4, 32, 8;",
           "prmt.b32 %r9, %r1, %r2, 0x7610;",
           "prmt.b32 %r9, %r1, %r39, 0x9180;",
           "shf.l.wrap.b32 %r9, %r39, %r1, 48; shr.u32 %r9, %r9, 16;",
           "mul24.lo.u32 %r9, %r39, 0;",
           "dp4a.u32.u32 %r9, %r39, 0, %r4;",
       }) {
    SCOPED_TRACE(body);
    const Results results = RunBoth(body);
    EXPECT_TRUE(results.same());
    ASSERT_TRUE(results.term.has_value());
    EXPECT_EQ(*results.term, results.bits[0]);
  }
}

// The near misses: some value of what is undefined shows. Broken once by counting the zeros of a factor twice.
TEST(MachineUndefined, WhatDependsOnIt) {
  for (const std::string body : {
           "add.u32 %r9, %r1, %r4; and.b32 %r9, %r9, 0x1ffff;",
           "sub.u32 %r9, %r4, %r1;",
           "add.u32 %r9, %r2, %r4; shr.u32 %r9, %r9, 16;",  // the carry
           "sub.u32 %r9, %r2, 1; shr.u32 %r9, %r9, 16;",
           "mul.lo.u32 %r9, %r1, %r1; and.b32 %r9, %r9, 0x80000;",
           "mul.lo.u32 %r9, %r1, 0x10000; add.u32 %r9, %r9, %r2;",
           "mul.lo.u32 %r9, %r1, 0x8000;",
           "mul.hi.u32 %r9, %r1, %r4;",
           "mul.lo.u32 %r9, %r39, 1;",
           "mad.lo.u32 %r9, %r39, 2, %r4;",
           "mul.wide.s32 %rd6, %r1, 12; cvt.u32.u64 %r9, %rd6; and.b32 %r9, %r9, 0x7ffff;",
           "add.u64 %rd6, %rd5, %rd5; shr.u64 %rd6, %rd6, 32; cvt.u32.u64 %r9, %rd6;",
           "not.b32 %r9, %r1;",
           "lop3.b32 %r9, %r4, %r39, %r39, 0xf1;",
           "lop3.b32 %r9, %r4, %r39, %r0, 0xe0;",
           "lop3.b32 %r9, %r39, %r4, %r0, 0x80; lop3.b32 %r9, %r39, %r4, 0, 0xc0;",
           "lop3.b32 %r9, %r1, %r4, 0x1ffff, 0x80;",
           "or.b32 %r9, %r39, 0x7fffffff;",
           "min.u32 %r9, %r39, 1;",
           "min.s32 %r9, %r39, 0;",
           "max.s32 %r9, %r39, -1;",
           "max.u32 %r9, %r39, 0xfffffffe;",
           "rem.u32 %r9, %r39, 2;",
           "setp.lt.u32 %p1, %r39, 1; selp.u32 %r9, 1, 2, %p1;",
           "setp.le.s32 %p1, %r39, 0x80000000; selp.u32 %r9, 1, 2, %p1; min.u32 %r9, %r39, %r9;",
           "and.b32 %r9, %r39, 7; setp.eq.u32 %p1, %r9, 7; selp.u32 %r9, 1, 2, %p1;",
           "shl.b32 %r9, %r1, 15;",
           "shr.u32 %r9, %r2, 15;",
           "shl.b32 %r9, 1, %r39;",
           "bfe.u32 %r9, %r1, 3, 14;",
           "bfe.s32 %r9, %r1, 0, 17;",
           "bfe.u32 %r9, %r4, %r39, 1;",
           "bfi.b32 %r9, %r4, %r1, 17, 15;",
           "bfi.b32 %r9, %r1, 0, 5, 17;",
           "prmt.b32 %r9, %r1, %r2, 0x7620;",
           "prmt.b32 %r9, %r1, %r39, 0xb180;",
           "dp4a.u32.u32 %r9, %r39, 1, %r4;",
       }) {
    SCOPED_TRACE(body);
    const Results results = RunBoth(body);
    EXPECT_FALSE(results.same());
    EXPECT_FALSE(results.term.has_value());
  }
}

// Random programs: what is defined is the same whatever the undefined registers hold, so that what is not is undefined.
TEST(MachineUndefined, RandomProgramsAgainstValues) {
  RandomStream random(20241213);
  const std::vector<std::string> forms = {"add.u32 D, A, B;",
                                          "sub.u32 D, A, B;",
                                          "mul.lo.u32 D, A, B;",
                                          "mad.lo.u32 D, A, B, C;",
                                          "and.b32 D, A, B;",
                                          "or.b32 D, A, B;",
                                          "xor.b32 D, A, B;",
                                          "not.b32 D, A;",
                                          "lop3.b32 D, A, B, C, L;",
                                          "shl.b32 D, A, S;",
                                          "shr.u32 D, A, S;",
                                          "shr.s32 D, A, S;",
                                          "bfe.s32 D, A, S, T;",
                                          "bfi.b32 D, A, B, S, T;",
                                          "prmt.b32 D, A, B, P;",
                                          "min.u32 D, A, B;",
                                          "max.s32 D, A, B;",
                                          "shf.l.wrap.b32 D, A, B, S;",
                                          "mul.hi.u32 D, A, B;",
                                          "min.u32 D, A, 0;",
                                          "max.s32 D, A, 0x7fffffff;",
                                          "brev.b32 D, A;",
                                          "and.b32 D, A, 0xffff;",
                                          "shr.u32 D, A, 16;",
                                          "shl.b32 D, A, 16;",
                                          "mul.lo.u32 D, A, 0x10000;",
                                          "setp.lt.u32 %p1, A, B; selp.b32 D, B, C, %p1;",
                                          "and.b32 D, A, 0xff00ff00;"};
  unsigned defined = 0, undefined = 0;
  for (int round = 0; round < 150; ++round) {
    const std::vector<std::string> sources = {"%r1", "%r2", "%r4", "%r39", "%r9", "%r10", "%r11", "0x10001", "0x8000"};
    std::string body = "mov.b32 %r9, %r4;\nmov.b32 %r10, %r1;\nmov.b32 %r11, %r2;\n";
    for (int step = 0; step < 6; ++step) {
      const std::string dest = step == 5 ? "%r9" : "%r" + std::to_string(9 + random.Below(3));
      for (const char c : forms[step < 5 ? random.Below(forms.size()) : 22 + random.Below(4)]) {
        if (c == 'D') {
          body += dest;
        } else if (c == 'A' || c == 'B' || c == 'C') {
          body += step == 5 ? "%r" + std::to_string(9 + random.Below(3)) : sources[random.Below(c == 'A' ? 7 : sources.size())];
        } else if (c == 'S' || c == 'T') {
          body += std::to_string(random.Below(33));
        } else if (c == 'L') {
          body += std::to_string(random.Below(256));
        } else if (c == 'P') {
          body += std::to_string(random.Below(0x10000));
        } else {
          body += c;
        }
      }
      body += "\n";
    }
    SCOPED_TRACE(body);
    const Results results = RunBoth(body);
    if (results.term.has_value()) {
      ++defined;
      ASSERT_TRUE(results.same());
      ASSERT_EQ(*results.term, results.bits[0]);
    } else {
      ++undefined;
    }
  }
  EXPECT_GT(defined, 20u);
  EXPECT_GT(undefined, 20u);
}

// Where it decides something, the dependence counts: at an address and a branch.
TEST(MachineUndefined, Decisions) {
  const std::string half = "mov.u16 %h1, 4;\nmov.b32 %r1, {%h1, %h39};\nadd.u32 %r2, %r1, %r1;\n";
  const std::string store = "\ncvt.u64.u32 %rd4, %r2;\nadd.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], 7;";
  Launch low(Kernel(half + "and.b32 %r2, %r2, 0xffff;" + store));
  low.Buffers(12, {});
  ASSERT_EQ(low.Term().status, RunResult::Status::kCompleted);
  EXPECT_EQ(low.term().ReadCell(0, 8, 32).bits, 7u);
  Launch whole(Kernel(half + store));
  whole.Buffers(12, {});
  Launch::Violated(whole.Term(), Gate::kInit, "an address of thread (0,0,0) of CTA (0,0,0) depends on a register that was never written",
                   kBodyLine + 6);
  const std::string branch = "\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra $end;\nst.global.u32 [%rd0], 7;\n$end:";
  Launch zero(Kernel("min.u32 %r2, %r39, 0;" + branch));
  zero.Buffers(4, {});
  EXPECT_EQ(zero.Term().status, RunResult::Status::kCompleted);
  Launch one(Kernel("min.u32 %r2, %r39, 1;" + branch));
  one.Buffers(4, {});
  Launch::Violated(one.Term(), Gate::kInit, "a branch of thread (0,0,0) of CTA (0,0,0) depends on a register that was never written",
                   kBodyLine + 2);
}

}  // namespace
}  // namespace racer
