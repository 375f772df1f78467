// Runs PTX snippets in both domains for the tests of this package.
#ifndef RACER_SYMEXEC_MACHINE_TESTING_H_
#define RACER_SYMEXEC_MACHINE_TESTING_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ptx_frontend/parse/parse.h"
#include "symexec/machine/machine.h"

namespace racer {

inline std::unique_ptr<ir::Module> ParseForTest(const std::string& ptx) {
  ParseOutcome outcome = ParsePtx(std::make_shared<SourceFile>("test.ptx", ptx));
  for (const Diagnostic& diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.Render();
  return std::move(outcome.module);
}

// A kernel `k(out, in, n)` around a body. The registers are %r, %rd, %f, %h (b16), %p, 40 of each; %rd0 holds out and %rd1 in.
// Line 1 of the body is line 12 of the text when `module_scope` is empty.
inline std::string Kernel(const std::string& body, const std::string& module_scope = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + module_scope +
         ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n"
         ".reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .b16 %h<40>; .reg .pred %p<40>;\n"
         "ld.param.u64 %rd0, [out];\n"
         "ld.param.u64 %rd1, [in];\n"
         "mov.u32 %r0, %tid.x;\n"
         "mul.wide.u32 %rd2, %r0, 4;\n"
         "add.s64 %rd3, %rd0, %rd2;\n" +  // &out[tid]
         body +
         "\nret;\n}\n";
}
constexpr int kBodyLine = 12;

// The same for instructions that are newer.
inline std::string NewKernel(const std::string& body, const std::string& module_scope = "", const std::string& target = "sm_100a") {
  return ".version 9.0\n.target " + target + Kernel(body, module_scope).substr(sizeof ".version 8.0\n.target sm_90" - 1);
}

class Launch {
 public:
  explicit Launch(const std::string& ptx) : module_(ParseForTest(ptx)) {
    config_.module = module_.get();
    if (module_ == nullptr) return;
    config_.entry = module_->Entries().front();
  }

  // `out` of `out_bytes` undefined bytes and `in` with the given words, for Kernel().
  Launch& Buffers(uint64_t out_bytes, const std::vector<uint32_t>& in, uint32_t n = 0) {
    AddBuffer({.name = "out", .size = out_bytes, .align = 256, .initialised = false}, {});
    std::vector<uint8_t> bytes(in.size() * 4);
    if (!in.empty()) std::memcpy(bytes.data(), in.data(), bytes.size());
    AddBuffer({.name = "in", .size = bytes.size(), .align = 256, .writable = false}, bytes);
    config_.arguments.push_back({.kind = Argument::Kind::kBits, .bits = n});
    return *this;
  }
  Launch& AddBuffer(BufferSpec spec, std::vector<uint8_t> bytes) {
    Argument argument{.kind = Argument::Kind::kBuffer, .buffer = static_cast<int>(config_.buffers.size())};
    config_.arguments.push_back(argument);
    config_.buffers.push_back(std::move(spec));
    config_.contents.push_back({.bytes = std::move(bytes), .symbol = {}, .cells = {}});
    return *this;
  }
  Launch& Block(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
    config_.launch.block = {x, y, z};
    return *this;
  }
  Launch& Grid(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
    config_.launch.grid = {x, y, z};
    return *this;
  }
  RunConfig& config() { return config_; }
  const ir::Module& module() const { return *module_; }

  RunResult Bits() { return bits_.Run(config_); }
  RunResult Term() { return term_.Run(config_); }
  BitsMachine& bits() { return bits_; }
  TermMachine& term() { return term_; }
  TermStore& store() { return store_; }

  // Runs in both domains and compares the 32-bit words of buffer 0.
  void ExpectWords(const std::vector<uint32_t>& expected) {
    RunResult in_bits = Bits();
    ASSERT_EQ(in_bits.status, RunResult::Status::kCompleted) << in_bits.reason;
    RunResult in_term = Term();
    ASSERT_EQ(in_term.status, RunResult::Status::kCompleted) << in_term.reason;
    EXPECT_EQ(in_bits.stats.thread_instructions, in_term.stats.thread_instructions);
    for (size_t i = 0; i < expected.size(); ++i) {
      const CellValue a = bits_.ReadCell(0, 4 * i, 32), b = term_.ReadCell(0, 4 * i, 32);
      EXPECT_EQ(a.state, CellValue::State::kConcrete) << "word " << i;
      EXPECT_EQ(a.bits, expected[i]) << "word " << i << " in Bits";
      EXPECT_EQ(b.state, CellValue::State::kConcrete) << "word " << i;
      EXPECT_EQ(b.bits, expected[i]) << "word " << i << " in Term";
    }
  }
  // Runs in both domains; both stop with this finding, noticed at `line`.
  void ExpectViolation(Gate gate, const std::string& part, int line = 0) {
    for (const RunResult& result : {Bits(), Term()}) Violated(result, gate, part, line);
  }
  static void Violated(const RunResult& result, Gate gate, const std::string& part, int line = 0) {
    ASSERT_EQ(result.status, RunResult::Status::kViolation) << result.reason;
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].gate, gate);
    EXPECT_NE(result.findings[0].message.find(part), std::string::npos) << result.findings[0].message;
    if (line != 0) {
      ASSERT_FALSE(result.findings[0].where.empty());
      EXPECT_EQ(result.findings[0].where[0].line, line) << result.findings[0].where[0].text;
    }
  }
  void ExpectUnsupported(const std::string& part, int line = 0) {
    for (const RunResult& result : {Bits(), Term()}) Refused(result, part, line);
  }
  static void Refused(const RunResult& result, const std::string& part, int line = 0) {
    ASSERT_EQ(result.status, RunResult::Status::kUnsupported) << result.reason;
    EXPECT_NE(result.reason.find(part), std::string::npos) << result.reason;
    if (line != 0) {
      ASSERT_TRUE(result.place.has_value());
      EXPECT_EQ(result.place->line, line);
    }
  }
  void ExpectCompleted() {
    for (const RunResult& result : {Bits(), Term()}) EXPECT_EQ(result.status, RunResult::Status::kCompleted) << result.reason;
  }

 private:
  std::unique_ptr<ir::Module> module_;
  RunConfig config_;
  TermStore store_;
  BitsMachine bits_;
  TermMachine term_{store_};
};

// f(i) for i in [0, count).
template <class F>
std::vector<uint32_t> Words(size_t count, F f) {
  std::vector<uint32_t> words;
  words.reserve(count);
  for (size_t i = 0; i < count; ++i) words.push_back(static_cast<uint32_t>(f(static_cast<uint32_t>(i))));
  return words;
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_TESTING_H_
