// Launches that cannot be, and those that only just can.
#include "symexec/machine/testing.h"

namespace racer {
namespace {

std::string Bounded(const std::string& directives, int sm = 90) {
  return ".version 8.7\n.target sm_" + std::to_string(sm) +
         "\n.address_size 64\n.extern .shared .align 4 .b8 dynamic[];\n.visible .entry k()\n" + directives +
         "\n{\n.reg .b32 %r<2>;\nmov.u32 %r0, dynamic;\nret;\n}\n";
}

TEST(MachineLaunch, BlockLimits) {
  Launch(Bounded("")).Block(1024).ExpectCompleted();
  Launch(Bounded("")).Block(1025).ExpectViolation(Gate::kLaunch, "exceeds the hardware limit of 1024x1024x64");
  Launch(Bounded("")).Block(512, 2, 2).ExpectViolation(Gate::kLaunch, "2048 threads, the hardware limit is 1024");
  Launch(Bounded("")).Block(1, 1, 64).ExpectCompleted();
  Launch(Bounded("")).Block(1, 1, 65).ExpectViolation(Gate::kLaunch, "exceeds the hardware limit");
  Launch(Bounded("")).Block(0).ExpectViolation(Gate::kLaunch, "extent of 0");
}

TEST(MachineLaunch, GridLimits) {
  Launch(Bounded("")).Grid(1, 65536).ExpectViolation(Gate::kLaunch, "exceeds the hardware limit of 2147483647x65535x65535");
  Launch(Bounded("")).Grid(1, 1, 65536).ExpectViolation(Gate::kLaunch, "exceeds the hardware limit");
  Launch(Bounded("")).Grid(0x80000000).ExpectViolation(Gate::kLaunch, "exceeds the hardware limit");
  Launch(Bounded("")).Grid(1, 65535).ExpectCompleted();
  Launch(Bounded("")).Grid(65535, 65535, 65535).ExpectUnsupported("too large to run");
}

TEST(MachineLaunch, Directives) {
  Launch(Bounded(".reqntid 64, 1, 1")).Block(64).ExpectCompleted();
  Launch(Bounded(".reqntid 64, 1, 1")).Block(32).ExpectViolation(Gate::kLaunch, ".reqntid");
  Launch(Bounded(".maxntid 64, 1, 1")).Block(64).ExpectCompleted();
  Launch(Bounded(".maxntid 64, 1, 1")).Block(96).ExpectViolation(Gate::kLaunch, ".maxntid of the kernel allows 64", 5);
}

TEST(MachineLaunch, SharedMemoryLimits) {
  const auto with = [](int sm, uint64_t bytes) {
    Launch launch(Bounded("", sm));
    launch.config().launch.dynamic_shared = bytes;
    return launch.Bits();
  };
  for (const auto& [sm, limit] :
       std::vector<std::pair<int, uint64_t>>{{90, 227 << 10}, {80, 163 << 10}, {86, 99 << 10}, {89, 99 << 10}, {120, 99 << 10}}) {
    EXPECT_EQ(with(sm, limit).status, RunResult::Status::kCompleted) << sm;
    Launch::Violated(with(sm, limit + 1), Gate::kLaunch, "the limit of sm_" + std::to_string(sm) + " is " + std::to_string(limit));
  }
  const auto fixed = [](uint64_t bytes) {
    return Kernel(".shared .align 4 .b8 s[" + std::to_string(bytes) + "];\nst.shared.u32 [s], %r0;");
  };
  Launch(fixed(49152)).Buffers(4, {}).ExpectCompleted();
  Launch(fixed(49156)).Buffers(4, {}).ExpectViolation(Gate::kLaunch, "49156 bytes of static shared memory");
}

TEST(MachineLaunch, Arguments) {
  Launch launch(Kernel(""));
  launch.Buffers(4, {});
  launch.config().arguments.pop_back();
  launch.ExpectViolation(Gate::kLaunch, "2 arguments, `k` takes 3");
}

TEST(MachineLaunch, PointerParametersWithAttributes) {
  const std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 .ptr .global .align 16 out)\n{\n.reg .b64 %rd<2>;\n"
      "ld.param.u64 %rd0, [out];\ncvta.to.global.u64 %rd1, %rd0;\nst.global.u32 [%rd1], 7;\nret;\n}\n";
  Launch launch(ptx);
  launch.AddBuffer({.name = "out", .size = 4, .align = 16, .initialised = false}, {}).ExpectWords({7});
}

TEST(MachineLaunch, RunsAreIndependent) {
  // The same machine run twice gives the same; nothing of the first run is left.
  Launch launch(Kernel("ld.global.u32 %r1, [%rd0];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;"));
  launch.Buffers(4, {});
  launch.config().contents[0].bytes = {5, 0, 0, 0};
  launch.ExpectWords({6});
  launch.ExpectWords({6});
}

}  // namespace
}  // namespace racer
