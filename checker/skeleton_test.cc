#include "checker/skeleton.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "checker/instance.h"

namespace racer {
namespace {

std::unique_ptr<Kernel> Load(const std::string& parameters, const std::string& body) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry kernel(" + parameters + ")\n{\n" +
                     ".reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n" + body + "ret;\n}\n";
  LoadOutcome loaded = LoadKernel(std::make_shared<const SourceFile>("k.ptx", text), "");
  for (const Diagnostic& error : loaded.errors) ADD_FAILURE() << error.Render();
  return std::move(loaded.kernel);
}

// A skeleton is a contract that the kernels accept as it stands.
Contract Accepted(const std::string& text, const Kernel& candidate, const Kernel* reference) {
  Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("skeleton", text));
  EXPECT_TRUE(contract.ok()) << text << contract.error().Render();
  if (!contract.ok()) return {};
  EXPECT_FALSE(CheckArguments(*contract, *candidate.module, *candidate.entry, Side::kCandidate).has_value()) << text;
  if (reference != nullptr) {
    EXPECT_FALSE(CheckArguments(*contract, *reference->module, *reference->entry, Side::kReference).has_value()) << text;
  }
  return *contract;
}

constexpr char kCopy[] =
    "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\ncvta.to.global.u64 %rd3, %rd1;\ncvta.to.global.u64 %rd4, %rd2;\n"
    "ld.global.f32 %f1, [%rd3];\nld.param.f32 %f2, [scale];\nmul.f32 %f1, %f1, %f2;\nst.global.f32 [%rd4], %f1;\n";

TEST(Skeleton, FitsBothKernels) {
  auto candidate = Load(".param .u64 from, .param .u64 to, .param .f32 scale, .param .u32 n", kCopy);
  auto reference = Load(".param .u32 n, .param .u64 from, .param .u64 to, .param .f32 scale, .param .u32 more", kCopy);
  Contract contract = Accepted(SkeletonContract(*candidate, reference.get()), *candidate, reference.get());
  ASSERT_EQ(contract.tensors.size(), 2u);
  EXPECT_EQ(contract.tensors[0].name, "from");
  EXPECT_EQ(contract.tensors[0].role, Role::kIn);
  EXPECT_EQ(contract.tensors[1].role, Role::kOut);
  EXPECT_EQ(contract.dims.size(), 2u);
  EXPECT_EQ(contract.scalars.size(), 1u);
}

// Roles follow the places. Broken once with a parameter that is never read taken for a size: to is the reference's second pointer then.
TEST(Skeleton, WhatOneKernelNeverReads) {
  const std::string parameters = ".param .u64 table, .param .u64 from, .param .u64 to, .param .f32 scale, .param .u32 n";
  auto candidate = Load(parameters, kCopy);
  auto reference = Load(parameters, "ld.param.u64 %rd5, [table];\nld.global.f32 %f3, [%rd5];\n" + std::string(kCopy));
  for (const auto& [one, other] : {std::pair{candidate.get(), reference.get()}, std::pair{reference.get(), candidate.get()}}) {
    Contract contract = Accepted(SkeletonContract(*one, other), *one, other);
    ASSERT_EQ(contract.tensors.size(), 3u);
    EXPECT_EQ(contract.dims.size(), 1u);
    EXPECT_EQ(contract.tensors[0].name, "table");
    EXPECT_EQ(contract.tensors[0].role, Role::kIn);
    EXPECT_EQ(contract.tensors[2].role, Role::kOut);
  }
  EXPECT_EQ(Accepted(SkeletonContract(*candidate, nullptr), *candidate, nullptr).tensors.size(), 2u);
}

// The skeleton of a sum by atomics is one under which it runs: zeroed, and a line says so.
TEST(Skeleton, AnOutputOfAtomicsStartsAtZero) {
  auto candidate = Load(".param .u64 from, .param .u64 to, .param .u32 n",
                        "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\nld.global.f32 %f1, [%rd1];\nadd.f32 %f1, %f1, %f1;\n"
                        "red.global.add.f32 [%rd2], %f1;\n");
  const std::string text = SkeletonContract(*candidate, nullptr);
  Contract contract = Accepted(text, *candidate, nullptr);
  ASSERT_EQ(contract.tensors.size(), 2u);
  EXPECT_FALSE(contract.tensors[0].init.has_value());
  EXPECT_EQ(contract.tensors[1].role, Role::kOut);
  EXPECT_TRUE(contract.tensors[1].init.has_value());
  EXPECT_NE(text.find("updated by atomics"), std::string::npos) << text;
}

TEST(Skeleton, OneKernelWithoutSizes) {
  auto candidate = Load(".param .u64 from, .param .u64 to, .param .f32 scale", kCopy);
  Contract contract = Accepted(SkeletonContract(*candidate, nullptr), *candidate, nullptr);
  EXPECT_EQ(contract.dims.size(), 1u);
}

// nvcc's names are no names, and words of the expression language are none either.
TEST(Skeleton, Names) {
  auto candidate = Load(".param .u64 _Z1kPf_param_0, .param .u64 min, .param .u32 _Z1kPf_param_2",
                        "ld.param.u64 %rd1, [min];\nld.param.u64 %rd2, [_Z1kPf_param_0];\nld.global.f32 %f1, [%rd2];\n"
                        "st.global.f32 [%rd1], %f1;\n");
  Contract contract = Accepted(SkeletonContract(*candidate, nullptr), *candidate, nullptr);
  ASSERT_EQ(contract.tensors.size(), 2u);
  EXPECT_EQ(contract.tensors[0].name, "x");
  EXPECT_EQ(contract.dims[0].name, "N");
  EXPECT_EQ(contract.tensors[1].name, "min2");
}

TEST(Skeleton, TwoSizesAndBytes) {
  auto candidate = Load(".param .u64 from, .param .u64 to, .param .u32 N, .param .u32 H",
                        "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\nld.global.f32 %f1, [%rd1];\nst.global.u8 [%rd2], 1;\n");
  Contract contract = Accepted(SkeletonContract(*candidate, nullptr), *candidate, nullptr);
  ASSERT_EQ(contract.tensors.size(), 2u);
  EXPECT_EQ(contract.tensors[0].shape.size(), 2u);
  EXPECT_EQ(contract.tensors[1].shape[1].text(), "H");
  EXPECT_EQ(contract.tensors[1].dtype, ScalarType::kU8);
}

// What the kernel says of its CTAs is no guess, and integers are the type where nothing computes with anything else.
TEST(Skeleton, BoundsAndIntegers) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry kernel(.param .u64 to, .param .u32 n)\n.maxntid 16, 8\n{\n.reg .b64 "
      "%rd<9>;\n"
      ".reg .b32 %r<9>;\nld.param.u64 %rd1, [to];\nld.global.u32 %r1, [%rd1];\nadd.s32 %r1, %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
  LoadOutcome loaded = LoadKernel(std::make_shared<const SourceFile>("k.ptx", text), "");
  ASSERT_NE(loaded.kernel, nullptr);
  const std::string skeleton = SkeletonContract(*loaded.kernel, nullptr);
  Contract contract = Accepted(skeleton, *loaded.kernel, nullptr);
  EXPECT_EQ(contract.tensors[0].dtype, ScalarType::kS32) << skeleton;
  EXPECT_NE(skeleton.find("grid = [\"ceildiv(n, 128)\"]\nblock = [16, 8]\n"), std::string::npos) << skeleton;
}

TEST(Skeleton, NamesStructures) {
  auto candidate = Load(".param .u64 from, .param .align 4 .b8 pair[8], .param .u32 n", "");
  std::string text = SkeletonContract(*candidate, nullptr);
  EXPECT_NE(text.find("args = [\"from\", \"0\", \"n\"]  # 0 stands for a structure or a vector: parameter 2\n"), std::string::npos) << text;
  Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("skeleton", text));
  ASSERT_TRUE(contract.ok()) << contract.error().Render();
  EXPECT_EQ(contract->tensors.back().role, Role::kOut);
}

}  // namespace
}  // namespace racer
