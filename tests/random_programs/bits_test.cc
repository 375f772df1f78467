// Random programs that ran on a GPU give the same bytes in Bits. The golden file is the device's (gpu_run.py), never ours.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/random_programs/execute.h"
#include "tests/random_programs/forms.h"
#include "tests/random_programs/generate.h"
#include "tests/random_programs/program.h"

namespace racer::programs {
namespace {

constexpr char kData[] = "tests/random_programs/testdata/";

std::string ReadFile(const std::string& name) {
  std::ifstream file(kData + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Every kStep-th program; `progen --golden` runs them all.
constexpr uint64_t kStep = 8;

// Seen to fail on the programs of h200_departures.txt, where one store or one shift amount is converted.
TEST(BitsTest, SameBytesAsAnH200) {
  const FormTable forms(ReadFile("forms.txt"));
  std::set<uint64_t> departures;
  std::istringstream departing(ReadFile("h200_departures.txt"));
  for (std::string line; std::getline(departing, line);) {
    if (!line.empty() && line[0] != '#') departures.insert(std::stoull(line));
  }
  std::istringstream lines(ReadFile("h200.txt"));
  int programs = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    uint64_t seed = 0, text = 0, output = 0;
    words >> seed >> std::hex >> text >> output;
    if (seed % kStep != 0 || departures.contains(seed)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ++programs;
    const Program program = Generate(seed, {}, forms);
    const std::string ptx = Print(program);
    ASSERT_EQ(Digest(ptx), text) << "the generator makes another program of this seed: the golden file is of no use any more";
    std::string problem;
    EXPECT_EQ(Digest(RunBits(program, ptx, MakeInputs(seed), &problem)), output) << problem;
  }
  EXPECT_GT(programs, 250);
}

}  // namespace
}  // namespace racer::programs
