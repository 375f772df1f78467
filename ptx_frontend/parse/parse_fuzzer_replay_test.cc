// The fuzz target without a fuzzer: the committed corpus, and a fixed number of deterministic mutations of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace racer {
namespace {

constexpr int kMutations = 20'000;

void Run(const std::string& text) {
  // A failed check ends the process with its message; this says for which input.
  std::ofstream("last_input.ptx", std::ios::binary) << text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::vector<std::string> Corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator("ptx_frontend/parse/fuzzer_corpus")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return corpus;
}

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> corpus) : corpus_(std::move(corpus)) {}

  std::string Next() {
    std::string text = corpus_[Below(corpus_.size())];
    for (uint32_t left = 1 + Below(3); left > 0; --left) Mutate(&text);
    return text;
  }

 private:
  uint32_t Below(size_t limit) { return limit == 0 ? 0 : static_cast<uint32_t>(random_() % limit); }

  void Mutate(std::string* text) {
    static constexpr std::string_view kWords[] = {
        "{", "}", "[", "]", "(", ")", ",", ";", ":", "|", "@p", "!", "-", "+4", "_", ".reg .b32 t;", "{ .reg .b16 r0; ", "L: ", "bra L;", ".v4", ".f32", "0f3F800000",
        "1.5", "0x7fffffffffffffff", "18446744073709551615", "-9223372036854775808", "9U", "%tid.x", "WARP_SZ", "(.s64)", "1?2:3", "<<", "/0", "<3>", "[]", "= {1}",
        ".param .b32 q;", "\"", "/*", "*/", "//! x\n", "\n", ".loc 1 2 3\n", ", inlined_at 1 2 3\n", "x[1]", "a.x", "call f, (r0);", "ret;", ".pragma \"x\";", ".align 8",
        ".extern ", ".func f(); ", ".global .u32 y;", ".version 8.0", "\xff", std::string_view("\0", 1), ".b0", "t: .branchtargets L; brx.idx r0, t;"};
    const size_t at = Below(text->size() + 1);
    const size_t length = std::min<size_t>(1 + Below(Below(4) == 0 ? 60 : 6), text->size() - at);
    switch (Below(6)) {
      case 0: text->insert(at, kWords[Below(std::size(kWords))]); break;
      case 1: text->replace(at, length, kWords[Below(std::size(kWords))]); break;
      case 2: text->erase(at, length); break;
      case 3: text->insert(Below(text->size() + 1), text->substr(at, length)); break;
      case 4:
        if (at < text->size()) (*text)[at] = static_cast<char>(random_());
        break;
      case 5: {
        // A line of another file, in place of one of this.
        const std::string& other = corpus_[Below(corpus_.size())];
        size_t from = other.find('\n', Below(other.size() + 1));
        if (from == std::string::npos) from = 0;
        const size_t line = text->find('\n', at);
        text->insert(line == std::string::npos ? text->size() : line, other.substr(from, other.find('\n', from + 1) - from));
        break;
      }
    }
  }

  std::vector<std::string> corpus_;
  std::mt19937 random_{20240901};
};

TEST(ParseFuzzerReplayTest, CorpusAndMutations) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_GE(corpus.size(), 6u);
  for (const std::string& text : corpus) Run(text);
  Mutator mutator(corpus);
  for (int i = 0; i < kMutations; ++i) Run(mutator.Next());
}

}  // namespace
}  // namespace racer
