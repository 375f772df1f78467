#include "checker/instance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/diagnostic.h"
#include "checker/contract.h"
#include "ptx_frontend/ir/module.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {
namespace {

Contract Parse(const std::string& text) {
  Result<Contract> contract = ParseContract(std::make_shared<SourceFile>("c.toml", text));
  EXPECT_TRUE(contract.ok()) << (contract.ok() ? "" : contract.error().Render());
  return contract.ok() ? *contract : Contract{};
}

std::string Text(const std::string& tensors, const std::string& scalars, const std::string& candidate) {
  return "id = \"t\"\nversion = 1\n[dims]\nN = { min = 1, max = 100 }\nH = { min = 1, max = 4096 }\n[tensors]\n" + tensors +
         "\n[scalars]\n" + scalars + "\n[candidate]\n" + candidate + "\n";
}
constexpr char kTensors[] =
    R"toml(x = { dtype = "f16", shape = ["N", "H"], role = "in", strides = ["ceildiv(H, 4) * 4", 1], offset = 3, align = 8 }
y = { dtype = "f32", shape = ["N", "H"], role = "out" })toml";
constexpr char kScalars[] = R"toml(eps = { dtype = "f32", range = "(0, 1]" }
inv_h = { dtype = "f32", value = "1/H" }
scaled = { dtype = "f32", value = "inv_h * eps" })toml";
constexpr char kCall[] =
    "args = [\"x\", \"y\", \"N\", \"H * 2\", \"eps\"]\ngrid = [\"ceildiv(N, 4)\"]\nblock = [32, 4]\ndynamic_shared = \"4 * H\"";

TEST(Instance, Numbers) {
  Contract contract = Parse(Text(kTensors, kScalars, kCall));
  Result<Instance> made = Instantiate(contract, {3, 6}, Side::kCandidate);
  ASSERT_TRUE(made.ok()) << made.error().Render();
  const TensorInstance& x = made->tensors[0];
  EXPECT_EQ(x.cells, 18u);
  EXPECT_EQ(x.strides, (std::vector<uint64_t>{8, 1}));
  EXPECT_EQ(x.elements, 25u);  // 3 before, then 2 rows of 8 and one of 6
  EXPECT_EQ(x.bytes, 50u);
  EXPECT_FALSE(x.dense);
  EXPECT_EQ(x.ElementOf(7), 12u);  // row 1, column 1
  EXPECT_EQ(x.ByteOffset(7), 24u);
  std::vector<uint32_t> cells = x.CellOfElement();
  ASSERT_EQ(cells.size(), 25u);
  EXPECT_EQ(cells[2], kPaddingCell);
  EXPECT_EQ(cells[3], 0u);
  EXPECT_EQ(cells[8], 5u);
  EXPECT_EQ(cells[9], kPaddingCell);
  EXPECT_EQ(cells[11], 6u);
  EXPECT_EQ(x.CellName("x", 7), "x[1,1]");
  EXPECT_TRUE(made->tensors[1].dense);
  EXPECT_EQ(made->tensors[1].bytes, 72u);
  EXPECT_EQ(made->scalars[0].value, std::nullopt);
  EXPECT_EQ(made->scalars[1].value, Rational(1, 6));
  EXPECT_EQ(made->scalars[2].value, std::nullopt);  // over a symbolic scalar
  EXPECT_EQ(made->args[3].integer, 12);
  EXPECT_EQ(made->launch.grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(made->launch.block, (Dim3{32, 4, 1}));
  EXPECT_EQ(made->launch.dynamic_shared, 24u);
}

Diagnostic ErrorAt(const Contract& contract, const DimAssignment& dims) {
  Result<Instance> made = Instantiate(contract, dims, Side::kCandidate);
  EXPECT_FALSE(made.ok());
  return made.ok() ? Diagnostic{} : made.error();
}

TEST(Instance, Refusals) {
  Contract good = Parse(Text(kTensors, kScalars, kCall));
  EXPECT_EQ(ErrorAt(good, {101, 6}).message, "N=101 is outside the contract");
  EXPECT_EQ(Instantiate(good, {1, 6}, Side::kReference).error().message, "the contract has no [reference]");
  auto tensor = [](const std::string& y) {
    return Parse(Text("y = { dtype = \"f32\", " + y + ", role = \"out\" }", "", "args=[\"y\"]\ngrid=[1]\nblock=[1]"));
  };
  EXPECT_EQ(ErrorAt(tensor("shape = [\"N\", \"H\"], strides = [\"H - 1\", 1]"), {2, 6}).message,
            "tensor y has a stride of 5 that lets cells overlap or interleave at N=2,H=6");
  EXPECT_EQ(ErrorAt(tensor("shape = [\"N\", \"H\"], strides = [0, 1]"), {2, 6}).message,
            "tensor y has a stride of 0 that lets cells overlap or interleave at N=2,H=6");
  EXPECT_EQ(ErrorAt(tensor("shape = [\"max(1, 5 - N)\", \"N * 1000000000\", \"H\"]"), {4, 6}).message,
            "tensor y has too many cells at N=4,H=6");
  EXPECT_EQ(ErrorAt(tensor("shape = [\"N\"], offset = \"3 - N\""), {4, 6}).message, "tensor y has an offset of -1 at N=4,H=6");
  EXPECT_EQ(ErrorAt(tensor("shape = [\"N\"], strides = [\"1099511627776\"]"), {4, 6}).message, "tensor y is too large at N=4,H=6");
  // Near misses: a stride exactly as long as the row, a transposed layout, a stride of 0 for one row.
  EXPECT_TRUE(Instantiate(tensor("shape = [\"N\", \"H\"], strides = [\"H\", 1]"), {2, 6}, Side::kCandidate).ok());
  EXPECT_TRUE(Instantiate(tensor("shape = [\"N\", \"H\"], strides = [1, \"N\"]"), {2, 6}, Side::kCandidate).ok());
  EXPECT_TRUE(Instantiate(tensor("shape = [\"N\", \"H\"], strides = [0, 1]"), {1, 6}, Side::kCandidate).ok());
}

TEST(Instance, IndexValues) {
  auto index = [](const std::string& values) {
    return Parse(Text(
        "i = { dtype = \"u8\", shape = [\"N\"], role = \"index\", " + values + " }\ny = { dtype = \"f32\", shape = [1], role = \"out\" }",
        "", "args=[\"y\"]\ngrid=[1]\nblock=[1]"));
  };
  EXPECT_EQ(Instantiate(index("values = \"permutation\""), {4, 1}, Side::kCandidate)->tensors[0].values,
            (std::vector<int64_t>{1, 2, 3, 0}));
  // No permutation of three or more may be its own inverse: scatter and gather would be the same.
  for (int64_t n : {3, 5, 6, 8, 12, 24, 31, 64}) {
    std::vector<int64_t> values = Instantiate(index("values = \"permutation\""), {n, 1}, Side::kCandidate)->tensors[0].values;
    std::vector<int64_t> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    bool involution = true;
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_EQ(sorted[static_cast<size_t>(i)], i);
      involution = involution && values[static_cast<size_t>(values[static_cast<size_t>(i)])] == i;
    }
    EXPECT_FALSE(involution) << n;
  }
  // The second table is another permutation, and no formula i * a + b.
  for (int64_t n : {2, 3, 4, 5, 8, 31, 64}) {
    std::vector<int64_t> first = Instantiate(index("values = \"permutation\""), {n, 1}, Side::kCandidate)->tensors[0].values;
    std::vector<int64_t> second = Instantiate(index("values = \"permutation\""), {n, 1}, Side::kCandidate, 1)->tensors[0].values;
    EXPECT_NE(first, second) << n;
    bool affine = true;
    for (size_t i = 0; i + 1 < second.size(); ++i) affine = affine && (second[i + 1] - second[i] - second[1] + second[0]) % n == 0;
    EXPECT_EQ(affine, n < 4) << n;
    std::sort(second.begin(), second.end());
    for (int64_t i = 0; i < n; ++i) EXPECT_EQ(second[static_cast<size_t>(i)], i);
  }
  std::vector<int64_t> other = Instantiate(index("values = \"range(2, 10)\""), {5, 1}, Side::kCandidate, 1)->tensors[0].values;
  EXPECT_EQ(other[0], 9);
  EXPECT_EQ(other[1], 2);
  for (int64_t value : other) EXPECT_TRUE(value >= 2 && value < 10);
  std::vector<int64_t> range = Instantiate(index("values = \"range(2, 10)\""), {5, 1}, Side::kCandidate)->tensors[0].values;
  EXPECT_EQ(range[0], 2);
  EXPECT_EQ(range[1], 9);
  for (int64_t value : range) EXPECT_TRUE(value >= 2 && value < 10);
  // Broken once by (i * 7919) % count: each table repeats after count cells.
  for (uint32_t table : {0U, 1U}) {
    for (const char* values : {"range(0, 2)", "range(0, 3)", "range(0, 7)"}) {
      const std::vector<int64_t> cells =
          Instantiate(index(std::string("values = \"") + values + "\""), {40, 1}, Side::kCandidate, table)->tensors[0].values;
      for (size_t period = 1; period <= 16; ++period) {
        bool repeats = true;
        for (size_t i = 0; i + period < cells.size(); ++i) repeats = repeats && cells[i] == cells[i + period];
        EXPECT_FALSE(repeats) << values << " after " << period;
      }
    }
  }
  const std::vector<int64_t> one = Instantiate(index("values = \"range(0, 3)\""), {40, 1}, Side::kCandidate, 0)->tensors[0].values,
                             two = Instantiate(index("values = \"range(0, 3)\""), {40, 1}, Side::kCandidate, 1)->tensors[0].values;
  for (size_t i = 0; i < one.size(); ++i) EXPECT_NE(one[i], two[i]) << i;
  EXPECT_EQ(ErrorAt(index("values = [1, 2]"), {3, 1}).message, "tensor i has 2 values for 3 cells at N=3,H=1");
  EXPECT_EQ(ErrorAt(index("values = [1, 256]"), {2, 1}).message, "tensor i has the value 256 that its dtype cannot hold at N=2,H=1");
  EXPECT_EQ(ErrorAt(index("values = \"range(N, N)\""), {2, 1}).message, "tensor i has the empty range(2, 2) at N=2,H=1");
}

TEST(Instance, AliasNeedsOneLayout) {
  Contract contract = Parse(Text(std::string(kTensors).replace(15, 3, "f32") + "\nalias = [[\"x\", \"y\"]]", kScalars, kCall));
  EXPECT_EQ(ErrorAt(contract, {2, 6}).message, "tensors of different shape, strides or offset in one group of alias at N=2,H=6");
}

struct Ptx {
  std::unique_ptr<ir::Module> module;
  const ir::Function* entry = nullptr;
};
Ptx ParseModule(const std::string& parameters, const std::string& directives = "", const std::string& body = "") {
  ParseOutcome outcome =
      ParsePtx(std::make_shared<SourceFile>("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + parameters +
                                                         ")\n" + directives + "\n{\n" + body + "ret;\n}\n"));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  Ptx ptx;
  ptx.module = std::move(outcome.module);
  if (ptx.module != nullptr) ptx.entry = ptx.module->Entries().front();
  return ptx;
}

std::string ArgumentError(const Contract& contract, const std::string& parameters) {
  Ptx ptx = ParseModule(parameters);
  std::optional<Diagnostic> error = CheckArguments(contract, *ptx.module, *ptx.entry, Side::kCandidate);
  if (!error) return "";
  EXPECT_EQ(error->kind, DiagnosticKind::kContractArguments);
  EXPECT_GT(error->location.line, 0);
  EXPECT_EQ(error->notes.size(), 1u);
  return error->message;
}

TEST(Arguments, AgainstParameters) {
  Contract contract = Parse(Text(kTensors, kScalars, kCall));
  const std::string good = ".param .u64 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .f32 e";
  EXPECT_EQ(ArgumentError(contract, good), "");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .u64 .ptr .global .align 4 b, .param .u64 c, .param .u16 d, .param .b32 e"), "");
  EXPECT_EQ(ArgumentError(contract, good + ", .param .u32 f"), "5 arguments for the candidate kernel k");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a"), "5 arguments for the candidate kernel k");
  EXPECT_EQ(ArgumentError(contract, ".param .u32 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .f32 e"),
            "argument 1 of the candidate, tensor x: parameter .u32 a is no 64-bit pointer");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .f32 c, .param .s32 d, .param .f32 e"),
            "argument 3 of the candidate, integer N: parameter .f32 c is no integer");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .f64 e"),
            "argument 5 of the candidate, scalar eps of dtype f32: parameter .f64 e has 64 bits");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .u32 e"),
            "argument 5 of the candidate, scalar eps of dtype f32: parameter .u32 e is an integer");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 .ptr .global .align 16 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .f32 e"),
            "argument 1 of the candidate, tensor x: parameter .u64 a promises .align 16 but the contract grants 8");
  // What is as large as one value is one value: a __half comes as .align 2 .b8 p[2].
  EXPECT_EQ(
      ArgumentError(contract, ".param .align 8 .b8 a[8], .param .b64 b, .param .align 4 .b8 c[4], .param .s32 d, .param .align 4 .b8 e[4]"),
      "");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .align 2 .b8 c[4], .param .s32 d, .param .f32 e"),
            "argument 3 of the candidate, integer N: parameter .b8 c[4] has .align 2");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .align 4 .b8 c[12], .param .s32 d, .param .f32 e"),
            "argument 3 of the candidate, integer N: parameter .b8 c[12] is a structure of 12 bytes");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .b64 b, .param .u32 c, .param .s32 d, .param .align 8 .b8 e[8]"),
            "argument 5 of the candidate, scalar eps of dtype f32: parameter .b8 e[8] has 64 bits");
}

TEST(Arguments, Structures) {
  Contract contract = Parse(Text(kTensors, kScalars, "args = [\"x\", [\"y\", \"N\", \"eps\"], 0]\ngrid = [1]\nblock = [1]"));
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .align 8 .b8 b[16], .param .u32 c"), "");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .align 8 .b8 b[16], .param .u64 .ptr .global .align 16 c"), "");  // null
  const std::string place = "argument 2 of the candidate, a structure of 3 fields: parameter ";
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .align 8 .b8 b[24], .param .u32 c"),
            place + ".b8 b[24] has 24 bytes, the fields take 16");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .align 4 .b8 b[16], .param .u32 c"),
            place + ".b8 b[16] has .align 4 but a field of 8 bytes");
  EXPECT_EQ(ArgumentError(contract, ".param .u64 a, .param .u64 b, .param .u32 c"), place + ".u64 b is no structure");
  Contract seven = Parse(Text(kTensors, kScalars, "args = [\"x\", 7]\ngrid = [1]\nblock = [1]"));
  EXPECT_EQ(ArgumentError(seven, ".param .u64 a, .param .u64 .ptr .global .align 16 b"),
            "argument 2 of the candidate, integer 7: parameter .u64 b is a pointer");
  // A field's width is checked like a parameter's.
  Contract wide = Parse(Text(kTensors, "", "args = [[\"x\", { value = \"200 * N\", dtype = \"u16\" }]]\ngrid = [1]\nblock = [1]"));
  Ptx ptx = ParseModule(".param .align 8 .b8 a[16]");
  std::optional<Diagnostic> error =
      CheckLaunch(wide, *Instantiate(wide, {100, 4}, Side::kCandidate), *ptx.module, *ptx.entry, Side::kCandidate);
  EXPECT_FALSE(error.has_value());
  Contract wider = Parse(Text(kTensors, "", "args = [[\"x\", { value = \"2000 * N\", dtype = \"u16\" }]]\ngrid = [1]\nblock = [1]"));
  error = CheckLaunch(wider, *Instantiate(wider, {100, 4}, Side::kCandidate), *ptx.module, *ptx.entry, Side::kCandidate);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "argument 1, field 2, is 200000 at N=100,H=4 and does not fit a field of type u16");
}

TEST(Arguments, Launch) {
  Contract contract = Parse(Text(kTensors, kScalars, kCall));
  const std::string parameters = ".param .u64 a, .param .b64 b, .param .u32 c, .param .s8 d, .param .f32 e";
  auto error = [&](const Ptx& ptx, const DimAssignment& dims) {
    Result<Instance> instance = Instantiate(contract, dims, Side::kCandidate);
    EXPECT_TRUE(instance.ok());
    std::optional<Diagnostic> found = CheckLaunch(contract, *instance, *ptx.module, *ptx.entry, Side::kCandidate);
    return found ? found->message : "";
  };
  EXPECT_EQ(error(ParseModule(parameters), {1, 63}), "");
  EXPECT_EQ(error(ParseModule(parameters), {1, 64}), "argument 4 is 128 at N=1,H=64 and does not fit parameter .s8 d");
  EXPECT_EQ(error(ParseModule(parameters, ".reqntid 32, 4, 1"), {1, 6}), "");
  EXPECT_EQ(error(ParseModule(parameters, ".reqntid 128, 1, 1"), {1, 6}), "block of 32x4x1 at N=1,H=6");
  EXPECT_EQ(error(ParseModule(parameters, ".maxntid 128, 1, 1"), {1, 6}), "");
  EXPECT_EQ(error(ParseModule(parameters, ".maxntid 64, 1, 1"), {1, 6}), "block of 128 threads at N=1,H=6");
  EXPECT_EQ(error(ParseModule(parameters, "", ".shared .align 4 .b8 s[232424];\n"), {1, 6}), "");
  EXPECT_EQ(error(ParseModule(parameters, "", ".shared .align 4 .b8 s[232425];\n"), {1, 6}),
            "kernel k wants 232425 bytes of static and 24 of dynamic shared memory at N=1,H=6");
}

TEST(Arguments, Targets) {
  auto error = [](const std::string& targets) {
    Contract contract = Parse(Text("y = { dtype = \"f32\", shape = [1], role = \"out\" }", "",
                                   "args=[\"y\"]\ngrid=[1]\nblock=[1]\n[scope]\ntargets = " + targets));
    Ptx ptx = ParseModule(".param .u64 a");
    return CheckArguments(contract, *ptx.module, *ptx.entry, Side::kCandidate).has_value();
  };
  EXPECT_FALSE(error("[\"sm_90\"]"));
  EXPECT_FALSE(error("[\"sm_80\", \"sm_100\"]"));
  EXPECT_TRUE(error("[\"sm_80\", \"sm_86\"]"));
}

}  // namespace
}  // namespace racer
