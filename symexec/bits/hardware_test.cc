// Results of a real GPU against the Bits domain: every exact form of the table, bit for bit (NaN payloads included), and the
// approximate ones within two units in the last place.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "ptx_frontend/isa/all.h"
#include "ptx_frontend/isa/match.h"
#include "ptx_frontend/isa/spec.h"
#include "symexec/bits/bits_domain.h"

namespace racer {
namespace {

using Handler = void (*)(const Mods&, std::span<const uint64_t>, uint64_t*);

template <class R>
constexpr Handler HandlerOf() {
  if constexpr (R::kSpec.effect == Effect::kValue) {
    return [](const Mods& mods, std::span<const uint64_t> in, uint64_t* out) {
      BitsDomain domain;
      isa::Apply<R>(domain, mods, in, out);
    };
  } else {
    return nullptr;
  }
}

constexpr Handler kHandlers[] = {
    nullptr,
#define RACER_INSTRUCTION(name) HandlerOf<isa::name>(),
#include "ptx_frontend/isa/instructions.def"
};

struct Line {
  std::string mnemonic;
  std::vector<std::string> modifiers;
  std::vector<uint64_t> in, out;
};

Line ParseLine(const std::string& text) {
  Line line;
  std::istringstream words(text);
  std::string name;
  words >> name;
  std::istringstream parts(name);
  std::getline(parts, line.mnemonic, '.');
  for (std::string part; std::getline(parts, part, '.');) line.modifiers.push_back(part);
  bool results = false;
  for (std::string word; words >> word;) {
    if (word == "=") {
      results = true;
    } else {
      (results ? line.out : line.in).push_back(std::stoull(word, nullptr, 16));
    }
  }
  return line;
}

// Units in the last place between two patterns of one sign, lane by lane for 16-bit pairs.
uint64_t UlpDistance(ScalarType type, uint64_t a, uint64_t b) {
  const unsigned w = PackedElement(type) == ScalarType::kNone ? BitWidth(type) : BitWidth(PackedElement(type));
  uint64_t worst = 0;
  for (unsigned lo = 0; lo < BitWidth(type); lo += w) {
    const uint64_t x = a >> lo & BitsDomain::Mask(w);
    const uint64_t y = b >> lo & BitsDomain::Mask(w);
    worst = std::max(worst, x > y ? x - y : y - x);
  }
  return worst;
}

TEST(HardwareTest, BitsAgreesWithAnH200) {
  std::ifstream file("symexec/bits/testdata/h200.txt");
  ASSERT_TRUE(file);
  int lines = 0;
  int bounded = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    ++lines;
    const Line line = ParseLine(text);
    // setp and lop3 with a predicate list two results for one written destination.
    const MatchOutcome outcome = MatchInstruction(line.mnemonic, line.modifiers, line.in.size() + 1);
    ASSERT_TRUE(outcome.form) << text << ": " << outcome.reason;
    const InstructionForm& form = *outcome.form;
    const Handler handler = kHandlers[static_cast<size_t>(form.opcode)];
    ASSERT_NE(handler, nullptr) << text;
    std::array<uint64_t, 2> out{};
    handler(form.mods, line.in, out.data());
    if (form.spec->fidelity == Fidelity::kBounded) {
      ++bounded;
      EXPECT_LE(UlpDistance(form.operands[0].type, out[0], line.out[0]), 2u) << text << ", not 0x" << std::hex << out[0];
      continue;
    }
    for (size_t i = 0; i < line.out.size(); ++i) EXPECT_EQ(out[i], line.out[i]) << text << ", not 0x" << std::hex << out[i];
  }
  EXPECT_GT(lines, 5000);
  EXPECT_GT(bounded, 100);
}

}  // namespace
}  // namespace racer
