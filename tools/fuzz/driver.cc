// Main program of a fuzz target where libFuzzer is not linked in: the same inputs every time, so that it can run as a test.
//
// usage: TARGET [-runs=N] [-seed=N] [-max_len=N] FILES...
// Every file is tried as it stands, then N mutations of them. A target that crashes leaves its input in
// $TEST_UNDECLARED_OUTPUTS_DIR (under Bazel) or the working directory, as crash-INPUT_NUMBER.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// A target may tell the driver when it has seen what the test is about: exit status 1 without it.
extern "C" __attribute__((weak)) int RacerFuzzGoalReached();

namespace {

using Random = std::mt19937_64;

const std::string* g_input = nullptr;
char g_crash_file[4096];

void SaveInput(int signal_number) {
  if (FILE* file = std::fopen(g_crash_file, "wb"); file != nullptr && g_input != nullptr) {
    std::fwrite(g_input->data(), 1, g_input->size(), file);
    std::fclose(file);
    std::fprintf(stderr, "input saved as %s\n", g_crash_file);
  }
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

size_t Below(Random& random, size_t bound) { return bound == 0 ? 0 : random() % bound; }

// Text fragments that matter to parsers.
constexpr std::string_view kFragments[] = {"(",   ")",  "[",  "]",          "{",
                                           "}",   "<",  ">",  ";",          ",",
                                           ".",   "\"", "\n", "//",         "/*",
                                           "*/",  "0x", "-1", "0f3f800000", "18446744073709551616",
                                           "@",   "%",  "=",  "#",          std::string_view("\0", 1),
                                           "\xff"};

void Mutate(Random& random, const std::vector<std::string>& corpus, std::string* input) {
  const size_t place = Below(random, input->size() + 1);
  const size_t length = Below(random, std::min<size_t>(input->size() - std::min(place, input->size()), 16) + 1);
  switch (random() % 7) {
    case 0:  // change a byte
      if (place < input->size()) (*input)[place] = static_cast<char>(random());
      break;
    case 1: input->erase(place, length); break;
    case 2: input->insert(place, 1, static_cast<char>(random())); break;
    case 3: input->insert(place, input->substr(place, length)); break;
    case 4: input->insert(place, kFragments[Below(random, std::size(kFragments))]); break;
    case 5: {  // a piece of another file
      if (corpus.empty()) break;
      const std::string& other = corpus[Below(random, corpus.size())];
      const size_t from = Below(random, other.size() + 1);
      input->insert(place, other.substr(from, Below(random, 64)));
      break;
    }
    default: input->resize(place); break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t runs = 10000, seed = 1, max_len = 4096;
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("-runs=")) {
      runs = std::strtoull(argv[i] + 6, nullptr, 10);
    } else if (argument.starts_with("-seed=")) {
      seed = std::strtoull(argv[i] + 6, nullptr, 10);
    } else if (argument.starts_with("-max_len=")) {
      max_len = std::strtoull(argv[i] + 9, nullptr, 10);
    } else {
      std::ifstream file(argv[i], std::ios::binary);
      if (!file) {
        std::fprintf(stderr, "cannot read %s\n", argv[i]);
        return 3;
      }
      corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) signal(number, SaveInput);
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  Random random(seed);
  std::string input;
  g_input = &input;
  for (uint64_t run = 0; run < corpus.size() + runs; ++run) {
    input = corpus.empty() ? std::string() : corpus[run < corpus.size() ? run : Below(random, corpus.size())];
    if (run >= corpus.size()) {
      // A window of a long file: mutations then hit the part that is read.
      if (input.size() > max_len) input = input.substr(Below(random, input.size() - max_len + 1) / 2, max_len);
      for (uint64_t step = 1 + random() % 4; step > 0; --step) Mutate(random, corpus, &input);
      if (input.size() > max_len) input.resize(max_len);
    }
    std::snprintf(g_crash_file, sizeof g_crash_file, "%s/crash-%zu", folder != nullptr ? folder : ".", size_t{run});
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%zu inputs\n", corpus.size() + runs);
  return RacerFuzzGoalReached == nullptr || RacerFuzzGoalReached() != 0 ? 0 : 1;
}
