// Replays what a GPU made of every warp-level matrix form of sm_90a (tools/gpu/matrix_vectors.py) in the Bits domain: every result
// register and every stored byte, bit for bit.
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symexec/machine/testing.h"

namespace racer {
namespace {

// xorshift64*, the upper 48 bits.
class Stream {
 public:
  explicit Stream(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15 + 0x1234567) {}
  uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (state_ * 0x2545F4914F6CDD1D) >> 16;
  }

 private:
  uint64_t state_;
};

struct Format {
  unsigned bits, exponent_bits, fraction_bits;
};
const std::map<std::string, Format> kFormats = {{"f16", {16, 5, 10}},  {"bf16", {16, 8, 7}}, {"tf32", {32, 8, 23}}, {"f32", {32, 8, 23}},
                                                {"f64", {64, 11, 52}}, {"e4m3", {8, 4, 3}},  {"e5m2", {8, 5, 2}}};

// As element() of matrix_vectors.py.
uint64_t Element(const std::string& name, unsigned cls, Stream* stream, bool accumulator) {
  const Format f = kFormats.at(name);
  const uint64_t r = stream->Next(), sign = r & 1, x = r >> 24;
  uint64_t man = r >> 1;
  if (f.fraction_bits > 23) man = man << 20 ^ stream->Next();
  man &= (uint64_t{1} << f.fraction_bits) - 1;
  const int64_t bias = (int64_t{1} << (f.exponent_bits - 1)) - 1, top = (int64_t{1} << f.exponent_bits) - 1;
  const uint64_t negative = sign << (f.exponent_bits + f.fraction_bits);
  int64_t exp = bias - 2 + static_cast<int64_t>(x % 5);
  switch (cls) {
    case 0: {
      const uint64_t v = x % 9;
      if (v == 0) return 0;
      const unsigned p = static_cast<unsigned>(63 - __builtin_clzll(v));
      return negative | static_cast<uint64_t>(bias + p) << f.fraction_bits |
             ((v << f.fraction_bits >> p) & ((uint64_t{1} << f.fraction_bits) - 1));
    }
    case 2: exp = static_cast<int64_t>(x % static_cast<uint64_t>(top)); break;
    case 3: exp = static_cast<int64_t>(x % 3); break;
    case 4: exp = x % 4 == 0 ? std::min(bias + 10, top - 1) : bias; break;
    case 5: {
      const uint64_t y = (x >> 8) % 16;
      if (y == 0) {
        exp = top;
        man = name == "e4m3" ? 7 : 0;
      } else if (y == 1) {
        exp = top;
        man = name == "e4m3" ? 7 : man | 1;
      } else if (y == 2 || y == 3) {
        exp = 0;
        man = 0;
      }
      break;
    }
    case 6:
      if (accumulator) exp = std::min(bias + 6 + static_cast<int64_t>(x % 20), top - 1);
      break;
    case 7: exp = std::min(std::max(bias - 8 + static_cast<int64_t>(x % 16), int64_t{0}), top - 1); break;
    default: break;
  }
  return negative | static_cast<uint64_t>(exp) << f.fraction_bits | man;
}

// As word() of matrix_vectors.py.
uint64_t Word(const std::string& kind, unsigned cls, Stream* stream) {
  static constexpr uint64_t kOrdered[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  const bool accumulator = kind.starts_with("c:");
  const std::string name = accumulator ? kind.substr(2) : kind;
  if (const auto found = kFormats.find(name); found != kFormats.end()) {
    const unsigned bits = found->second.bits;
    uint64_t value = 0;
    for (unsigned i = 0; i < std::max(1u, 32 / bits); ++i) value |= Element(name, cls, stream, accumulator) << (bits * i);
    return value;
  }
  const uint64_t r = stream->Next();
  if (name == "b32" || (name == "s32" && cls % 2 == 0)) return r & 0xffffffff;
  if (name == "s32") return ((r >> 40 & 1) != 0 ? 0x7fffffff - r % 4096 : 0x80000000 + r % 4096) & 0xffffffff;
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const uint64_t code = name == "meta" ? kOrdered[(r >> (4 * i)) % 6] : (r >> i & 1) != 0 ? 0b1110 : 0b0100;
    value |= code << (4 * i);
  }
  return value;
}

using Parts = std::vector<std::pair<std::string, unsigned>>;  // kinds and how many of each

struct Form {
  std::string name, body;
  Parts x, s;
  unsigned y = 0, wide_y = 0;
  bool dump = false;
  bool wide_x() const { return !x.empty() && x[0].first.ends_with("f64"); }
};

Parts ReadParts(const std::string& line) {
  Parts parts;
  std::istringstream words(line.substr(2));
  for (std::string word; words >> word;) {
    if (word == "-") continue;
    const size_t star = word.find('*');
    parts.emplace_back(word.substr(0, star), std::stoul(word.substr(star + 1)));
  }
  return parts;
}

constexpr unsigned kShared = 8192;

std::string KernelOf(const Form& form) {
  unsigned count = 0;
  for (const auto& part : form.x) count += part.second;
  const unsigned in_size = form.wide_x() ? 8 : 4, out_size = form.wide_y != 0 ? 8 : 4;
  std::string text =
      ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 mem) {\n"
      ".reg .b32 %x<32>; .reg .b32 %y<40>; .reg .b64 %X<32>; .reg .b64 %Y<16>; .reg .b32 %a<8>; .reg .b64 %p<8>; .reg .pred %q;\n";
  if (!form.s.empty()) text += ".shared .align 128 .b8 s[" + std::to_string(kShared) + "];\n";
  text += "mov.u32 %a7, %tid.x; ld.param.u64 %p0, [in]; ld.param.u64 %p1, [out]; ld.param.u64 %p2, [mem];\nmul.wide.u32 %p3, %a7, " +
          std::to_string(in_size) + "; add.s64 %p0, %p0, %p3; mul.wide.u32 %p3, %a7, " + std::to_string(out_size) +
          "; add.s64 %p1, %p1, %p3;\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string reg = form.wide_x() ? "b64 %X" : "b32 %x";
    text += "ld.global." + reg + std::to_string(i) + ", [%p0+" + std::to_string(i * 32 * in_size) + "];\n";
  }
  const std::string walk =
      "mul.wide.u32 %p3, %a7, 16; add.s64 %p4, %p2, %p3; mov.u32 %a6, s; mad.lo.u32 %a5, %a7, 16, %a6; mov.u32 %a6, 0;\n";
  const std::string step = " add.s64 %p4, %p4, 512; add.u32 %a5, %a5, 512; add.u32 %a6, %a6, 1; setp.lt.u32 %q, %a6, " +
                           std::to_string(kShared / 512) + "; @%q bra ";
  if (!form.s.empty()) {
    text += walk + "fill: ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%p4]; st.shared.v4.b32 [%a5], {%a0, %a1, %a2, %a3};" + step +
            "fill; bar.sync 0;\n";
  }
  text += form.body + "\n";
  for (unsigned i = 0; i < form.y + form.wide_y; ++i) {
    const std::string reg = form.wide_y != 0 ? "%Y" : "%y";
    text += "st.global.b" + std::to_string(8 * out_size) + " [%p1+" + std::to_string(i * 32 * out_size) + "], " + reg + std::to_string(i) +
            ";\n";
  }
  if (form.dump) {
    text += "bar.sync 0; " + walk + "spill: ld.shared.v4.b32 {%a0, %a1, %a2, %a3}, [%a5]; st.global.v4.b32 [%p4], {%a0, %a1, %a2, %a3};" +
            step + "spill;\n";
  }
  return text + "ret;\n}\n";
}

uint64_t Hash(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001B3; }
constexpr uint64_t kHashStart = 0xCBF29CE484222325;

void Append(std::vector<uint8_t>* bytes, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes->push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// What `case CLASS SEED HASH [HASH]` says, computed.
std::string Replay(const Form& form, const ir::Module& module, unsigned cls, uint64_t seed) {
  Stream stream(seed);
  std::vector<uint8_t> in, memory;
  for (const auto& [kind, count] : form.x) {
    for (unsigned i = 0; i < 32 * count; ++i) Append(&in, Word(kind, cls, &stream), form.wide_x() ? 8 : 4);
  }
  for (const auto& [kind, count] : form.s) {
    for (unsigned i = 0; i < count; ++i) Append(&memory, Word(kind, cls, &stream), kind.ends_with("f64") ? 8 : 4);
  }
  memory.resize(kShared);
  in.resize(std::max<size_t>(in.size(), 16));
  const unsigned size = form.wide_y != 0 ? 8 : 4, results = form.y + form.wide_y;
  RunConfig config;
  config.module = &module;
  config.entry = module.Entries().front();
  config.launch.block = {32, 1, 1};
  const auto add = [&](BufferSpec spec, std::vector<uint8_t> bytes) {
    config.arguments.push_back({.kind = Argument::Kind::kBuffer, .buffer = static_cast<int>(config.buffers.size())});
    config.buffers.push_back(std::move(spec));
    config.contents.push_back({.bytes = std::move(bytes), .symbol = {}, .cells = {}});
  };
  add({.name = "out", .size = std::max(1u, results) * 32 * size, .align = 256, .initialised = false}, {});
  const uint64_t in_size = in.size();
  add({.name = "in", .size = in_size, .align = 256, .writable = false}, std::move(in));
  add({.name = "mem", .size = kShared, .align = 256}, std::move(memory));
  BitsMachine machine;
  const RunResult result = machine.Run(config);
  if (result.status != RunResult::Status::kCompleted) return result.reason.empty() ? result.findings.at(0).message : result.reason;
  uint64_t hash = kHashStart;
  for (unsigned i = 0; i < 32 * results; ++i) hash = Hash(hash, machine.ReadCell(0, uint64_t{i} * size, 8 * size).bits);
  char text[40];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  std::string seen = text;
  if (form.dump) {
    hash = kHashStart;
    for (unsigned i = 0; i < kShared / 4; ++i) hash = Hash(hash, machine.ReadCell(2, 4 * i, 32).bits);
    std::snprintf(text, sizeof text, " %016llx", static_cast<unsigned long long>(hash));
    seen += text;
  }
  return seen;
}

TEST(MatrixHardwareTest, EveryFormGivesWhatTheHardwareGave) {
  std::ifstream file("symexec/machine/testdata/h200_matrix.txt");
  ASSERT_TRUE(file);
  Form form;
  std::unique_ptr<ir::Module> module;
  int forms = 0, cases = 0, wrong = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("form ")) {
      form = Form{.name = line.substr(5), .body = {}, .x = {}, .s = {}};
      ++forms;
    } else if (line.starts_with("x ")) {
      form.x = ReadParts(line);
    } else if (line.starts_with("s ")) {
      form.s = ReadParts(line);
    } else if (line.starts_with("y ")) {
      int dump = 0;
      std::istringstream(line.substr(2)) >> form.y >> form.wide_y >> dump;
      form.dump = dump != 0;
    } else if (line.starts_with("body ")) {
      form.body = line.substr(5);
      module = ParseForTest(KernelOf(form));
      ASSERT_NE(module, nullptr) << form.name;
    } else {
      ASSERT_TRUE(line.starts_with("case ")) << line;
      std::istringstream words(line.substr(5));
      unsigned cls = 0;
      uint64_t seed = 0;
      std::string expected, part;
      words >> cls >> seed;
      while (words >> part) expected += (expected.empty() ? "" : " ") + part;
      ++cases;
      const std::string seen = Replay(form, *module, cls, seed);
      if (seen == expected) continue;
      ++wrong;
      EXPECT_EQ(seen, expected) << form.name << ", class " << cls;
      ASSERT_LT(wrong, 40);
    }
  }
  RecordProperty("forms", forms);
  EXPECT_EQ(forms, 515);
  EXPECT_EQ(cases, 1697);
}

}  // namespace
}  // namespace racer
