#include "checker/contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "ptx_frontend/isa/types.h"

namespace racer {
namespace {

constexpr char kGood[] = R"toml(id = "weighted_rmsnorm.f16"
version = 1

[scope]
targets = ["sm_80", "sm_90a"]
dispatch = "H % 8 == 0"

[dims]
N = { min = 1, max = 65536 }
H = { min = 8, max = 16384, multiple_of = 8 }

[tensors]
x = { dtype = "f16", shape = ["N", "H"], role = "in", align = 16, strides = ["H+8", "1"], offset = "0" }
w = { dtype = "f16", shape = ["H"], role = "in" }
y = { dtype = "f16", shape = ["N", "H"], role = "out" }
ctr = { dtype = "u32", shape = ["1"], role = "scratch", init = 0 }
idx = { dtype = "s32", shape = ["N"], role = "index", values = "range(0, N)" }
alias = [["w", "y"]]

[scalars]
eps = { dtype = "f32", range = "(0, 1]" }
inv_h = { dtype = "f32", value = "1/H" }

[candidate]
args = ["x", "w", "y", "N", "H", "2 * H", "eps"]
grid = ["N"]
block = [256]
dynamic_shared = "4 * H"
[reference]
args = ["x", "w", "y", "N", "H", "eps", "inv_h"]
grid = ["ceildiv(N, 128)", "1"]
block = [64, 2]

[post]
outputs = ["y"]
[tolerance]
f16 = { rtol = 1e-3, atol = 1e-5 }
[violation]
text = "scaled wrongly"
)toml";

Result<Contract> Parse(const std::string& text) { return ParseContract(std::make_shared<SourceFile>("c.toml", text)); }

// kGood with one piece replaced.
std::string With(const std::string& from, const std::string& to) {
  std::string text = kGood;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Seen {
  DiagnosticKind kind;
  int line;
  std::string at;  // the line from the caret on
  std::string message;
};
Seen ErrorOf(const std::string& text) {
  Result<Contract> contract = Parse(text);
  std::optional<Diagnostic> found;
  if (contract.ok()) {
    found = CheckDomain(*contract, DimAssignment(contract->dims.size(), 0));
  } else {
    found = contract.error();
  }
  EXPECT_TRUE(found.has_value()) << text;
  if (!found) return {};
  const Diagnostic& error = *found;
  std::string_view line = error.location.file->Line(error.location.line);
  size_t column = static_cast<size_t>(std::max(error.location.column, 1)) - 1;
  return {error.kind, error.location.line, std::string(line.substr(std::min(column, line.size()))), error.message};
}

void ExpectError(const std::string& from, const std::string& to, DiagnosticKind kind, int line, const std::string& at,
                 const std::string& message) {
  Seen seen = ErrorOf(With(from, to));
  EXPECT_EQ(DiagnosticKindName(seen.kind), DiagnosticKindName(kind)) << to;
  EXPECT_EQ(seen.line, line) << to;
  EXPECT_EQ(seen.at.substr(0, at.size()), at) << to;
  EXPECT_EQ(seen.message, message) << to;
}

TEST(Contract, ReadsEverything) {
  Result<Contract> read = Parse(kGood);
  ASSERT_TRUE(read.ok()) << read.error().Render();
  const Contract& c = *read;
  EXPECT_EQ(c.id, "weighted_rmsnorm.f16");
  EXPECT_EQ(c.targets, (std::vector<std::string>{"sm_80", "sm_90a"}));
  ASSERT_EQ(c.dims.size(), 2u);
  EXPECT_EQ(c.dims[0].name, "N");  // in the order written, which is not the alphabet's
  EXPECT_EQ(c.dims[1].multiple_of, 8);
  ASSERT_EQ(c.tensors.size(), 5u);
  EXPECT_EQ(c.tensors[0].align, 16u);
  EXPECT_EQ(c.tensors[1].align, 2u);
  EXPECT_EQ(c.tensors[0].strides.size(), 2u);
  EXPECT_EQ(c.tensors[3].init, Rational(0));
  EXPECT_EQ(c.tensors[4].values->kind, IndexValues::Kind::kRange);
  EXPECT_EQ(c.alias, (std::vector<std::vector<uint32_t>>{{1, 2}}));
  EXPECT_EQ(c.scalars[0].range->low, Rational(0));
  EXPECT_TRUE(c.scalars[0].range->low_open);
  EXPECT_FALSE(c.scalars[0].range->high_open);
  EXPECT_EQ(c.candidate->args[5].integer.text(), "2 * H");
  EXPECT_EQ(c.candidate->args[6].kind, CallArgument::Kind::kScalar);
  EXPECT_EQ(c.reference->block.size(), 2u);
  EXPECT_EQ(c.outputs, (std::vector<uint32_t>{2}));
  EXPECT_EQ(c.preserve, (std::vector<uint32_t>{0, 1, 4}));
  EXPECT_EQ(c.tolerance[0].rtol, 1e-3);
  EXPECT_EQ(c.violation[0].second, "\"scaled wrongly\"");
  EXPECT_EQ(c.Describe({2, 384}), "N=2,H=384");
  EXPECT_TRUE(c.InDomain({2, 384}));
  EXPECT_FALSE(c.InDomain({2, 385}));
}

TEST(Contract, PrintsWhatItReads) {
  Result<Contract> read = Parse(kGood);
  std::string printed = ToToml(*read);
  Result<Contract> again = Parse(printed);
  ASSERT_TRUE(again.ok()) << again.error().Render();
  EXPECT_EQ(ToToml(*again), printed);
  EXPECT_NE(
      printed.find("x = { dtype = \"f16\", shape = [\"N\", \"H\"], role = \"in\", align = 16, strides = [\"H+8\", 1], offset = 0 }\n"),
      std::string::npos)
      << printed;
}

TEST(Contract, Members) {
  DimSpec dim;
  dim.min = 5;
  dim.max = 30;
  dim.multiple_of = 8;
  EXPECT_EQ(dim.AtLeast(1), 8);
  EXPECT_EQ(dim.AtLeast(9), 16);
  EXPECT_EQ(dim.AtLeast(25), std::nullopt);
  EXPECT_EQ(dim.AtMost(1000), 24);
  EXPECT_EQ(dim.AtMost(7), std::nullopt);
  dim.values = {8, 24};
  EXPECT_EQ(dim.AtLeast(9), 24);
  EXPECT_EQ(dim.AtMost(23), 8);
  EXPECT_FALSE(dim.Contains(16));
}

TEST(Contract, Keys) {
  using enum DiagnosticKind;
  ExpectError("[scope]", "[skope]", kContractUnknownKey, 4, "skope]", "unknown key 'skope' in the contract");
  ExpectError("dispatch", "dispatsch", kContractUnknownKey, 6, "dispatsch =", "unknown key 'dispatsch' in [scope]");
  ExpectError("multiple_of", "multiple", kContractUnknownKey, 10, "multiple =", "unknown key 'multiple' in dim H");
  ExpectError("align", "alignment", kContractUnknownKey, 13, "alignment =", "unknown key 'alignment' in tensor x");
  ExpectError("range = \"(0", "rnge = \"(0", kContractUnknownKey, 21, "rnge =", "unknown key 'rnge' in scalar eps");
  ExpectError("grid", "gird", kContractUnknownKey, 26, "gird =", "unknown key 'gird' in [candidate]");
  ExpectError("outputs", "output", kContractUnknownKey, 35, "output =", "unknown key 'output' in [post]");
  ExpectError("rtol", "tol", kContractUnknownKey, 37, "tol =", "unknown key 'tol' in a tolerance");
  ExpectError("id = \"weighted_rmsnorm.f16\"", "", kContractMissingKey, 0, "", "the contract has no 'id'");
  ExpectError("version = 1", "", kContractMissingKey, 0, "", "the contract has no 'version'");
  ExpectError("[candidate]", "[measurement]", kContractMissingKey, 1, "weighted", "the contract has no 'candidate'");
  ExpectError("block = [256]", "", kContractMissingKey, 24, "candidate]", "[candidate] has no 'block'");
  ExpectError("dtype = \"f16\", shape = [\"H\"]", "dtype = \"f16\"", kContractMissingKey, 14, "w =", "tensor w has no 'shape'");
  ExpectError(", role = \"in\" }\ny", " }\ny", kContractMissingKey, 14, "w =", "tensor w has no 'role'");
  ExpectError("min = 1, max = 65536", "min = 1", kContractMissingKey, 9, "N =", "dim N has no 'max'");
}

TEST(Contract, Types) {
  using enum DiagnosticKind;
  ExpectError("version = 1", "version = \"1\"", kContractType, 2, "1\"", "version is a string");
  ExpectError("grid = [\"N\"]", "grid = \"N\"", kContractType, 26, "N\"", "grid is a string");
  ExpectError("{ min = 1, max = 65536 }", "\"65536\"", kContractType, 9, "65536\"", "dim N is a string");
  ExpectError("min = 1,", "min = 1.5,", kContractType, 9, "1.5,", "min is a float");
  ExpectError("[256]", "[256.0]", kContractType, 27, "256.0", "an entry of block is a float");
  ExpectError("\"y\"]\n[tol", "7]\n[tol", kContractType, 35, "7]", "an entry of outputs is an integer");
  ExpectError("version = 1", "version = 2", kContractValue, 2, "2", "contract version 2");
  ExpectError("1e-3", "-1e-3", kContractValue, 37, "-1e-3", "rtol is -1e-3");
}

// A string without quotes is named as that, wherever toml++ stopped in it; other mistakes keep its own message.
TEST(Contract, BareWords) {
  auto error = [](const std::string& line) { return ErrorOf("id = \"a\"\nversion = 1\n[tensors]\n" + line + "\n"); };
  for (const std::string word : {"in", "inout", "f32", "N", "N+8", "scratch", "_a", "tr", "false_alarm", "index"}) {
    for (const std::string& line : {"x = { role = " + word + ", align = 4 }", "x = { shape = [\"H\", " + word + "] }",
                                    "x = { shape = [" + word + "] }", "x = " + word + "  # why"}) {
      Seen seen = error(line);
      EXPECT_EQ(seen.message, "bare word '" + word + "': strings need quotes") << line;
      EXPECT_EQ(seen.line, 4);
      EXPECT_EQ(seen.at.substr(0, word.size()), word) << line;
    }
  }
  for (const char* line : {"x = { dtype = \"f32\", shape }", "x = 0x", "x = \"in", "x = ", "x = 1.2.3"}) {
    EXPECT_EQ(error(line).message.find("bare word"), std::string::npos) << line;
  }
}

// Brackets that are not closed are named as that, not as strings without quotes.
TEST(Contract, OpenBrackets) {
  auto error = [](const std::string& line) { return ErrorOf("id = \"a\"\nversion = 1\n" + line + "\nN = 4\n"); };
  for (const char* line : {"[dims", "  [dims  # ] sizes", "[[dims", "[a.b"}) {
    Seen seen = error(line);
    EXPECT_EQ(seen.message, "section header without its closing bracket") << line;
    EXPECT_EQ(seen.line, 3);
    EXPECT_EQ(seen.at.substr(0, 1), "[") << line;
  }
  Seen seen = error("[tensors]\nx = { shape = [\"N\", role = \"in\" }");
  EXPECT_EQ(seen.message, "key 'role' inside an array: its ']' is missing");
  EXPECT_EQ(seen.line, 4);
  // A row of a longer array is no header.
  EXPECT_EQ(error("[tensors]\nalias = [\n[x, \"y\"]]").message, "bare word 'x': strings need quotes");
}

// A key in the wrong place: where it belongs.
TEST(Contract, KeysThatBelongElsewhere) {
  auto expected = [](const std::string& text) { return Parse(text).error(); };
  const std::string start = "id = \"a\"\nversion = 1\n";
  for (const std::string& text : {start + "alias = [[\"x\", \"y\"]]\n", start + "[dims]\nN = 4\nalias = []\n",
                                  With("[scalars]\n", "[scalars]\nalias = [[\"x\", \"y\"]]\n"), With("[post]\n", "[post]\nalias = []\n")}) {
    Diagnostic error = expected(text);
    EXPECT_EQ(error.message.substr(0, 22), "unknown key 'alias' in") << text;
    EXPECT_EQ(error.expected, "it in [tensors], below the section's header") << text;
  }
  EXPECT_EQ(expected(start + "outputs = []\n").expected, "it in [post], below the section's header");
  EXPECT_EQ(expected(start + "colour = 1\n").expected.substr(0, 8), "one of: ");
}

TEST(Contract, Syntax) {
  EXPECT_EQ(ErrorOf("id = \"a\nversion = 1\n").kind, DiagnosticKind::kContractSyntax);
  EXPECT_EQ(ErrorOf("id = \"a\"\nid = \"b\"\n").line, 2);
  EXPECT_EQ(ErrorOf("").kind, DiagnosticKind::kContractMissingKey);
  EXPECT_EQ(ErrorOf(std::string("\xff\xfe\x00", 3)).kind, DiagnosticKind::kContractSyntax);
  EXPECT_EQ(ErrorOf("\xcd\xb4 = 1\n").message, "a character outside ASCII, outside strings and comments");  // found by fuzzing
  EXPECT_EQ(ErrorOf("a = " + std::string(100000, '[')).message, "brackets nested too deeply");
  std::string dotted = "a";
  for (int i = 0; i < 200000; ++i) dotted += ".a";
  EXPECT_EQ(ErrorOf(dotted + " = 1").message, "key of too many parts");
  EXPECT_EQ(ErrorOf("[" + dotted + "]").message, "key of too many parts");
  EXPECT_EQ(ErrorOf("x = " + std::string(2 << 20, ' ') + "1").message, "contract of 2097157 bytes");
  // Dots and brackets in strings and comments are no nesting.
  EXPECT_TRUE(
      Parse(With("\"scaled wrongly\"", "\"" + std::string(50, '[') + " a.b.c.d.e.f.g.h.i.j\"  # [[[[[[[[[[[[[[[[[[[[ a.b.c.d.e.f.g.h.i"))
          .ok());
}

TEST(Contract, Dims) {
  using enum DiagnosticKind;
  ExpectError("min = 1, max = 65536", "min = 9, max = 8", kContractDims, 9, "9, max", "dim N has min 9 above max 8");
  ExpectError("min = 1, max = 65536", "min = 0, max = 8", kContractDims, 9, "0, max", "min is 0");
  ExpectError("min = 1, max = 65536", "min = -4, max = 8", kContractDims, 9, "-4, max", "min is -4");
  ExpectError("{ min = 1, max = 65536 }", "0", kContractDims, 9, "0", "dim N is 0");
  ExpectError("min = 8, max = 16384, multiple_of = 8", "min = 9, max = 15, multiple_of = 8", kContractDims, 10, "8 }",
              "dim H has no member: no multiple of 8 lies between 9 and 15");
  ExpectError("min = 1, max = 65536", "values = []", kContractDims, 9, "[]", "dim N has 0 values");
  ExpectError("min = 1, max = 65536", "min = 4, values = [8, 3]", kContractDims, 9, "3]",
              "dim N cannot be 3 by its own min, max or multiple_of");
  ExpectError("min = 1, max = 65536", "values = [4, 0]", kContractDims, 9, "0]", "a value of dim N is 0");
  ExpectError("\nN = {", "\nx = {", kContractValue, 13, "x =", "'x' names two things");
  ExpectError("\nH = {", "\nmin = {", kContractValue, 10, "min = {", "'min' is a function and cannot name a dim");
  ExpectError("\nH = {", "\n\"a b\" = {", kContractValue, 10, "\"a b\"", "'a b' is no name of a dim");
  EXPECT_TRUE(Parse(With("min = 1, max = 65536", "values = [3, 1, 3]")).ok());
}

TEST(Contract, Tensors) {
  using enum DiagnosticKind;
  ExpectError("dtype = \"f16\"", "dtype = \"f17\"", kContractValue, 13, "f17", "unknown dtype 'f17'");
  ExpectError("dtype = \"f16\"", "dtype = \"f16x2\"", kContractValue, 13, "f16x2", "unknown dtype 'f16x2'");
  ExpectError("dtype = \"f16\"", "dtype = \"pred\"", kContractValue, 13, "pred", "unknown dtype 'pred'");
  ExpectError("[\"N\", \"H\"], role = \"in\"", "[\"N\", \"K\"], role = \"in\"", kContractExpression, 13, "K\"", "unknown name 'K'");
  ExpectError("[\"N\", \"H\"], role = \"in\"", "[], role = \"in\"", kContractValue, 13, "[]", "shape has 0 entries");
  ExpectError("[\"N\", \"H\"], role = \"in\"", "[\"N - 1\", \"H\"], role = \"in\"", kContractTensor, 13, "N - 1",
              "tensor x has a size of 0 at N=1,H=8");
  ExpectError("role = \"in\"", "role = \"input\"", kContractValue, 13, "input\"", "unknown role 'input'");
  ExpectError("align = 16", "align = 12", kContractTensor, 13, "12,", "tensor x has align 12");
  ExpectError("align = 16", "align = 1", kContractTensor, 13, "1,", "tensor x has align 1");
  ExpectError("[\"H+8\", \"1\"]", "[\"1\"]", kContractValue, 13, "[", "strides has 1 entries");
  ExpectError("init = 0", "init = 0.5", kContractValue, 16, "0.5", "init 0.5 in a tensor of integers");
  ExpectError("role = \"in\" }", "role = \"in\", init = 0 }", kContractTensor, 14, "0 }", "tensor w has init");
  ExpectError("role = \"in\" }", "role = \"in\", values = [1] }", kContractTensor, 14, "values", "tensor w has values but is no index");
  ExpectError("role = \"in\" }", "role = \"in\", range = \"[2, 1]\" }", kContractValue, 14, "[2, 1]", "empty range '[2, 1]'");
  ExpectError("init = 0", "range = \"[0, 1]\"", kContractTensor, 16, "range", "tensor ctr of role scratch has a range");
  EXPECT_TRUE(Parse(With("role = \"in\" }", "role = \"in\", range = \"[0, 255]\" }")).ok());
  ExpectError("\"range(0, N)\"", "\"range(0)\"", kContractValue, 17, "range(0)", "range of one end");
  ExpectError("\"range(0, N)\"", "\"range(0, Q)\"", kContractExpression, 17, "Q)", "unknown name 'Q'");
  ExpectError("\"range(0, N)\"", "\"sorted\"", kContractValue, 17, "sorted", "unknown values 'sorted'");
  ExpectError("dtype = \"s32\"", "dtype = \"f32\"", kContractTensor, 17, "idx =", "tensor idx is an index of a floating dtype");
  ExpectError("[[\"w\", \"y\"]]", "[[\"w\", \"z\"]]", kContractTensor, 18, "z\"", "'z' in alias is no tensor");
  ExpectError("[[\"w\", \"y\"]]", "[[\"w\", \"w\"]]", kContractTensor, 18, "w\"]]", "tensor 'w' twice in alias");
  ExpectError("[[\"w\", \"y\"]]", "[[\"w\"]]", kContractTensor, 18, "[\"w\"]]", "a group of alias with fewer than two tensors");
  ExpectError("[[\"w\", \"y\"]]", "[[\"w\", \"ctr\"]]", kContractTensor, 18, "ctr\"", "tensor 'ctr' of role scratch in alias");
  ExpectError("[\"H\"], role = \"in\" }", "[\"H\"], role = \"out\" }", kContractTensor, 18, "[\"w\"", "two outputs in one group of alias");
}

TEST(Contract, Scalars) {
  using enum DiagnosticKind;
  ExpectError("\"(0, 1]\"", "\"(0; 1]\"", kContractValue, 21, "(0; 1]", "malformed range '(0; 1]'");
  ExpectError("\"(0, 1]\"", "\"(0, one]\"", kContractValue, 21, "(0, one]", "malformed end 'one' of range");
  ExpectError("\"(0, 1]\"", "\"(1, 0]\"", kContractValue, 21, "(1, 0]", "empty range '(1, 0]'");
  ExpectError("\"(0, 1]\"", "\"(1, 1]\"", kContractValue, 21, "(1, 1]", "empty range '(1, 1]'");
  EXPECT_TRUE(Parse(With("\"(0, 1]\"", "\"[1, 1]\"")).ok());
  EXPECT_TRUE(Parse(With("\"(0, 1]\"", "\"(-inf, inf)\"")).ok());
  ExpectError("value = \"1/H\"", "value = \"1/K\"", kContractExpression, 22, "K\"", "unknown name 'K'");
  ExpectError("value = \"1/H\"", "value = \"inv_h + 1\"", kContractValue, 22, "inv_h + 1", "the value of scalar inv_h depends on itself");
  ExpectError("value = \"1/H\"", "value = \"1\", range = \"[0, 1]\"", kContractValue, 22, "range", "scalar inv_h has a range and a value");
  Result<Contract> chain = Parse(With("eps = {", "a = { dtype = \"f32\", value = \"2 * inv_h\" }\neps = {"));
  ASSERT_TRUE(chain.ok());
  EXPECT_EQ(chain->scalar_order, (std::vector<uint32_t>{1, 2, 0}));  // a needs inv_h
}

TEST(Contract, Calls) {
  using enum DiagnosticKind;
  ExpectError("\"y\", \"N\"", "\"z\", \"N\"", kContractArguments, 25, "z\"", "'z' is no tensor, scalar or dim");
  ExpectError("\"2 * H\"", "\"2 * Q\"", kContractExpression, 25, "Q\"", "unknown name 'Q'");
  ExpectError("\"2 * H\"", "\"0.5 * H\"", kContractExpression, 25, "0.5", "a fraction in an integer expression");
  ExpectError("[256]", "[256, 1, 1, 1]", kContractValue, 27, "[256, 1, 1, 1]", "block has 4 entries");
  ExpectError("[256]", "[2048]", kContractLaunch, 27, "2048", "block.x is 2048 at N=1,H=8");
  ExpectError("[256]", "[512, 4]", kContractLaunch, 27, "512", "block has 2048 threads at N=1,H=8");
  ExpectError("[256]", "[1, 1, 65]", kContractLaunch, 27, "65]", "block.z is 65 at N=1,H=8");
  ExpectError("[256]", "[0]", kContractLaunch, 27, "0]", "block.x is 0 at N=1,H=8");
  ExpectError("grid = [\"N\"]", "grid = [\"N * 65536\"]", kContractLaunch, 26, "N * 65536", "grid.x is 2147483648 at N=32768,H=8");
  ExpectError("grid = [\"N\"]", "grid = [1, \"N\"]", kContractLaunch, 26, "N\"", "grid.y is 65536 at N=65536,H=8");
  ExpectError("\"4 * H\"", "\"40 * H\"", kContractLaunch, 28, "40 * H", "dynamic shared memory of 232640 bytes at N=1,H=5816");
  ExpectError("\"4 * H\"", "\"4 - H\"", kContractLaunch, 28, "4 - H", "dynamic shared memory of -4 bytes at N=1,H=8");
  // Near misses: the limits themselves.
  auto legal = [](const std::string& from, const std::string& to, const DimAssignment& pinned) {
    Result<Contract> contract = Parse(With(from, to));
    return contract.ok() && !CheckDomain(*contract, pinned).has_value();
  };
  EXPECT_TRUE(legal("[256]", "[1, 16, 64]", {0, 0}));
  EXPECT_TRUE(legal("grid = [\"N\"]", "grid = [2147483647, 65535, 65535]", {0, 0}));
  EXPECT_TRUE(legal("\"4 * H\"", "232448", {0, 0}));
  // Only what is open can be illegal.
  EXPECT_FALSE(legal("\"4 * H\"", "\"40 * H\"", {4, 0}));
  EXPECT_TRUE(legal("\"4 * H\"", "\"40 * H\"", {0, 5808}));
}

// Structures by value: fields one after another as in C.
TEST(Contract, Fields) {
  using enum DiagnosticKind;
  auto fields = [](const std::string& list) {
    Result<Contract> contract = Parse(With("\"2 * H\"", list));
    EXPECT_TRUE(contract.ok()) << (contract.ok() ? "" : contract.error().Render());
    if (!contract.ok()) return std::vector<uint64_t>{};
    Result<Contract> again = Parse(ToToml(*contract));
    EXPECT_TRUE(again.ok() && ToToml(*again) == ToToml(*contract)) << ToToml(*contract);
    std::vector<uint64_t> offsets;
    for (const CallArgument& field : contract->candidate->args[5].fields) offsets.push_back(field.offset);
    return offsets;
  };
  EXPECT_EQ(fields("[\"N\", \"x\", \"eps\", \"2 * H\"]"), (std::vector<uint64_t>{0, 8, 16, 20}));
  EXPECT_EQ(fields("[\"N\", { value = \"H\", dtype = \"s64\" }, { value = 1, offset = 24 }]"), (std::vector<uint64_t>{0, 8, 24}));
  EXPECT_EQ(fields("[{ value = 7, dtype = \"u8\" }, { value = \"H\", dtype = \"u16\" }]"), (std::vector<uint64_t>{0, 2}));
  ExpectError("\"2 * H\"", "[]", kContractArguments, 25, "[]", "a structure of 0 fields");
  ExpectError("\"2 * H\"", "[\"N\", [\"H\"]]", kContractType, 25, "[\"H\"]", "an argument is an array");
  ExpectError("\"2 * H\"", "[\"N\", { value = \"H\", offset = 2 }]", kContractArguments, 25, "{ value", "a field of 4 bytes at offset 2");
  ExpectError("\"2 * H\"", "[{ value = \"H\", at = 2 }]", kContractUnknownKey, 25, "at", "unknown key 'at' in a field");
  ExpectError("\"2 * H\"", "[{ value = \"H\", dtype = \"f32\" }]", kContractArguments, 25, "f32",
              "dtype f32 of a field that is no scalar of that dtype");
  ExpectError("\"2 * H\"", "[{ value = \"x\", dtype = \"s32\" }]", kContractArguments, 25, "s32",
              "dtype s32 of a field that is no integer expression");
  ExpectError("\"2 * H\"", "[{ value = \"N\", offset = -4 }]", kContractArguments, 25, "-4", "offset -4 of a field");
}

TEST(Contract, ScopeAndPost) {
  using enum DiagnosticKind;
  ExpectError("\"sm_80\"", "\"gfx90\"", kContractValue, 5, "gfx90", "unknown target 'gfx90'");
  ExpectError("\"H % 8 == 0\"", "\"H % 8\"", kContractExpression, 6, "H % 8", "a number where a condition is needed");
  ExpectError("\"H % 8 == 0\"", "\"H % (N - 1) == 0\"", kContractExpression, 6, "% (N", "division by zero in 'H % (N - 1) == 0'");
  ExpectError("outputs = [\"y\"]", "outputs = [\"q\"]", kContractTensor, 35, "q\"", "'q' in outputs is no tensor");
  ExpectError("outputs = [\"y\"]", "outputs = [\"x\"]", kContractTensor, 35, "x\"", "tensor 'x' of role in in outputs");
  ExpectError("outputs = [\"y\"]", "outputs = [\"y\", \"y\"]", kContractTensor, 35, "y\"]", "tensor 'y' twice in outputs");
  ExpectError("outputs = [\"y\"]", "outputs = []", kContractTensor, 35, "[]", "no outputs: there is nothing to check");
  ExpectError("outputs = [\"y\"]", "preserve = [\"y\"]", kContractTensor, 35, "y\"", "tensor 'y' of role out in preserve");
}

TEST(Contract, EmbeddedInPtx) {
  std::string text = "//! # contract\n.version 8.0\n//! id = \"é\"\n\t//!   version = 2\n";
  auto file = std::make_shared<SourceFile>("k.ptx", text);
  Result<Contract> contract = ParseEmbeddedContract(file, {"# contract", "id = \"é\"", "  version = 2"}, {1, 3, 4});
  ASSERT_FALSE(contract.ok());
  EXPECT_EQ(contract.error().Render(),
            "k.ptx:4:18: error: contract version 2; expected 1\n"
            "   //!   version = 2\n"
            "                   ^\n");
  Result<Contract> empty = ParseEmbeddedContract(file, {}, {});
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().kind, DiagnosticKind::kContractMissingKey);
}

}  // namespace
}  // namespace racer
