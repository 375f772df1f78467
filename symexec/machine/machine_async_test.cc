// Asynchronous copies: values, groups, and who may touch what before the wait.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

constexpr char kShared[] = ".shared .align 16 .b8 s[256];\nmov.u32 %r1, s;\nmad.lo.u32 %r2, %r0, 4, %r1;\nadd.s64 %rd4, %rd1, %rd2;\n";
constexpr int kFirst = kBodyLine + 4;  // of what follows kShared

struct Copy : Launch {
  explicit Copy(const std::string& body, uint32_t threads = 32) : Launch(Kernel(kShared + body)) {
    Buffers(256, Words(64, [](uint32_t i) { return 100 + i; })).Block(threads);
  }
};

// Broken once: with the predicate of what is ignored read the other way.
TEST(MachineAsync, CopiesAndFillsWithZeros) {
  Copy(R"(
    cp.async.ca.shared.global [%r2], [%rd4], 4;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%rd3], %r3;)")
      .ExpectWords(Words(32, [](uint32_t i) { return 100 + i; }));
  Copy(R"(
    setp.eq.u32 %p1, %r0, 0;
    mov.u32 %r4, 6;
    cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r4;
    cp.async.ca.shared.global [%r1+16], [%rd1], 8, %p1;
    cp.async.ca.shared.global [%r1+24], [%rd1+8], 8, !%p1;
    cp.async.ca.shared.global [%r1+32], [%rd1+1024], 4, 0;
    cp.async.ca.shared::cta.global [%r1+36], [%rd1+4], 4, 4;
    cp.async.wait_all;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [s];
    st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [s+16];
    st.global.v4.u32 [%rd0+16], {%r4, %r5, %r6, %r7};
    ld.shared.v2.u32 {%r4, %r5}, [s+32];
    st.global.v2.u32 [%rd0+32], {%r4, %r5};)",
       1)
      .ExpectWords({100, 101, 0, 0, 0, 0, 102, 103, 0, 101});
}

TEST(MachineAsync, IsCheckedLikeAnyAccess) {
  Copy("cp.async.cg.shared.global [%r1], [%rd1+4], 16;").ExpectViolation(Gate::kBounds, "misaligned asynchronous load of 16 bytes", kFirst);
  Copy("cp.async.cg.shared.global [%r1+4], [%rd1], 16;", 1).ExpectViolation(Gate::kBounds, "misaligned asynchronous store", kFirst);
  Copy("cp.async.ca.shared.global [%r1], [%rd1+256], 4;", 1).ExpectViolation(Gate::kBounds, "in+256, just past the end", kFirst);
  Copy("mov.b32 %r9, 17;\ncp.async.cg.shared.global [%r1], [%rd1+240], 16, %r9;", 1).ExpectUnsupported("is undefined");
  Copy("cp.async.mbarrier.arrive.shared.b64 [%r1];", 1).ExpectUnsupported("cp.async.mbarrier.arrive", kFirst);
}

// Broken once each: with a wait that leaves a group more under way, with one that leaves one less, with one for copies that are not
// committed.
TEST(MachineAsync, AReadBeforeTheWaitIsARace) {
  const auto kernel = [](const std::string& wait, const std::string& read) {
    return Copy(
        "cp.async.ca.shared.global [%r2], [%rd4], 4;\ncp.async.commit_group;\n"
        "cp.async.ca.shared.global [%r2+128], [%rd4+128], 4;\ncp.async.commit_group;\n" +
        wait + "\nld.shared.u32 %r3, [%r2+" + read + "];\nst.global.u32 [%rd3], %r3;");
  };
  kernel("cp.async.wait_group 0;", "128").ExpectWords({132, 133});
  kernel("cp.async.wait_group 1;", "0").ExpectWords({100, 101});
  kernel("cp.async.wait_group 1;", "128")
      .ExpectViolation(Gate::kRace, "read by thread (0,0,0) of CTA (0,0,0) and asynchronous write by thread (0,0,0)", kFirst + 5);
  kernel("cp.async.wait_group 2;", "0").ExpectViolation(Gate::kRace, "data race on s+0", kFirst + 5);
  kernel("", "0").ExpectViolation(Gate::kRace, "data race on s+0", kFirst + 5);
  // Not committed, so not waited for.
  Copy("cp.async.ca.shared.global [%r2], [%rd4], 4;\ncp.async.wait_group 0;\nld.shared.u32 %r3, [%r2];")
      .ExpectViolation(Gate::kRace, "asynchronous write", kFirst + 2);
}

// Broken once: with a wait_all that does not commit.
TEST(MachineAsync, OthersNeedABarrierAfterTheWait) {
  const auto kernel = [](const std::string& sync) {
    return Copy("cp.async.ca.shared.global [%r2], [%rd4], 4;\n" + sync +
                    "\nxor.b32 %r5, %r0, 32;\nmad.lo.u32 %r5, %r5, 4, %r1;\nld.shared.u32 %r3, [%r5];\nst.global.u32 [%rd3], %r3;",
                64);
  };
  kernel("cp.async.wait_all;\nbar.sync 0;").ExpectWords({132, 133});
  kernel("cp.async.wait_all;").ExpectViolation(Gate::kRace, "read by thread");
  kernel("bar.sync 0;\ncp.async.wait_all;").ExpectViolation(Gate::kRace, "read by thread");
  kernel("bar.sync 0;\ncp.async.wait_all;").ExpectViolation(Gate::kRace, "asynchronous write by thread");
}

TEST(MachineAsync, NeitherEndIsTouchedOnTheWay) {
  // The buffer that is filled again while somebody may still read it.
  const auto refill = [](const std::string& sync) {
    return Copy(
        "cp.async.ca.shared.global [%r2], [%rd4], 4;\ncp.async.wait_all;\nbar.sync 0;\nxor.b32 %r5, %r0, 32;\n"
        "mad.lo.u32 %r5, %r5, 4, %r1;\nld.shared.u32 %r3, [%r5];\n" +
            sync + "cp.async.ca.shared.global [%r2], [%rd4], 4;\ncp.async.wait_all;\nst.global.u32 [%rd3], %r3;",
        64);
  };
  refill("bar.sync 0;\n").ExpectWords({132, 133});
  refill("").ExpectViolation(Gate::kRace, "asynchronous write");
  // The source is overwritten before the copy has read it.
  const auto source = [](const std::string& wait) {
    return Copy("st.global.u32 [%rd3], %r0;\ncp.async.ca.shared.global [%r2], [%rd3], 4;\n" + wait +
                "st.global.u32 [%rd3], 7;\ncp.async.wait_all;\n");
  };
  source("cp.async.wait_all;\n").ExpectWords({7, 7});
  source("").ExpectViolation(Gate::kRace, "data race on out+0: write by thread (0,0,0) of CTA (0,0,0) and asynchronous read", kFirst + 2);
  Copy("st.shared.u32 [%r2], 5;\ncp.async.ca.shared.global [%r2], [%rd4], 4;\nst.shared.u32 [%r2], 7;")
      .ExpectViolation(Gate::kRace, "write by thread (0,0,0) of CTA (0,0,0) and asynchronous write", kFirst + 2);
  // CTAs do not share what was never waited for. Broken once: with the copies of one CTA left to the next.
  Copy(
      "mov.u32 %r5, %ctaid.x;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 cp.async.ca.shared.global [%r2], [%rd4], 4;\n"
      "@!%p1 st.shared.u32 [%r2], 7;\n@!%p1 cp.async.wait_all;\n@!%p1 ld.shared.u32 %r3, [%r2];")
      .Grid(2)
      .ExpectCompleted();
}

}  // namespace
}  // namespace racer
