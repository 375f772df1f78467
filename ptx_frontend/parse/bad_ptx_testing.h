// What tests of bad PTX share: texts around an instruction, and the errors as strings.
#ifndef RACER_PTX_FRONTEND_PARSE_BAD_PTX_TESTING_H_
#define RACER_PTX_FRONTEND_PARSE_BAD_PTX_TESTING_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ptx_frontend/parse/parse.h"

namespace racer {

inline constexpr std::string_view kHead = ".version 8.3\n.target sm_90\n.address_size 64\n";

inline ParseOutcome Parse(std::string text, const ParseLimits& limits = {}) {
  return ParsePtx(std::make_shared<const SourceFile>("t.ptx", std::move(text)), limits);
}

inline std::string InModule(std::string_view text) { return std::string(kHead) + std::string(text); }

// `text` is on line 6 of the file, in a function with registers of every sort.
inline std::string InBody(std::string_view text, std::string_view before = "") {
  return std::string(kHead) + std::string(before) +
         ".entry k(.param .u64 a) {\n.reg .b32 r<10>; .reg .u32 u<4>; .reg .f32 f<10>; .reg .b64 rd<10>; .reg .f64 d<4>; .reg .pred p<5>; "
         ".reg .b16 h<5>; "
         ".reg .u16 uh<5>; .reg .f16 fh<4>; .reg .f16x2 hh<3>;\n" +
         std::string(text) + "\nret; }\n";
}

// "PtxType 6:9" for each error, in order.
inline std::vector<std::string> Errors(const ParseOutcome& outcome) {
  std::vector<std::string> list;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    list.push_back(std::string(DiagnosticKindName(diagnostic.kind)) + " " + std::to_string(diagnostic.location.line) + ":" +
                   std::to_string(diagnostic.location.column));
  }
  return list;
}

inline std::string First(const std::string& text) {
  const ParseOutcome outcome = Parse(text);
  const std::vector<std::string> errors = Errors(outcome);
  EXPECT_EQ(outcome.module == nullptr, !errors.empty());
  return errors.empty() ? "" : errors[0];
}

struct Case {
  std::string_view text;
  std::string_view error;  // "" for text that is right
};

inline void ExpectBody(std::initializer_list<Case> cases, std::string_view before = "") {
  for (const Case& c : cases) EXPECT_EQ(First(InBody(c.text, before)), c.error) << c.text;
}
inline void ExpectModule(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(First(InModule(c.text)), c.error) << c.text;
}

// One rule that is broken on line 6: what the diagnostic says of it.
struct Named {
  std::string_view text;
  std::string_view message;  // a part of it
  std::string_view expected;
};

inline void ExpectNamed(std::initializer_list<Named> cases, std::string_view before = "") {
  for (const Named& named : cases) {
    const ParseOutcome outcome = Parse(InBody(named.text, before));
    EXPECT_EQ(outcome.diagnostics.size(), 1u) << named.text;
    if (outcome.diagnostics.empty()) continue;
    EXPECT_NE(outcome.diagnostics[0].message.find(named.message), std::string::npos) << outcome.diagnostics[0].message;
    EXPECT_EQ(outcome.diagnostics[0].expected, named.expected) << named.text;
    EXPECT_EQ(outcome.diagnostics[0].location.line, 6) << named.text;
  }
}

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_PARSE_BAD_PTX_TESTING_H_
