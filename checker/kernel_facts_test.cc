#include "checker/kernel_facts.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/isa/types.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

struct TestKernel {
  std::unique_ptr<ir::Module> module;
  const ir::Function* entry = nullptr;
};

TestKernel Parse(const std::string& parameters, const std::string& body) {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>(
      "k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + parameters +
                   ")\n{\n.reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .b16 %h<40>; .reg .pred %p<20>;\n" + body + "}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  TestKernel kernel;
  kernel.module = std::move(outcome.module);
  if (kernel.module != nullptr) kernel.entry = kernel.module->Entries().front();
  return kernel;
}

TEST(KernelFacts, ElementTypes) {
  auto type_of = [](const std::string& body) {
    TestKernel kernel =
        Parse(".param .u64 x, .param .u32 n", "ld.param.u64 %rd0, [x]; cvta.to.global.u64 %rd0, %rd0;\n" + body + "\nret;\n");
    KernelFacts facts = StudyKernel(*kernel.entry);
    EXPECT_EQ(facts.parameters[0].kind, ParameterFacts::Kind::kPointer);
    EXPECT_EQ(facts.parameters[1].kind, ParameterFacts::Kind::kInteger);
    return ElementTypeOf(facts.parameters[0]);
  };
  EXPECT_EQ(type_of("ld.global.f32 %f0, [%rd0];"), ScalarType::kF32);
  EXPECT_EQ(type_of("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];"), ScalarType::kF32);
  EXPECT_EQ(type_of("ld.global.u16 %h0, [%rd0]; cvt.f32.f16 %f0, %h0;"), ScalarType::kF16);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; mov.b32 {%h0, %h1}, %r0; cvt.f32.f16 %f0, %h1;"), ScalarType::kF16);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; mul.f16x2 %r1, %r0, %r0;"), ScalarType::kF16);
  EXPECT_EQ(type_of("ld.global.u16 %h0, [%rd0]; mov.b32 %f0, {0, %h0}; add.f32 %f0, %f0, %f0;"), ScalarType::kBF16);
  EXPECT_EQ(type_of("ld.global.u32 %r0, [%rd0]; shl.b32 %r1, %r0, 16; mov.b32 %f0, %r1; add.f32 %f0, %f0, %f0;"), ScalarType::kBF16);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; mov.b32 %f0, %r0; add.f32 %f0, %f0, %f0;"), ScalarType::kF32);
  EXPECT_EQ(type_of("cvt.rn.f16.f32 %h0, %f0; st.global.u16 [%rd0], %h0;"), ScalarType::kF16);
  EXPECT_EQ(type_of("cvt.rn.bf16x2.f32 %r0, %f0, %f1; st.global.u32 [%rd0], %r0;"), ScalarType::kBF16);
  EXPECT_EQ(type_of("ld.global.u32 %r0, [%rd0]; add.u32 %r0, %r0, 1;"), std::nullopt);
}

TEST(KernelFacts, IntegerTypes) {
  auto type_of = [](const std::string& body) {
    TestKernel kernel =
        Parse(".param .u64 x, .param .u32 n", "ld.param.u64 %rd0, [x]; cvta.to.global.u64 %rd0, %rd0;\n" + body + "\nret;\n");
    KernelFacts facts = StudyKernel(*kernel.entry);
    return IntegerTypeOf({&facts.parameters[0]}, facts.floating);
  };
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; add.s32 %r0, %r0, 1;"), ScalarType::kS32);
  EXPECT_EQ(type_of("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%rd0]; max.u32 %r1, %r1, 1;"), ScalarType::kU32);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; st.global.b32 [%rd0], %r0;"), ScalarType::kB32);
  EXPECT_EQ(type_of("ld.global.b64 %rd1, [%rd0]; xor.b64 %rd1, %rd1, 1; st.global.b64 [%rd0], %rd1;"), ScalarType::kB64);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; cvt.rn.f32.s32 %f0, %r0; add.f32 %f0, %f0, %f0;"), ScalarType::kS32);
  EXPECT_EQ(type_of("cvt.rni.s32.f32 %r0, %f0; min.s32 %r0, %r0, 127; st.global.b8 [%rd0], %r0;"), ScalarType::kS8);
  EXPECT_EQ(type_of("ld.global.b32 %r0, [%rd0]; add.f32 %f0, %f0, %f0;"), std::nullopt);
  EXPECT_EQ(type_of("ld.global.f32 %f0, [%rd0]; cvt.rni.s32.f32 %r0, %f0;"), std::nullopt);
}

TEST(KernelFacts, WhatIsRead) {
  TestKernel kernel = Parse(".param .u64 x, .param .u64 n",
                            "ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [n]; mov.u32 %r0, %tid.y; mov.u32 %r1, %nctaid.x;\n"
                            "cvta.to.global.u64 %rd0, %rd0; mad.lo.u64 %rd2, %rd1, 16, %rd0; st.global.v2.f32 [%rd2], {%f0, %f1}; ret;\n");
  KernelFacts facts = StudyKernel(*kernel.entry);
  EXPECT_TRUE(facts.block_y);
  EXPECT_FALSE(facts.block_z);
  EXPECT_FALSE(facts.grid_y || facts.grid_z);
  EXPECT_TRUE(facts.grid_size);
  EXPECT_EQ(facts.parameters[0].kind, ParameterFacts::Kind::kPointer);
  EXPECT_EQ(facts.parameters[0].widest_access, 8u);
  EXPECT_TRUE(facts.parameters[1].uncertain);  // a size_t that an address depends on: only the other kernel can tell
}

// What a function is called with may be an address there.
TEST(KernelFacts, PassedOn) {
  TestKernel kernel = Parse(".param .u64 x, .param .u64 y",
                            "ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y]; add.s64 %rd2, %rd0, 8;\n"
                            "{ .param .b64 a; st.param.b64 [a], %rd2; }\nst.global.f32 [%rd1], %f0; ret;\n");
  KernelFacts facts = StudyKernel(*kernel.entry);
  EXPECT_TRUE(facts.parameters[0].uncertain);
  EXPECT_FALSE(facts.parameters[1].uncertain);
}

}  // namespace
}  // namespace racer
